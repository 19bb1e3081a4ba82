/**
 * Leaves out a heading that repeats the one right before it, which some shops have once with a link and once without, and
 * a title that is there again for other screens.
 */
import { blockText } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";

/** Takes from `keep`, in place. */
export function dropTwins(table: PageTable, keep: Uint8Array): void {
  const titles = new Set<string>();
  let before = "";
  for (let block = 0; block < keep.length; block++) {
    const rank = keep[block] === 1 ? table.headingRanks[block]! : 0;
    const text = rank > 0 ? blockText(table, block).trim() : "";
    if (text !== "" && (text === before || (rank === 1 && titles.has(text)))) keep[block] = 0;
    else before = text;
    if (rank === 1) titles.add(text);
  }
}
