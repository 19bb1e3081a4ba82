/** Joins lines: words that are hyphenated at the end of a line become whole again. */

import { type Piece, textOf } from "./pieces.ts";
import { joinsWithoutSpace } from "./spread-letters.ts";

/** What a text shows about its words, to distinguish `well-known` from `hyphen-ation`. */
export interface Vocabulary {
  /** The words within lines, in lower case. */
  readonly words: ReadonlySet<string>;
  /** The hyphens that are part of their words even at the end of a line. */
  readonly meant: ReadonlySet<string>;
}

/** For text that is too short to learn from. */
export const noVocabulary: Vocabulary = { words: new Set(), meant: new Set() };

/** A word that continues on the next line. */
export interface Parted {
  readonly before: string;
  readonly hyphen: string;
  readonly after: string;
}

/** The pieces of all lines, one after the other. */
export function joinedLines(lines: readonly { readonly pieces: readonly Piece[] }[], vocabulary: Vocabulary): Piece[] {
  const joined: Piece[] = [];
  for (const { pieces } of lines) {
    const last = joined.at(-1);
    if (last === undefined) {
      for (const piece of pieces) joined.push(piece);
      continue;
    }
    const glue = glueBetween(last.text.trimEnd(), textOf(pieces).trimStart(), vocabulary);
    joined[joined.length - 1] = { ...last, text: glue.end };
    pieces.forEach((piece, index) => {
      const text = index === 0 ? piece.text.trimStart() : piece.text;
      // The space belongs to neither link.
      if (index === 0 && glue.space !== "") joined.push({ text: glue.space, fontName: piece.fontName });
      joined.push({ ...piece, text });
    });
  }
  return joined;
}

/** How the end of a line changes, and what is put between it and the next line. */
function glueBetween(end: string, start: string, vocabulary: Vocabulary): { end: string; space: "" | " " } {
  if (end.endsWith("\u00ad")) return { end: end.slice(0, -1), space: "" };
  const parted = partedAt(end, start);
  if (parted !== undefined) {
    const { before, hyphen, after } = parted;
    if (after === undefined) return { end, space: /^\p{N}/u.test(start) ? "" : " " };
    const { words, meant } = vocabulary;
    const isKnown = words.has(before + after.toLowerCase());
    if (!isKnown && conjunction.test(after)) return { end, space: " " };
    const isCompound =
      words.has(`${before}-${after.toLowerCase()}`) || after !== after.toLowerCase() || meant.has(hyphen);
    return { end: isKnown || !isCompound ? end.slice(0, -1) : end, space: "" };
  }
  return { end, space: joinsWithoutSpace(end, start) || /\p{N}[-–]$/u.test(end) ? "" : " " };
}

/** After the first of two words that share their second half: `short- and long-term`. */
const conjunction = /^(?:and|or|und|oder|bzw)$/;

/** The word with a hyphen at the end of a line, in lower case, and what the next line begins with, if that is a word. */
export function partedAt(
  end: string,
  start: string,
): (Omit<Parted, "after"> & { after: string | undefined }) | undefined {
  const [, before, hyphen] = end.slice(-80).match(/(\p{L}+(?:-\p{L}+)*)([-‐])$/u) ?? [];
  if (before === undefined || hyphen === undefined) return undefined;
  return { before: before.toLowerCase(), hyphen, after: start.slice(0, 80).match(/^\p{L}+/u)?.[0] };
}
