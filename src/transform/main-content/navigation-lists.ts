/** Recognises lists of links among which the page itself is: the menu of a site, the contents of a whole manual. */
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { LISTS_AND_TERMS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

const LINK = tagId("a");
/** Fewer links may be about one thing. */
const LEAST_LINKS = 15;
/** The least share of linked words: a list of all else lays out a page. */
const LINK_SHARE = 0.8;
/** How far up from a link the largest list around it is searched for. */
const REACH = 30;
/** Links whose addresses are compared in full. */
const MOST_RESOLVED = 1000;
/** A sum that no block has otherwise. */
const LOWEST = -20;

/**
 * Lowers the sums of the blocks in such lists, in place, unless the page has nothing else. Links to places in a page do
 * not count: they lead around its text.
 *
 * @param url the page's address
 * @param isLow whether a block with this sum is certainly no content
 */
export function lowerNavigation(
  table: PageTable,
  totals: ElementTotals,
  sums: Float32Array,
  url: string,
  isLow: (sum: number) => boolean,
): void {
  const lists = findLists(table, totals, url);
  if (lists.length === 0) return;
  const { arrays, blockElement, end, parent } = table;
  const inside = arrays.bytes(parent.length);
  for (const list of lists) inside.fill(1, list, end[list]!);
  if (sums.every((sum, block) => isLow(sum) || inside[blockElement[block]!] === 1)) return;
  for (let block = 0; block < sums.length; block++) if (inside[blockElement[block]!] === 1) sums[block] = LOWEST;
}

function findLists(table: PageTable, totals: ElementTotals, url: string): readonly number[] {
  const { elements, tag, end } = table;
  const isHere = addressTest(url);
  const found: number[] = [];
  let searched = 0;
  for (let element = 0; element < tag.length; element++) {
    if (tag[element] !== LINK || element < searched) continue;
    const { href, "aria-current": current } = elements[element]!.attribs;
    if (href === undefined || (current !== "page" && !isHere(href))) continue;
    const list = largestList(table, totals, element);
    if (list < 0) continue;
    searched = end[list]!;
    if (countLinks(table, list) >= LEAST_LINKS) found.push(list);
  }
  return found;
}

/** Whether an address is that of the page. It is resolved only if it ends like it. */
function addressTest(url: string): (href: string) => boolean {
  const address = url.replace(/#.*$/s, "");
  const self = identityOf(address, url);
  if (self === undefined) return () => false;
  const lastPart = (form: string) => form.slice(form.lastIndexOf("/") + 1);
  const name = lastPart(self);
  const written = lastPart(address);
  let resolved = 0;
  return (href) => {
    const length = href.length - (href.endsWith("/") ? 1 : 0);
    const mayBe = href.endsWith(name, length) || href.endsWith(written, length);
    return mayBe && resolved++ < MOST_RESOLVED && identityOf(href, url) === self;
  };
}

/** What all forms of a page's address have in common; undefined for a place in a page, and for a site's first page. */
function identityOf(href: string, url: string): string | undefined {
  const address = href.includes("#") ? null : URL.parse(href, url);
  const path = address?.pathname.replace(/\/(?:index\.\w{1,5})?$/, "") ?? "";
  return address === null || path === "" ? undefined : address.host.replace(/^www\./, "") + path + address.search;
}

/** The largest list around a link that consists of links; -1 if there is none. */
function largestList({ parent, tag }: PageTable, { words, linkWords }: ElementTotals, link: number): number {
  let largest = -1;
  let element = parent[link]!;
  for (let step = 0; step < REACH && element >= 0; step++) {
    if (LISTS_AND_TERMS.has(tag[element]!) && linkWords[element]! >= LINK_SHARE * words[element]!) largest = element;
    element = parent[element]!;
  }
  return largest;
}

function countLinks({ elements, end, tag }: PageTable, list: number): number {
  let links = 0;
  for (let element = list + 1; element < end[list]! && links < LEAST_LINKS; element++) {
    if (tag[element] === LINK && elements[element]!.attribs["href"] !== undefined) links++;
  }
  return links;
}
