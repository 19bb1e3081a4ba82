/** Leaves out links to other pages that stand apart from the text: by themselves, short titles read like content. */
import { headingRank } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { isSimplePage } from "./simple-page.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Where this share of the text stands is its place; the parts of a simple page are told apart with less. */
const PLACE_SHARE = 0.9;
const PLACE_SHARE_OF_SIMPLE = 0.7;
/** From this share of linked words on, a block is nothing but links. */
const LINK_SHARE = 0.8;
/** Kept text of which less than this is unlinked is a list of links. */
const LEAST_TEXT = 0.5;
/** Not more than this share of what is kept is left out: so many links are what the page is for. */
const MOST_SHARE = 0.2;
const MOST_SHARE_OF_SIMPLE = 0.3;

/** Takes from `keep`, in place; with the links go their headings, but for titles. `sizes` are the blocks' in words. */
export function dropFarLinks(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { blockElement, end } = table;
  const isSimple = isSimplePage(table);
  const place = findPlace(table, keep, sizes, isSimple ? PLACE_SHARE_OF_SIMPLE : PLACE_SHARE);
  if (place === undefined) return;
  const far: number[] = [];
  let words = 0;
  let total = 0;
  // A heading goes with its links if they are all that follows it.
  let isNextFar = false;
  for (let block = keep.length - 1; block >= 0; block--) {
    const rank = headingRank(table, block);
    const isFollowed = isNextFar;
    isNextFar = false;
    if (keep[block] === 0) continue;
    total += sizes[block]!;
    const element = blockElement[block]!;
    if ((element >= place && element < end[place]!) || rank === 1) continue;
    if (linkShare(table, block) < LINK_SHARE && (rank === 0 || !isFollowed)) continue;
    far.push(block);
    words += sizes[block]!;
    isNextFar = true;
  }
  if (words > (isSimple ? MOST_SHARE_OF_SIMPLE : MOST_SHARE) * total) return;
  for (const block of far) keep[block] = 0;
}

/** The innermost element around so much of the kept text that is not linked; nothing where most of it is. */
function findPlace(table: PageTable, keep: Uint8Array, sizes: Float32Array, share: number): number | undefined {
  const { arrays, blockElement, elements, parent } = table;
  const text = arrays.doubles(elements.length);
  let unlinked = 0;
  let total = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    const own = sizes[block]! * (1 - linkShare(table, block));
    text[blockElement[block]!]! += own;
    unlinked += own;
    total += sizes[block]!;
  }
  if (unlinked < LEAST_TEXT * total) return undefined;
  for (let element = elements.length - 1; element > 0; element--) {
    if (parent[element]! >= 0) text[parent[element]!]! += text[element]!;
  }
  let place = 0;
  for (let element = 0; element < elements.length; element++) if (text[element]! >= share * unlinked) place = element;
  return place;
}

function linkShare({ statistics }: PageTable, block: number): number {
  const row = block * STATISTIC_COUNT;
  const words = statistics[row + STATISTIC.words]!;
  return words > 0 ? statistics[row + STATISTIC.linkWords]! / words : 0;
}
