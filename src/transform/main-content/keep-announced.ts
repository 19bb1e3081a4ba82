/** Keeps the tables and lists that kept texts announce: those full of links read like navigation. */
import { isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { LISTS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const TABLE = tagId("table");
/** The last one is that of Khmer. */
const announces = /[:：\u17d6]\s*$/;
/** In words; a shorter line above links is the name of a box. */
const LEAST_WORDS = 4;
/** The same where nothing is kept below the list, and nothing of it. */
const LEAST_OF_LAST = 12;

/**
 * Adds to `keep`, in place, a table between two kept texts, the first of which is a heading, and a list right below a text
 * that ends in a colon.
 */
export function keepAnnounced(table: PageTable, keep: Uint8Array): void {
  const { blockElement, end: ends, tag } = table;
  let first = 0;
  // A table may lay out the page, as do those in it. The lists in it are looked at.
  let tableEnd = 0;
  for (let element = 0; element < tag.length; element++) {
    const isTable = tag[element] === TABLE;
    if (isTable ? element < tableEnd : !LISTS.has(tag[element]!)) continue;
    if (isTable) tableEnd = ends[element]!;
    while (first < keep.length && blockElement[first]! < element) first++;
    let end = first;
    while (isBlockIn(table, end, element)) end++;
    if (first === 0 || first === end || keep[first - 1] === 0) continue;
    const isHeading = table.headingRanks[first - 1]! > 0;
    const words = isTable || isHeading ? 0 : wordsBeforeColon(table, first - 1);
    const isBetween = keep[end] === 1;
    const least = isBetween || keep.subarray(first, end).includes(1) ? LEAST_WORDS : LEAST_OF_LAST;
    if (isTable ? isHeading && isBetween : words >= least) keep.fill(1, first, end);
  }
}

/** The words of a block that ends in a colon; 0 for another. */
function wordsBeforeColon(table: PageTable, block: number): number {
  if (!announces.test(table.texts[table.firstText[block + 1]! - 1]!.data)) return 0;
  return table.statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
}
