/** Keeps the tables and lists that kept texts announce: those full of links read like navigation. */
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const TABLE = tagId("table");
const LISTS = new Set(["ul", "ol"].map(tagId));
/** The last one is that of Khmer. */
const announces = /[:：\u17d6]\s*$/;
/** In words; a shorter line above links is the name of a box. */
const LEAST_WORDS = 4;

/**
 * Adds to `keep`, in place, what lies between two kept texts and is a table right below a heading, or a list right
 * below a colon.
 */
export function keepAnnounced(table: PageTable, keep: Uint8Array): void {
  const { blockElement, end, tag } = table;
  let block = 0;
  for (let element = 0; element < tag.length; element++) {
    const isTable = tag[element] === TABLE;
    if (!isTable && !LISTS.has(tag[element]!)) continue;
    while (block < keep.length && blockElement[block]! < element) block++;
    const first = block;
    // Text after it may belong to an element around it, which has a lower index.
    while (block < keep.length && blockElement[block]! >= element && blockElement[block]! < end[element]!) block++;
    if (first === 0 || first === block || keep[first - 1] === 0 || keep[block] !== 1) continue;
    const isHeading = table.headingRanks[first - 1]! > 0;
    if (isTable ? isHeading : !isHeading && endsInColon(table, first - 1)) keep.fill(1, first, block);
  }
}

function endsInColon(table: PageTable, block: number): boolean {
  const words = table.statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
  return words >= LEAST_WORDS && announces.test(table.texts[table.firstText[block + 1]! - 1]!.data);
}
