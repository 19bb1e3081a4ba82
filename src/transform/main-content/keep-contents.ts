/** Keeps the contents of a manual's chapter, which read like a menu: a page of its own may be little else. */
import { classNamed } from "../html/class-names.ts";
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const LINK = tagId("a");
/** What converters of manuals call them. */
const className = classNamed("toc|toctree-wrapper");
const CONTENTS = meaningBit("toc");

/** Adds to `keep`, in place, what lies between two kept texts and is the contents of a chapter. */
export function keepContents(table: PageTable, keep: Uint8Array): void {
  const { blockElement, elements, end, meanings, tag } = table;
  let block = 0;
  for (let element = 0; element < tag.length; element++) {
    if ((meanings[element]! & CONTENTS) === 0 || !className.test(elements[element]!.attribs["class"] ?? "")) continue;
    while (block < keep.length && blockElement[block]! < element) block++;
    const first = block;
    // Text after it may belong to an element around it, which has a lower index.
    while (block < keep.length && blockElement[block]! >= element && blockElement[block]! < end[element]!) block++;
    if (first > 0 && first < block && keep[first - 1] === 1 && keep[block] === 1 && leadsOn(table, element)) {
      keep.fill(1, first, block);
    }
    // Those in it are parts of it.
    element = end[element]! - 1;
  }
}

/** Whether all links in an element lead to other pages. */
function leadsOn({ elements, end, tag }: PageTable, around: number): boolean {
  for (let element = around + 1; element < end[around]!; element++) {
    if (tag[element] === LINK && elements[element]!.attribs["href"]?.startsWith("#")) return false;
  }
  return true;
}
