/** Tells which page types the words in a page's names, links and address suggest. */

import { placesOf } from "./lexicon.ts";
import type { PageTable } from "./page-table.ts";
import { PAGE_TYPES } from "./page-type.ts";
import { wordHash } from "./text-statistics.ts";

/** Adds up the ratings of the words of a page, each word once: a sum for each page type. */
export type RateTypes = (words: readonly number[]) => Float32Array;

/** Ratings are stored as whole steps of this size. */
export const TYPE_STEP = 1 / 24;

/** Creates the look-up for `hashes`, with a row of ratings for each. */
export function typeLexicon(hashes: Int32Array, steps: Int8Array): RateTypes {
  const find = placesOf(hashes);
  const types = PAGE_TYPES.length;
  /** For each word, the last page that counted it. */
  const counted = new Uint32Array(hashes.length);
  let page = 0;
  return (words) => {
    page = (page + 1) >>> 0;
    const sums = new Float32Array(types);
    for (const word of words) {
      const place = find(word);
      if (place < 0 || counted[place] === page) continue;
      counted[place] = page;
      for (let type = 0; type < types; type++) sums[type]! += steps[place * types + type]! * TYPE_STEP;
    }
    return sums;
  };
}

/** The hashes of all words in the names of a page's elements and in its address, some more than once. */
export function pageWords(table: PageTable, url: string): number[] {
  const parts = url
    .slice(0, 400)
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const ofAddress = parts.filter((part) => part.length > 1).map((part) => wordHash(part) ^ 0x75726c);
  return [...table.names.hashes, ...ofAddress];
}
