/** Learns from a text which of its words have hyphens, and whether words are hyphenated at line ends. */

import { setImmediate as turn } from "node:timers/promises";
import type { Block } from "./blocks.ts";
import type { Line } from "./rows.ts";
import { type Parted, partedAt, type Vocabulary } from "./words.ts";

const word = /\p{L}+(?:-\p{L}+)*/gu;

const blocksATurn = 100;

/** Gives way to the event loop, because a long document takes a while. */
export async function vocabularyOf(blocks: readonly Block[]): Promise<Vocabulary> {
  const words = new Set<string>();
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "text") for (const line of block.lines) addWords(words, line);
    if (index % blocksATurn === 0) await turn();
  }
  const parted: Parted[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "text") addParted(parted, block.lines);
    if (index % blocksATurn === 0) await turn();
  }
  return { words, meant: meantHyphens(parted, words) };
}

function addParted(found: Parted[], lines: readonly Line[]): void {
  for (let at = 1; at < lines.length; at++) {
    const parted = partedAt(lines[at - 1]!.text.trimEnd(), lines[at]!.text.trimStart());
    if (parted?.after !== undefined && /^\p{Ll}/u.test(parted.after)) found.push({ ...parted, after: parted.after });
  }
}

function isDrawn({ hyphen }: Parted): boolean {
  return hyphen === "\u2010";
}

/**
 * Some programs use a separate hyphen character where they break a word; any other hyphen is then part of its word. And
 * if only compounds end lines with a hyphen, the text was set without hyphenation.
 */
function meantHyphens(parted: readonly Parted[], words: ReadonlySet<string>): Set<string> {
  const [drawn, typed] = [parted.filter(isDrawn), parted.filter((word) => !isDrawn(word))];
  if (typed.some(({ before, after }) => words.has(before + after))) return new Set();
  if (drawn.length > 0) return new Set(["-"]);
  let [compounds, others] = [0, 0];
  for (const { before, after } of typed) {
    const last = before.slice(before.lastIndexOf("-") + 1);
    if (words.has(`${before}-${after}`) || (words.has(last) && words.has(after))) compounds++;
    else others++;
  }
  return new Set(compounds > others ? ["-"] : []);
}

/** Adds the words within a line, but not those at its ends, which may be halves. */
function addWords(vocabulary: Set<string>, { text }: Line): void {
  const found = text.match(word) ?? [];
  for (const each of found.slice(1, -1)) vocabulary.add(each.toLowerCase());
}
