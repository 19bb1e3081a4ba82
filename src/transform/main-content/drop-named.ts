/** Leaves out what its author has plainly named as something else than the content. */
import type { Element } from "domhandler";
import { headingRank } from "./element-totals.ts";
import { isSmallPage } from "./keep-small-page.ts";
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";

/** Classes and ids that mean nothing else wherever they stand; `header`, `top` or `menu` may be parts of a card. */
const NAMES = new Set(
  (
    "navbar sidebar ad ads advert popup modal breadcrumbs cookie social-media social-links lang-selector " +
    "language-selector"
  ).split(" "),
);
/** What those names say, but for the languages: on larger pages only elements that say so are looked at. */
const MEANT = ["navigation", "sidebar", "advert", "overlay", "breadcrumb", "consent", "share"]
  .map(meaningBit)
  .reduce((bits, bit) => bits | bit);
/** Not more than this share of what is kept of a larger page: its content may stand within such a name. */
const MOST_SHARE = 0.2;

/** Takes from `keep`, in place; never all of it, and no title. `sizes` are the blocks' sizes in words. */
export function dropNamed(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { elements, parent, blockElement, meanings, arrays } = table;
  const isSmall = isSmallPage(sizes);
  const named: number[] = [];
  for (let element = 0; element < elements.length; element++) {
    if ((isSmall || (meanings[element]! & MEANT) !== 0) && isNamed(elements[element]!)) named.push(element);
  }
  if (named.length === 0) return;

  const inside = arrays.doubles(elements.length);
  let total = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    total += sizes[block]!;
    inside[blockElement[block]!]! += headingRank(table, block) === 1 ? Number.POSITIVE_INFINITY : sizes[block]!;
  }
  for (let element = elements.length - 1; element > 0; element--) {
    if (parent[element]! >= 0) inside[parent[element]!]! += inside[element]!;
  }
  const most = isSmall ? Number.MAX_VALUE : MOST_SHARE * total;
  const dropped = arrays.bytes(elements.length);
  for (const element of named) if (inside[element]! <= most) dropped[element] = 1;
  for (let element = 0; element < elements.length; element++) {
    if (parent[element]! >= 0 && dropped[parent[element]!] === 1) dropped[element] = 1;
  }
  const isLeft = (_: number, block: number): boolean => keep[block] === 1 && dropped[blockElement[block]!] === 0;
  if (!keep.some(isLeft)) return;
  for (let block = 0; block < keep.length; block++) if (dropped[blockElement[block]!] === 1) keep[block] = 0;
}

function isNamed({ attribs }: Element): boolean {
  const { class: classes = "", id = "" } = attribs;
  return NAMES.has(id) || (classes !== "" && classes.split(/\s+/).some((name) => NAMES.has(name)));
}
