/** Keeps code between kept texts, or right below one: it belongs to the text, although it does not read like it. */
import { isBlockIn } from "./element-blocks.ts";
import { innermost } from "./innermost.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { TEXTS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

const PRE = tagId("pre");
/** Most elements around code, or around the text above it, that are a frame for it alone. */
const FRAMES = 3;
/** A table that sets numbers of lines beside code is one frame with what is around it. */
const TABLE_PARTS = new Set(["table", "tbody", "tr", "td"].map(tagId));
/** How far up from a text the part of the page is searched for. */
const REACH = 8;

/**
 * Adds to `keep`, in place, all of a `pre` if the blocks before and after it are kept, with its headings. In a manual it
 * is enough that the block before it, or before its caption, is kept and in the same part of the page.
 */
export function keepCode(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  const isManual = pageType === "documentation";
  const { blockElement, tag } = table;
  let block = 0;
  for (let element = tag.indexOf(PRE); element >= 0; element = tag.indexOf(PRE, element + 1)) {
    while (block < keep.length && blockElement[block]! < element) block++;
    const first = block;
    while (isBlockIn(table, block, element)) block++;
    if (first === 0 || first === block) continue;
    const isBelow =
      (isManual && isInText(table, keep, element, first - 1)) ||
      (keep[first - 1] === 1 && isRightBelow(table, element, first - 1));
    if (isBelow) keep.fill(1, first, block);
    else if (isManual && isCaption(table, element, first - 1) && isInText(table, keep, element, first - 2)) {
      keep.fill(1, first - 1, block);
    }
    if (keep[block] !== 1) continue;
    let start = first;
    while (start > 0 && keep[start - 1] === 0 && table.headingRanks[start - 1]! > 0) start--;
    if (start > 0 && keep[start - 1] === 1) keep.fill(1, start, block);
  }
}

/** Whether code is in the innermost part of the page that a kept block of text is in. */
function isInText(table: PageTable, keep: Uint8Array, code: number, block: number): boolean {
  if (keep[block] !== 1) return false;
  const part = innermost(table, table.blockElement[block]!, TEXTS, REACH);
  return part >= 0 && code < table.end[part]!;
}

/** Whether a block is the only text beside code in a frame for both. */
function isCaption({ parent, blockElement, end }: PageTable, code: number, block: number): boolean {
  const caption = blockElement[block]!;
  let around = parent[code]!;
  for (let step = 0; step < FRAMES && around > caption; step++) around = parent[around]!;
  return (
    around >= 0 && caption > around && caption < end[around]! && (block === 0 || blockElement[block - 1]! < around)
  );
}

/** Whether a block of text and the code after it are siblings, apart from their frames. */
function isRightBelow({ parent, blockElement, tag }: PageTable, code: number, block: number): boolean {
  const text = blockElement[block]!;
  let around = parent[code]!;
  for (let frames = 0; around > text; around = parent[around]!) {
    if (!TABLE_PARTS.has(tag[around]!) && ++frames === FRAMES) break;
  }
  let inside = text;
  for (let step = 0; step < FRAMES && inside > around; step++) inside = parent[inside]!;
  return around >= 0 && inside === around;
}
