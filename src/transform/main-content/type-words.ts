/** Which words in a page's names, links and address speak for which page type. */

import type { PageTable } from "./page-table.ts";
import { PAGE_TYPES } from "./page-type.ts";
import { wordHash } from "./text-statistics.ts";

/** Adds up what the words say, a sum for each page type. */
export type RateTypes = (words: Iterable<number>) => Float32Array;

/** Ratings are stored as whole steps of this size. */
export const TYPE_STEP = 1 / 24;

/** Makes the look-up for `hashes`, with a row of ratings for each. */
export function typeLexicon(hashes: Int32Array, steps: Int8Array): RateTypes {
  const rows = new Map<number, number>();
  hashes.forEach((hash, row) => {
    rows.set(hash, row * PAGE_TYPES.length);
  });
  return (words) => {
    const sums = new Float32Array(PAGE_TYPES.length);
    for (const hash of words) {
      const row = rows.get(hash);
      if (row === undefined) continue;
      for (let type = 0; type < sums.length; type++) sums[type]! += steps[row + type]! * TYPE_STEP;
    }
    return sums;
  };
}

/** Every word in the names of a page's elements, in its links and in its address, once. */
export function pageWords(table: PageTable, url: string): Set<number> {
  const words = new Set<number>();
  table.names.forEachHash((hash) => words.add(hash));
  for (const part of url
    .slice(0, 400)
    .toLowerCase()
    .split(/[^\p{L}]+/u)) {
    if (part.length > 1) words.add(wordHash(part) ^ 0x75726c);
  }
  return words;
}
