/** Joins lines: words that a hyphen parts at the end of a line become whole again. */

import { setImmediate as turn } from "node:timers/promises";
import type { Block } from "./blocks.ts";
import { type Piece, textOf } from "./pieces.ts";
import type { Line } from "./rows.ts";
import { joinsWithoutSpace } from "./spread-letters.ts";

/** The words of a text, in lower case, to tell `well-known` from `hyphen-ation`. */
export type Vocabulary = ReadonlySet<string>;

const word = /\p{L}+(?:-\p{L}+)*/gu;

const blocksATurn = 100;

/** Gives the event loop its turns: a long document takes a while. */
export async function vocabularyOf(blocks: readonly Block[]): Promise<Vocabulary> {
  const vocabulary = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "text") for (const line of block.lines) addWords(vocabulary, line);
    if (index % blocksATurn === 0) await turn();
  }
  return vocabulary;
}

/** Adds the words that stand within a line, not at its ends, where they may be halves. */
function addWords(vocabulary: Set<string>, { text }: Line): void {
  const found = text.match(word) ?? [];
  for (const each of found.slice(1, -1)) vocabulary.add(each.toLowerCase());
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

/** How the end of a line changes, and what comes between it and the next. */
function glueBetween(end: string, start: string, vocabulary: Vocabulary): { end: string; space: "" | " " } {
  if (end.endsWith("\u00ad")) return { end: end.slice(0, -1), space: "" };
  const parted = end.slice(-80).match(/(\p{L}+(?:-\p{L}+)*)[-‐]$/u);
  if (parted !== null) {
    const after = start.slice(0, 80).match(/^\p{L}+/u)?.[0];
    if (after === undefined) return { end, space: /^\p{N}/u.test(start) ? "" : " " };
    const before = parted[1]!.toLowerCase();
    const isKnown = vocabulary.has(before + after.toLowerCase());
    const isCompound = vocabulary.has(`${before}-${after.toLowerCase()}`) || after !== after.toLowerCase();
    return { end: isKnown || !isCompound ? end.slice(0, -1) : end, space: "" };
  }
  return { end, space: joinsWithoutSpace(end, start) || /\p{N}[-–]$/u.test(end) ? "" : " " };
}
