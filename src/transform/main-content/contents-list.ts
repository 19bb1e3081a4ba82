/** Recognises lists that lead to the sections of their own page. */
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const ITEM = tagId("li");
const LINK = tagId("a");
/** Fewer links are hardly a table of contents. */
const LEAST_LINKS = 3;

/** True if each item of a list, and of the lists in it, contains one link to a place in the page. */
export function isContentsList(table: PageTable, list: number): boolean {
  const links = linksHere(table, list, table.end[list]!);
  if (links < LEAST_LINKS) return false;
  let items = 0;
  for (let element = list + 1; element < table.end[list]!; element++) if (table.tag[element] === ITEM) items++;
  return links === items;
}

/** How many links from one element to another lead to places in the page; 0 if any leads elsewhere. */
export function linksHere({ elements, tag }: PageTable, from: number, until: number): number {
  let links = 0;
  for (let element = from; element < until; element++) {
    const href = tag[element] === LINK ? elements[element]!.attribs["href"] : undefined;
    if (href === undefined) continue;
    if (!href.startsWith("#")) return 0;
    links++;
  }
  return links;
}
