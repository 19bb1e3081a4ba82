/** Keeps what document generators put around a title: names and dates, an abstract, the summary of a command. */
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import { meaningBit } from "./name-words.ts";
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
const LINK = tagId("a");
const CONTENTS = meaningBit("toc");
const NAVIGATION = meaningBit("navigation");

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
  const foreign = foreignParts(table, header);
  const found: number[] = [];
  let words = 0;
  for (let block = first; isBlockIn(table, block, header); block++) {
    if (foreign[table.blockElement[block]!] === 1) continue;
    words += sizes[block]!;
    found.push(block);
  }
  if (words <= LONGEST) for (const block of found) keep[block] = 1;
}

/** By element: 1 in a table of contents or a menu within the header. Values may be named "contents", too. */
function foreignParts({ arrays, elements, end, meanings, parent, tag }: PageTable, header: number): Uint8Array {
  const foreign = arrays.bytes(elements.length);
  const linksHere = arrays.integers(elements.length);
  for (let element = end[header]! - 1; element > header; element--) {
    if (tag[element] === LINK && elements[element]!.attribs["href"]?.startsWith("#")) linksHere[element]!++;
    linksHere[parent[element]!]! += linksHere[element]!;
  }
  for (let element = header + 1; element < end[header]!; element++) {
    const isContents = (meanings[element]! & CONTENTS) !== 0 && linksHere[element]! > 0;
    const isMenu = (meanings[element]! & NAVIGATION) !== 0;
    foreign[element] = isContents || isMenu || foreign[parent[element]!] === 1 ? 1 : 0;
  }
  return foreign;
}
