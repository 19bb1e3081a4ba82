/** Keeps addresses that are written out beside kept text: a menu has names for where it leads. */
import { blockText } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

/** Paragraphs; other elements may be parts of a line. */
const PARAGRAPHS: ReadonlySet<number> = new Set(["p", "div", "li", "dd"].map(tagId));

/** In characters. */
const LONGEST = 300;
const address = /^[^\p{L}\p{N}]{0,4}(?:https?:\/\/|www\.)\S+\P{L}{0,3}$/u;
/** How far up from an address the element that it shares with text is searched for. */
const REACH = 2;
/** More of them in a row are a list for itself. */
const MOST = 8;

/** Adds to `keep`, in place, addresses between kept texts, one of which is beside them. */
export function keepAddresses(table: PageTable, keep: Uint8Array): void {
  for (let block = 1; block < keep.length; block++) {
    // Below a title, an address tells where the text is from.
    if (keep[block] === 1 || keep[block - 1] === 0 || table.headingRanks[block - 1]! > 0) continue;
    let end = block;
    while (end < keep.length && end - block < MOST && keep[end] === 0 && isAddress(table, end)) end++;
    if (end > block && keep[end] === 1 && isBeside(table, block, block - 1, end)) keep.fill(1, block, end);
    block = end;
  }
}

function isAddress(table: PageTable, block: number): boolean {
  if (!PARAGRAPHS.has(table.tag[table.blockElement[block]!]!)) return false;
  const text = blockText(table, block, LONGEST).trim();
  return text.length <= LONGEST && address.test(text);
}

function isBeside(table: PageTable, block: number, before: number, behind: number): boolean {
  let around = table.blockElement[block]!;
  for (let step = 0; step < REACH; step++) {
    around = table.parent[around]!;
    if (around < 0) return false;
    if (isBlockIn(table, before, around) || isBlockIn(table, behind, around)) return true;
  }
  return false;
}
