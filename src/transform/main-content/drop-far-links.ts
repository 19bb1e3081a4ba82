/**
 * Leaves out links to other pages, but not to files, that are apart from the text: in isolation, short titles read like
 * content.
 */
import { columnTable } from "../markdown/column-table.ts";
import { addUp } from "./add-up.ts";
import { classOf } from "./element-names.ts";
import { hrefAround, isContact, isFile } from "./link-around.ts";
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";
import { isSimplePage } from "./simple-page.ts";
import { tagId } from "./tags.ts";

/** The element with this share of the text is the text's place; on a simple page a smaller share is enough. */
const PLACE_SHARE = 0.9;
const PLACE_SHARE_OF_SIMPLE = 0.7;
/** From this share of linked words on, a block counts as links only. */
const LINK_SHARE = 0.8;
/** If less than this share of the kept text is unlinked, the page is a list of links. */
const LEAST_TEXT = 0.5;
/** Most of the kept text that is left out: a page with more such links exists for them. */
const MOST_SHARE = 0.2;
const MOST_SHARE_OF_SIMPLE = 0.3;
/** How far up from a block its table is searched for. */
const REACH_OF_TABLE = 5;
const TABLE = tagId("table");
const HEADER_CELL = tagId("th");

/**
 * Removes links and their headings, except titles, from `keep`, in place. `sizes` are the blocks' sizes in words.
 * @param facts 1 for each block of the tables and lists of terms of a manual
 */
export function dropFarLinks(table: PageTable, keep: Uint8Array, sizes: Float32Array, facts?: Uint8Array): void {
  const { blockElement, end } = table;
  const isSimple = isSimplePage(table);
  const found = findPlace(table, keep, sizes, isSimple ? PLACE_SHARE_OF_SIMPLE : PLACE_SHARE);
  if (found === undefined) return;
  const { place, text } = found;
  const isOfFacts = factsTest(table, text);
  const far: number[] = [];
  let words = 0;
  let total = 0;
  // A heading is left out too if only such links follow it, and stays, though it is a link, if a text does.
  let isNextFar = false;
  let isNextText = false;
  for (let block = keep.length - 1; block >= 0; block--) {
    const rank = table.headingRanks[block]!;
    const isFollowed = isNextFar;
    const isOfText = rank > 0 && isNextText;
    isNextFar = false;
    isNextText = false;
    if (keep[block] === 0) continue;
    isNextText = rank === 0 && linkShare(table, block) < LINK_SHARE;
    total += sizes[block]!;
    if (facts?.[block] === 1) continue;
    const element = blockElement[block]!;
    if ((element >= place && element < end[place]!) || rank === 1 || isOfText) continue;
    if (linkShare(table, block) < LINK_SHARE && (rank === 0 || !isFollowed)) continue;
    const href = hrefAround(table, table.blockLeaf[block]!) ?? "";
    if (isOfFacts(element) || isContact(href) || isFile(href)) continue;
    far.push(block);
    words += sizes[block]!;
    isNextFar = true;
  }
  if (words > (isSimple ? MOST_SHARE_OF_SIMPLE : MOST_SHARE) * total) return;
  for (const block of far) keep[block] = 0;
}

/**
 * True in a table that says something about its links: by names of its columns that are kept, or, where its rows are no
 * elements, in any cell.
 */
function factsTest({ elements, end, parent, tag }: PageTable, text: Float64Array): (element: number) => boolean {
  const known = new Map<number, boolean>();
  const isNamed = (around: number): boolean => {
    let cell = around + 1;
    while (cell < end[around]! && (tag[cell] !== HEADER_CELL || text[cell] === 0)) cell++;
    return cell < end[around]!;
  };
  return (element) => {
    let around = element;
    for (let step = 0; step < REACH_OF_TABLE && around >= 0; step++) {
      if (columnTable.test(classOf(elements[around]!))) return text[around]! > 0;
      if (tag[around] === TABLE) {
        if (!known.has(around)) known.set(around, isNamed(around));
        return known.get(around)!;
      }
      around = parent[around]!;
    }
    return false;
  };
}

interface Place {
  readonly place: number;
  /** By element: the kept, unlinked words in it. */
  readonly text: Float64Array;
}

/** The innermost element around this share of the kept, unlinked text; undefined if most of the text is linked. */
function findPlace(table: PageTable, keep: Uint8Array, sizes: Float32Array, share: number): Place | undefined {
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
  addUp(text, parent);
  let place = 0;
  for (let element = 0; element < elements.length; element++) if (text[element]! >= share * unlinked) place = element;
  return { place, text };
}
