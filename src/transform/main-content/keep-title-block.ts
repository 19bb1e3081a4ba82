/** Keeps what document generators put around a title: names and dates, an abstract, the summary of a command. */
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import { bitsOfMeanings } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { tagId } from "./tags.ts";

/** Its id as written by pandoc and Quarto, which means nothing else. */
const TITLE_BLOCK = "title-block-header";
/**
 * Its id as written by AsciiDoc and R Markdown; on other sites, the element contains their name and menu, but no title.
 */
const HEADER = "header";
const TITLE = tagId("h1");
/** In words; anything longer is more than a title block. */
const LONGEST = 500;
/** A table of contents may be in it, too. */
const FOREIGN = bitsOfMeanings("toc", "navigation");

/** Adds the title block to `keep`, in place, if the page has other text as well. */
export function keepTitleBlock(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  if (!table.names.has("id", TITLE_BLOCK) && !table.names.has("id", HEADER)) return;
  const header = table.elements.findIndex(({ attribs: { id } }) => id === TITLE_BLOCK || id === HEADER);
  if (header < 0 || !keep.includes(1)) return;
  const first = firstBlocks(table)[header]!;
  if (table.elements[header]!.attribs["id"] === HEADER) {
    const title = table.tag[header + 1] === TITLE && isBlockIn(table, first, header + 1);
    if (pageType !== "documentation" || !title || keep[first] === 0) return;
  }
  const found: number[] = [];
  let words = 0;
  for (let block = first; isBlockIn(table, block, header); block++) {
    if (isForeign(table, block, header)) continue;
    words += sizes[block]!;
    found.push(block);
  }
  if (words <= LONGEST) for (const block of found) keep[block] = 1;
}

function isForeign({ blockElement, meanings, parent }: PageTable, block: number, header: number): boolean {
  for (let element = blockElement[block]!; element > header; element = parent[element]!) {
    if ((meanings[element]! & FOREIGN) !== 0) return true;
  }
  return false;
}
