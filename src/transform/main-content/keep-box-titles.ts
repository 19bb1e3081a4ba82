/**
 * Keeps the title of a box all of whose other texts are kept, such as that of a note: by itself, in a language whose words
 * the model does not know, it reads like a label of the site.
 */
import { classNamed } from "../html/class-names.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import { classOf } from "./element-names.ts";
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const titleName = classNamed("title|box-title|note-title|admonition-title|callout-title");
const HEADER_CELL = tagId("th");
/** In words. */
const LONGEST = 15;
/** A title with a larger share of links leads elsewhere. */
const MOST_LINKED = 0.5;
/** How far up from a text the element that is named a title, and from there the box, is searched for. */
const REACH_OF_TITLE = 3;
const REACH_OF_BOX = 4;
/** A longer one is the page. */
const MOST_BLOCKS = 40;

/** Adds to `keep`, in place, titles of boxes below kept text. `sizes` are the blocks' sizes in words. */
export function keepBoxTitles(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  let first: Int32Array | undefined;
  for (let block = 1; block + 1 < keep.length; block++) {
    if (keep[block] === 1 || keep[block - 1] === 0 || keep[block + 1] === 0 || sizes[block]! > LONGEST) continue;
    const title = titleAround(table, block);
    if (title < 0 || linkShare(table, block) > MOST_LINKED) continue;
    const box = boxAround(table, title, block + 1);
    if (box < 0) continue;
    first ??= firstBlocks(table);
    if (first[box] === block && isRestKept(table, keep, block + 1, box)) keep[block] = 1;
  }
}

function titleAround({ blockElement, elements, parent, tag }: PageTable, block: number): number {
  let element = blockElement[block]!;
  for (let step = 0; step < REACH_OF_TITLE && element >= 0; step++) {
    if (tag[element] === HEADER_CELL || titleName.test(classOf(elements[element]!))) return element;
    element = parent[element]!;
  }
  return -1;
}

/** The innermost element around a title that contains the next block. */
function boxAround(table: PageTable, title: number, next: number): number {
  let element = table.parent[title]!;
  for (let step = 0; step < REACH_OF_BOX && element >= 0; step++) {
    if (isBlockIn(table, next, element)) return element;
    element = table.parent[element]!;
  }
  return -1;
}

function isRestKept(table: PageTable, keep: Uint8Array, from: number, box: number): boolean {
  for (let block = from; isBlockIn(table, block, box); block++) {
    if (keep[block] === 0 || block - from >= MOST_BLOCKS) return false;
  }
  return true;
}
