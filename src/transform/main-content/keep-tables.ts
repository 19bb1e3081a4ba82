/** Keeps the tables of a manual's sections: lists of functions read like navigation, but a lone heading misleads. */
import { headingRank } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const TABLE = tagId("table");

/** Adds to `keep`, in place, the tables between a kept heading and a kept text. */
export function keepTables(table: PageTable, keep: Uint8Array): void {
  const { blockElement, end, tag } = table;
  let block = 0;
  for (let element = 0; element < tag.length; element++) {
    if (tag[element] !== TABLE) continue;
    while (block < keep.length && blockElement[block]! < element) block++;
    const first = block;
    // Text after a table may belong to an element around it, which has a lower index.
    while (block < keep.length && blockElement[block]! >= element && blockElement[block]! < end[element]!) block++;
    if (first === 0 || first === block || keep[first - 1] === 0 || keep[block] !== 1) continue;
    if (headingRank(table, first - 1) > 0) keep.fill(1, first, block);
  }
}
