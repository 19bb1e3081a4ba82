/** Which words in a page's names, links and address speak for which page type. */

import { placesOf } from "./lexicon.ts";
import type { PageTable } from "./page-table.ts";
import { PAGE_TYPES } from "./page-type.ts";
import { wordHash } from "./text-statistics.ts";

/** Adds up what the words of a page say, each once: a sum for each page type. */
export type RateTypes = (forEachWord: (use: (hash: number) => void) => void) => Float32Array;

/** Ratings are stored as whole steps of this size. */
export const TYPE_STEP = 1 / 24;

/** Makes the look-up for `hashes`, with a row of ratings for each. */
export function typeLexicon(hashes: Int32Array, steps: Int8Array): RateTypes {
  const find = placesOf(hashes);
  const types = PAGE_TYPES.length;
  /** For each word: the page that counted it last. */
  const counted = new Uint32Array(hashes.length);
  let page = 0;
  return (forEachWord) => {
    page = (page + 1) >>> 0;
    const sums = new Float32Array(types);
    forEachWord((hash) => {
      const place = find(hash);
      if (place < 0 || counted[place] === page) return;
      counted[place] = page;
      for (let type = 0; type < types; type++) sums[type]! += steps[place * types + type]! * TYPE_STEP;
    });
    return sums;
  };
}

/** Calls back with every word in the names of a page's elements and in its address, some more than once. */
export function forEachPageWord(table: PageTable, url: string, use: (hash: number) => void): void {
  table.names.forEachHash(use);
  for (const part of url
    .slice(0, 400)
    .toLowerCase()
    .split(/[^\p{L}]+/u)) {
    if (part.length > 1) use(wordHash(part) ^ 0x75726c);
  }
}
