/** Leaves out a heading that repeats the one right before it: some shops have it once with a link and once without. */
import { blockText } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";

/** Takes from `keep`, in place. */
export function dropTwins(table: PageTable, keep: Uint8Array): void {
  let before = "";
  for (let block = 0; block < keep.length; block++) {
    const text = keep[block] === 1 && table.headingRanks[block]! > 0 ? blockText(table, block).trim() : "";
    if (text !== "" && text === before) keep[block] = 0;
    else before = text;
  }
}
