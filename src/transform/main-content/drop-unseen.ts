/** Leaves out what an article hides: what it says a second time, and little else, because scripts may show the rest. */
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { HASH_SEED, HASHED_WORDS, mixHash } from "./text-statistics.ts";
import { findUnseen } from "./unseen-parts.ts";

/** What is not a copy goes if it is at most this share of the words to be seen. */
const MOST_SHARE = 0.25;
/** In words; a text that begins with another one of this length, or with as much of it as is known, says the same. */
const LEAST_WORDS = 6;

/** Changes `keep` in place; titles stay, which are hidden for readers who see them elsewhere. `sizes` are in words. */
export function dropUnseen(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  if (pageType !== "article") return;
  const parts = findUnseen(table, keep);
  if (parts.length === 0) return;
  const { arrays, blockElement, elements, parent } = table;
  const inside = arrays.bytes(elements.length);
  for (const part of parts) inside[part] = 1;
  for (let element = 1; element < elements.length; element++) inside[element]! |= inside[parent[element]!] ?? 0;
  const hidden: number[] = [];
  const beginnings = new Set<number>();
  let seen = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0 || table.headingRanks[block] === 1) continue;
    if (inside[blockElement[block]!] === 1) {
      hidden.push(block);
      continue;
    }
    seen += sizes[block]!;
    const beginning = beginningsOf(table, block).at(-1);
    if (beginning !== undefined) beginnings.add(beginning);
  }
  const isCopy = (block: number): boolean => beginningsOf(table, block).some((beginning) => beginnings.has(beginning));
  const copies = hidden.filter(isCopy);
  for (const block of copies) keep[block] = 0;
  const others = hidden.filter((block) => keep[block] === 1);
  const words = others.reduce((sum, block) => sum + sizes[block]!, 0);
  if (words <= MOST_SHARE * seen) for (const block of others) keep[block] = 0;
}

/** A number for the first words of a block, for each number of words up to that of those that are known. */
function beginningsOf({ hashCount, wordHashes }: PageTable, block: number): number[] {
  const from = block * HASHED_WORDS;
  let hash = HASH_SEED;
  const beginnings: number[] = [];
  for (let word = 0; word < hashCount[block]!; word++) {
    hash = mixHash(hash, wordHashes[from + word]!);
    if (word + 1 >= LEAST_WORDS) beginnings.push(hash);
  }
  return beginnings;
}
