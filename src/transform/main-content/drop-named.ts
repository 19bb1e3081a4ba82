/** Leaves out parts that HTML or the page's author plainly names as something other than content. */

import { addUp } from "./add-up.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { findPagers } from "./pagers.ts";
import { hasSideName, namedOnce } from "./side-parts.ts";
import { findSignUpBoxes } from "./sign-up-boxes.ts";
import { isSimplePage } from "./simple-page.ts";
import type { SmallPage } from "./small-page.ts";
import { findTextBoxes } from "./text-boxes.ts";
import { findUnseen } from "./unseen-parts.ts";

/**
 * Largest such part, as a share of what is kept of a larger page: an element with such a name may contain the content.
 */
const MOST_SHARE = 0.2;
/** The same for all such parts together: small ads are named so one by one. */
const MOST_OF_ALL = 0.5;
/** The same for ambiguous names, on a small page. */
const MOST_SHARE_OF_ONE = 0.5;

/**
 * Removes blocks from `keep`, in place; never all of them, and no title. A name is weaker evidence than a tag: if names
 * would leave nothing but a title, they do not count. `sizes` are the blocks' sizes in words.
 */
export function dropNamed(
  table: PageTable,
  pageType: PageType,
  small: SmallPage | undefined,
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  const { elements, parent, blockElement, arrays } = table;
  const isSmall = small !== undefined;
  // By element, the largest share of what is kept that may be dropped with it.
  const shares = arrays.floats(elements.length);
  const named: number[] = [];
  for (let element = 0; element < elements.length; element++) {
    if (small?.side[element] === 1) shares[element] = 1;
    else if (hasSideName(table, element, isSmall)) named.push(element);
  }
  const boxes = findTextBoxes(table, named, keep);
  for (const element of named) {
    if (!boxes.has(element)) shares[element] = isSmall ? 1 : MOST_SHARE;
  }
  for (const element of findSignUpBoxes(table)) shares[element] = Math.max(shares[element]!, MOST_SHARE);
  for (const element of findPagers(table)) shares[element] = MOST_SHARE_OF_ONE;
  if (isSmall) {
    const isOutside = (element: number): boolean => small.namesMain && small.inMain[element] === 0;
    for (const element of namedOnce(table, pageType)) {
      shares[element] = Math.max(shares[element]!, isOutside(element) ? 1 : MOST_SHARE_OF_ONE);
    }
  }
  if (isSmall || isSimplePage(table)) {
    for (const element of findUnseen(table, keep)) shares[element] = MOST_SHARE_OF_ONE;
  }
  if (!shares.some(Boolean)) return;

  const isTitle = titleTest(table, small);
  const inside = arrays.doubles(elements.length);
  let total = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    total += sizes[block]!;
    inside[blockElement[block]!]! += isTitle(block) ? Number.POSITIVE_INFINITY : sizes[block]!;
  }
  addUp(inside, parent);
  const showsMedia = isSmall && table.media.some((element) => small.plain[element] === 1);
  const weigh = (dropped: Uint8Array): number => {
    let words = 0;
    for (let block = 0; block < keep.length; block++)
      if (keep[block] === 1 && dropped[blockElement[block]!] === 1) words += sizes[block]!;
    return words;
  };
  /** Drops the elements that have a share and may go; false if too little would be left. */
  const drop = (mayGo: (element: number) => boolean, mayLeave: (block: number) => boolean): boolean => {
    const dropped = arrays.bytes(elements.length);
    for (let element = 0; element < elements.length; element++) {
      const goes = shares[element]! > 0 && inside[element]! <= shares[element]! * total && mayGo(element);
      dropped[element] = goes || dropped[parent[element]!] === 1 ? 1 : 0;
    }
    if (!isSmall && weigh(dropped) > MOST_OF_ALL * total) return false;
    const isLeft = (_: number, block: number): boolean =>
      keep[block] === 1 && dropped[blockElement[block]!] === 0 && mayLeave(block);
    if (!showsMedia && !keep.some(isLeft)) return false;
    for (let block = 0; block < keep.length; block++) if (dropped[blockElement[block]!] === 1) keep[block] = 0;
    return true;
  };
  const isSide = (element: number): boolean => small?.side[element] === 1;
  const isText = (block: number): boolean => !isTitle(block);
  if (!drop(() => true, isText)) drop(isSide, () => true);
}

/** If a page has a title in its main part, a title elsewhere is the site's. */
function titleTest(table: PageTable, small: SmallPage | undefined): (block: number) => boolean {
  const isFirst = (block: number): boolean => table.headingRanks[block] === 1;
  if (small === undefined) return isFirst;
  const { plain, namesMain } = small;
  const isPlain = (element: number): boolean => plain[element] === 1;
  const hasTitle = namesMain || table.blockElement.some((element, block) => isPlain(element) && isFirst(block));
  return hasTitle ? (block) => isFirst(block) && isPlain(table.blockElement[block]!) : isFirst;
}
