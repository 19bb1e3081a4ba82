// Decodes Korean pages: most that declare EUC-KR use the additions of Windows.

type Decoder = InstanceType<typeof TextDecoder>;

/**
 * Decodes EUC-KR with the 8,822 syllables that Windows added to it, as the web's encoding standard has it. The platform's
 * decoder knows only the 2,350 of the Korean standard.
 */
export function decodeKorean(body: Uint8Array): string {
  const decoder = new TextDecoder("euc-kr");
  // Zero bytes are no text; here they mark the places of what the decoder does not know.
  const bytes = body.includes(0) ? body.filter((byte) => byte !== 0) : body;
  const added: string[] = [];
  let known = bytes;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x81) continue;
    const second = bytes[at + 1] ?? 0;
    const character = addedCharacter(bytes[at]!, second, decoder);
    if (character !== undefined) {
      // A copy, which `slice` of a Buffer is not.
      if (added.push(character) === 1) known = new Uint8Array(bytes);
      known[at] = known[at + 1] = 0;
    }
    // The second byte of a pair is skipped; an invalid pair ends before a byte that may be ASCII.
    if (character !== undefined || second >= 0x80) at++;
  }
  const text = decoder.decode(known);
  let next = 0;
  return added.length === 0 ? text : text.replace(/\0\0/g, () => added[next++]!);
}

/** Second bytes in their order: letters, then from 0x81 on. */
const firstUpper = 0x41;
const firstLower = 0x61;
const firstOther = 0x81;
const letters = 26;
/** Before the first bytes of the standard, all second bytes are free; beside them, those below its own. */
const firstOfStandard = 0xa1;
const freeBefore = 2 * letters + 0xfe - firstOther + 1;
const freeBeside = 2 * letters + firstOfStandard - firstOther;

function addedCharacter(first: number, second: number, decoder: Decoder): string | undefined {
  if (first === 0xa2 && (second === 0xe6 || second === 0xe7)) return second === 0xe6 ? "€" : "®";
  const place = placeOf(second);
  if (place === undefined || (first >= firstOfStandard && place >= freeBeside)) return undefined;
  const rowsBefore = Math.min(first, firstOfStandard) - firstOther;
  const rowsBeside = Math.max(0, first - firstOfStandard);
  return addedSyllables(decoder)[rowsBefore * freeBefore + rowsBeside * freeBeside + place];
}

function placeOf(second: number): number | undefined {
  if (second >= firstOther && second <= 0xfe) return 2 * letters + second - firstOther;
  if (second >= firstLower && second < firstLower + letters) return letters + second - firstLower;
  return second >= firstUpper && second < firstUpper + letters ? second - firstUpper : undefined;
}

let added: string[] | undefined;

/** All syllables that the standard lacks, in Unicode order, in which they were added. */
function addedSyllables(decoder: Decoder): readonly string[] {
  if (added !== undefined) return added;
  const known = new Set<string>();
  for (let first = 0xb0; first <= 0xc8; first++) {
    for (let second = 0xa1; second <= 0xfe; second++) known.add(decoder.decode(Uint8Array.of(first, second)));
  }
  added = [];
  for (let code = 0xac00; code <= 0xd7a3; code++) {
    const syllable = String.fromCharCode(code);
    if (!known.has(syllable)) added.push(syllable);
  }
  return added;
}
