/** Keeps what a kept table, listing or quotation says of itself: its caption, and who is quoted. */
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const QUOTATION = tagId("blockquote");
const FIGURE = tagId("figure");
const CAPTION = tagId("figcaption");
/** Elements within a quotation that say whom it is by. */
const SOURCES = new Set(["cite", "footer"].map(tagId));
/** In words, of both; longer ones are texts by themselves. */
const LONGEST = 30;
/** How far up a text looks for one of these elements. */
const REACH = 4;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepSources(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { blockLeaf, parent, tag } = table;
  if (!tag.includes(QUOTATION) && !tag.includes(FIGURE)) return;
  const first = firstBlocks(table);
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 1 || sizes[block]! > LONGEST) continue;
    let element = blockLeaf[block]!;
    let around = -1;
    for (let step = 0; step < REACH && element >= 0; step++) {
      if (tag[element] === CAPTION) around = FIGURE;
      else if (SOURCES.has(tag[element]!)) around = QUOTATION;
      else if (tag[element] === around) break;
      element = parent[element]!;
    }
    if (element < 0 || tag[element] !== around) continue;
    for (const other of [first[element]!, block - 1]) {
      if (other !== block && keep[other] === 1 && isBlockIn(table, other, element)) keep[block] = 1;
    }
  }
}
