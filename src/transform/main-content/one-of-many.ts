/** Tells the items of a list of names from controls that are called so: commands, methods, things to do in a program. */
import { blockText } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const ITEM = tagId("li");
/** Most items around one in a list that are looked at, on each side. */
const REACH = 10;
/** In characters, of each that is read. */
const LONGEST = 100;
const LEAST_OTHERS = 3;
/** If at most this share of them are controls, the list is of something else: commands, methods, letters. */
const MOST_CONTROLS = 0.3;

/** Whether a block is a whole item of a list whose other items are kept and are mostly no controls, which a pattern knows. */
export function isOneOfMany(table: PageTable, block: number, keep: Uint8Array, controls: RegExp): boolean {
  const { blockElement, parent, tag } = table;
  const item = blockElement[block]!;
  if (tag[item] !== ITEM || isBlockIn(table, block - 1, item) || isBlockIn(table, block + 1, item)) return false;
  let others = 0;
  let alike = 0;
  for (const step of [-1, 1]) {
    for (let at = block + step; Math.abs(at - block) <= REACH && isBlockIn(table, at, parent[item]!); at += step) {
      others++;
      if (keep[at] === 0 || controls.test(blockText(table, at, LONGEST).toLowerCase())) alike++;
    }
  }
  return others >= LEAST_OTHERS && alike <= others * MOST_CONTROLS;
}
