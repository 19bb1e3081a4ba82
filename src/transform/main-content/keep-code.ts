/** Keeps code between kept texts, or right below one: it belongs to the text, although it does not read like it. */
import { headingRank } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const PRE = tagId("pre");
/** Most elements around code, or around the text above it, that are a frame for it alone. */
const FRAMES = 3;

/** Adds to `keep`, in place, all of a `pre` if the blocks before and after it are kept, with its headings. */
export function keepCode(table: PageTable, keep: Uint8Array): void {
  const { blockElement, end, tag } = table;
  let block = 0;
  for (let element = 0; element < tag.length; element++) {
    if (tag[element] !== PRE) continue;
    while (block < keep.length && blockElement[block]! < element) block++;
    const first = block;
    // Text after the code may belong to an element around it, which has a lower index.
    while (block < keep.length && blockElement[block]! >= element && blockElement[block]! < end[element]!) block++;
    if (first === 0 || first === block) continue;
    if (keep[first - 1] === 1 && isRightBelow(table, element, first - 1)) keep.fill(1, first, block);
    if (keep[block] !== 1) continue;
    let start = first;
    while (start > 0 && keep[start - 1] === 0 && headingRank(table, start - 1) > 0) start--;
    if (start > 0 && keep[start - 1] === 1) keep.fill(1, start, block);
  }
}

/** Whether a block of text and the code after it are siblings, apart from their frames. */
function isRightBelow({ parent, blockElement }: PageTable, code: number, block: number): boolean {
  const text = blockElement[block]!;
  let around = parent[code]!;
  for (let step = 1; step < FRAMES && around > text; step++) around = parent[around]!;
  let inside = text;
  for (let step = 0; step < FRAMES && inside > around; step++) inside = parent[inside]!;
  return around >= 0 && inside === around;
}
