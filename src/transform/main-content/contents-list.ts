/** Recognises lists that lead to the sections of their own page. */
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const ITEM = tagId("li");
const LINK = tagId("a");
/** Fewer links are hardly a table of contents. */
const LEAST_LINKS = 3;

/** True if each item of a list, and of the lists in it, contains one link to a place in the page. */
export function isContentsList({ elements, end, tag }: PageTable, list: number): boolean {
  let items = 0;
  let links = 0;
  for (let element = list + 1; element < end[list]!; element++) {
    if (tag[element] === ITEM) items++;
    if (tag[element] !== LINK) continue;
    const { href } = elements[element]!.attribs;
    if (href === undefined) continue;
    if (!href.startsWith("#")) return false;
    links++;
  }
  return links >= LEAST_LINKS && links === items;
}
