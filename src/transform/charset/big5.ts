import { addedToBig5 } from "./added-to-big5.ts";

/** Private code points, by which the platform's decoder stands in for pairs of bytes that it does not know. */
const privateUse = /[\ue000-\uf8ff]/g;
const firstPrivate = 0xe000;

/** The rows in the order of their code points: those from 0xfa on, from 0x8e on, from 0x81 on, and from 0xc6 on. */
const rowLength = 157;
const firstUnassigned = (5 + 19) * rowLength;
const unassigned = 6 * rowLength;
const firstOfHalfRow = firstUnassigned + 13 * rowLength;
/** The first of the last three rows has only its second half; the platform knows the other. */
const knownHalf = 63;

/**
 * Decodes Big5 with the characters that were added to it for Hong Kong, and the kana and signs that most Taiwanese pages
 * take for granted. The platform's decoder has only those of Windows.
 */
export function decodeBig5(bytes: Uint8Array): string {
  const text = new TextDecoder("big5").decode(bytes);
  return text.replace(privateUse, (character) => addedCharacter(character.charCodeAt(0) - firstPrivate));
}

function addedCharacter(place: number): string {
  if (place >= firstUnassigned && place < firstUnassigned + unassigned) return "\ufffd";
  const before = place < firstUnassigned ? 0 : unassigned;
  const missing = place < firstOfHalfRow ? 0 : knownHalf;
  const character = characters()[place - before + missing] ?? " ";
  return character === " " ? "\ufffd" : character;
}

let all: readonly string[] | undefined;

function characters(): readonly string[] {
  // Two accents occur only as the second code point of a character.
  all ??= addedToBig5.join("").match(/.[\u0304\u030c]?/gsu) ?? [];
  return all;
}
