/**
 * Keeps what stands between kept texts of a manual: labels of notes ("Changed in 3.1:"), defaults, tables of members.
 * By themselves they read like what surrounds a text, and a manual that leaves out one of them says something else.
 */
import { classNamed } from "../html/class-names.ts";
import { classOf } from "./element-names.ts";
import { linkShare } from "./link-share.ts";
import { bitsOfMeanings, meaningBit } from "./name-words.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import { AROUND_TEXT, isSideElement } from "./side-parts.ts";
import { tagId } from "./tags.ts";

const TABLE = tagId("table");
const FACTS = new Set([TABLE, tagId("dl")]);
const CONTROLS = new Set(["form", "button", "label", "summary"].map(tagId));
/** Meanings of names of parts that may stand among the text but do not belong to it. */
const NO_TEXT = AROUND_TEXT | bitsOfMeanings("toc", "form");
const NAVIGATION = meaningBit("navigation");
const CONTENTS = meaningBit("toc");
/** The whole text may be in a part that is named "contents". */
const contentsName = classNamed("toc");
/** A text less likely than this is left out for a reason. */
const LEAST_CHANCE = 0.05;
/** On average, for all cells of a table. */
const LEAST_CHANCE_OF_FACTS = 0.1;
/** Most blocks between two kept ones, if only one of these is beside them, and if both are. */
const MOST_BLOCKS = 4;
const MOST_BETWEEN = 20;
/** The largest share of linked words in a text; a table may lead to all that it lists. */
const MOST_LINKED = 0.6;

/** How far up from a block the parts that it is in are searched for; what lies deeper stays as it is. */
const REACH = 50;
const NONE = -1;
const APART = -2;

/** Adds to `keep`, in place. Returns 1 for each block of a table or list of terms that it has added. */
export function fillManual(table: PageTable, keep: Uint8Array, chances: Float32Array): Uint8Array {
  const added = table.arrays.bytes(keep.length);
  const headings = countHeadings(table);
  for (let last = keep.indexOf(1); last >= 0; ) {
    const next = keep.indexOf(1, last + 1);
    if (next > last + 1) {
      const around = elementAround(table, last, next);
      if (!isInMenu(table, around, headings)) fillBetween(table, keep, chances, around, last, next, added);
    }
    last = next;
  }
  return added;
}

/** Adds what is between two kept blocks in `around`, of which `next` is the next one after `last`. */
function fillBetween(
  table: PageTable,
  keep: Uint8Array,
  chances: Float32Array,
  around: number,
  last: number,
  next: number,
  added: Uint8Array,
): void {
  const { blockElement, end, headingRanks, tag } = table;
  let after = last + 1;
  for (let block = last + 1; block < next; block = after) {
    after = block + 1;
    const facts = factsAround(table, block, around);
    if (facts >= 0) {
      let sum = chances[block]!;
      while (after < next && blockElement[after]! < end[facts]!) sum += chances[after++]!;
      // A table may arrange the page, and a single text in it may be a menu.
      if (after === block + 1 && tag[facts] === TABLE && !isLikely(table, chances, block)) continue;
      if (sum < LEAST_CHANCE_OF_FACTS * (after - block)) continue;
      let first = block;
      while (first - 1 > last && headingRanks[first - 1]! > 0) first--;
      keep.fill(1, first, after);
      added.fill(1, block, after);
    } else if (facts === NONE && isLikely(table, chances, block) && isBeside(table, block, last, next)) keep[block] = 1;
  }
}

/** The innermost element around two blocks. */
function elementAround({ blockElement, end, parent }: PageTable, first: number, second: number): number {
  let around = blockElement[first]!;
  while (around >= 0 && end[around]! <= blockElement[second]!) around = parent[around]!;
  return around;
}

/** By element: how many headings begin before it. */
function countHeadings({ arrays, blockElement, headingRanks, tag }: PageTable): Int32Array {
  const counts = arrays.integers(tag.length + 1);
  for (let block = 0; block < blockElement.length; block++) {
    if (headingRanks[block]! > 0) counts[blockElement[block]! + 1]! += 1;
  }
  for (let element = 1; element < counts.length; element++) counts[element]! += counts[element - 1]!;
  return counts;
}

/** Whether an element is, or is in, a menu or a table of contents of which some texts were kept. */
function isInMenu(table: PageTable, inside: number, headings: Int32Array): boolean {
  const { elements, end, meanings, parent } = table;
  let element = inside;
  for (let step = 0; step < REACH && element >= 0; step++) {
    const meaning = meanings[element]!;
    // Some themes name what is beside their menu after it, too.
    if ((meaning & NAVIGATION) !== 0 && headings[element] === headings[end[element]!]) return true;
    if ((meaning & CONTENTS) !== 0 && contentsName.test(classOf(elements[element]!))) return true;
    if (isSideElement(table, element)) return true;
    element = parent[element]!;
  }
  return false;
}

/** The outermost table or list of terms around a block in `around`, or that it is in something other than text. */
function factsAround(table: PageTable, block: number, around: number): number {
  const { blockElement, flags, meanings, parent, tag } = table;
  let facts = NONE;
  let steps = 0;
  for (let element = blockElement[block]!; element > around; element = parent[element]!) {
    if (++steps > REACH) return APART;
    if ((meanings[element]! & NO_TEXT) !== 0 || (flags[element]! & IN_HIDDEN) !== 0) return APART;
    if (CONTROLS.has(tag[element]!) || isSideElement(table, element)) return APART;
    if (FACTS.has(tag[element]!)) facts = element;
  }
  return facts;
}

function isLikely(table: PageTable, chances: Float32Array, block: number): boolean {
  if (table.headingRanks[block]! > 0 || chances[block]! < LEAST_CHANCE) return false;
  return linkShare(table, block) <= MOST_LINKED;
}

/** Whether one of the kept texts before and after a block is in the element that the block is in. */
function isBeside({ blockElement, end, parent }: PageTable, block: number, last: number, next: number): boolean {
  const around = parent[blockElement[block]!]!;
  const isAfterText = blockElement[last]! >= around;
  const isBeforeText = around >= 0 && blockElement[next]! < end[around]!;
  const blocks = next - last - 1;
  return isAfterText && isBeforeText ? blocks <= MOST_BETWEEN : (isAfterText || isBeforeText) && blocks <= MOST_BLOCKS;
}
