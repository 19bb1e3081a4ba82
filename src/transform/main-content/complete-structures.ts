/**
 * Makes the choice of blocks favour structures, and completes them: headings of kept sections, rows of kept tables,
 * items of kept lists.
 */
import { columnTable } from "../markdown/column-table.ts";
import { isContentsList } from "./contents-list.ts";
import { linkShare } from "./link-share.ts";
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { isQuestion, isSummary, opensPanel } from "./questions.ts";
import { LISTS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

/** A heading is kept if it has at least this chance, and at least this share of its section is kept. */
const HEADING_CHANCE = 0.08;
const SECTION_SHARE = 0.5;
/** Words of a section that are examined. */
const SECTION_REACH = 150;
/** How far up from a heading the element that contains its section is searched for. */
const WRAPPERS = 3;

interface WholeRule {
  /** The share of its words that must be kept for the whole element to be kept. */
  readonly from: number;
  /** Most words in the element: larger ones lay out a page. */
  readonly most?: number;
  /** Most words per block, on average. */
  readonly mean?: number;
  /** Most blocks in the element: an item with more of them is a post or a card. */
  readonly blocks?: number;
}
const TABLE = tagId("table");
/** Its rows are no elements, so a cell that is missing would move those behind it. */
const COLUMN_TABLE: WholeRule = { from: 0.5 };
const CARD = meaningBit("card");
/** A table of contents is dropped if less than this is kept, else kept whole: a part of it would mislead. */
const CONTENTS_SHARE = 0.5;
/** For elements kept whole if any word is: a row with emptied cells says something else than it did. */
const ANYTHING = 1e-6;
const ROW = tagId("tr");
const ITEM = tagId("li");
const ROW_RULE: WholeRule = { from: ANYTHING, most: 30 };
const WHOLE: ReadonlyMap<number, WholeRule> = new Map([
  [ROW, ROW_RULE],
  [TABLE, { from: 0.5, mean: 15 }],
  [tagId("dl"), { from: 0.3 }],
  [tagId("ul"), { from: 0.8 }],
  [tagId("ol"), { from: 0.8 }],
  [ITEM, { from: 0.6, blocks: 4 }],
]);

const NUMBERED = tagId("ol");
const TERMS = tagId("dl");
/** A list of terms without any link leads nowhere. */
const PLAIN_TERMS: WholeRule = { from: 0.1 };
/** A numbered list of single texts, as the steps of a recipe: with some left out, the others would be counted anew. */
const STEPS: WholeRule = { from: ANYTHING };
/** A long list with this share of all words is what the page is about: the contents of a manual. Gaps would mislead. */
const SHARE_OF_PAGE = 0.5;
const LEAST_OF_PAGE_LIST = 10;
const PAGE_LIST: WholeRule = { from: 0.4 };
/** A list with more than this share of its words in links leads elsewhere. */
const MOST_LINKED = 0.5;

/** Blocks in these come in groups that a reader wants whole or not at all, so they are kept in case of doubt. */
const LEANING_TAGS = new Set(["li", "td", "th", "pre", "dt", "dd"].map(tagId));
const LEANING = 1;
const LEANING_REACH = 3;
/** In threads these describe who wrote a post. */
const TERM_TAGS = new Set(["dt", "dd"].map(tagId));
/** What pages of a type repeat is seldom in tables, which contain facts. */
const FACT_TAGS = new Set(["td", "th", "dt", "dd"].map(tagId));

/** The rank of a question, and of a control that opens an answer: below that of all headings. */
const QUESTION = 7;
/** If a page has fewer such controls, they open menus and forms. */
const LEAST_OPENERS = 2;

/**
 * Raises the sums of blocks in lists, tables and code, in place, before the choice.
 *
 * @param typeLeaning what the page's type adds to the sums of all but headings and facts
 * @param isThread whether the page is a thread of posts
 */
export function lean(table: PageTable, sums: Float32Array, typeLeaning: number, isThread: boolean): void {
  for (let block = 0; block < sums.length; block++) {
    const tag = structureAround(table, block);
    if (tag !== undefined && !(isThread && TERM_TAGS.has(tag))) sums[block]! += LEANING;
    if (table.headingRanks[block] === 0 && (tag === undefined || !FACT_TAGS.has(tag))) sums[block]! += typeLeaning;
  }
}

function structureAround({ tag, parent, blockElement }: PageTable, block: number): number | undefined {
  let element = blockElement[block]!;
  for (let step = 0; step < LEANING_REACH && element >= 0; step++) {
    if (LEANING_TAGS.has(tag[element]!)) return tag[element];
    element = parent[element]!;
  }
  return undefined;
}

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function completeStructures(
  table: PageTable,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  completeContainers(table, keep, sizes);
  completeHeadings(table, keep, chances, sizes);
}

const isPart = (kept: number, all: number): boolean => kept > 0 && kept < all;

function completeContainers(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { parent, tag, blockElement } = table;
  const totals = addUpContainers(table, keep, sizes);
  const whole = table.arrays.bytes(tag.length);
  const dropped = table.arrays.bytes(tag.length);
  let listsEnd = 0;
  for (let element = 0; element < tag.length; element++) {
    const around = parent[element]!;
    if (around >= 0 && whole[around] === 1) whole[element] = 1;
    else if (around >= 0 && dropped[around] === 1) dropped[element] = 1;
    else if (element >= listsEnd && LISTS.has(tag[element]!) && isPart(totals.kept[element]!, totals.all[element]!)) {
      // The lists in it are not examined again, so each element is examined once.
      listsEnd = table.end[element]!;
      const decision = totals.kept[element]! < CONTENTS_SHARE * totals.all[element]! ? dropped : whole;
      if (isContentsList(table, element)) decision[element] = 1;
    }
    const rule = ruleFor(table, element, totals);
    if (rule !== undefined && isWhole(rule, element, totals)) whole[element] = 1;
  }
  for (let block = 0; block < keep.length; block++) {
    if (dropped[blockElement[block]!] === 1) keep[block] = 0;
    else if (whole[blockElement[block]!] === 1) keep[block] = 1;
  }
}

/** By element, with all that is in it. */
interface Totals {
  /** Words, those of them that are kept, and those in links. */
  readonly all: Float64Array;
  readonly kept: Float64Array;
  readonly linked: Float64Array;
  readonly blocks: Int32Array;
  readonly items: Int32Array;
  readonly tables: Int32Array;
  /** The words of the page. */
  readonly page: number;
}

function addUpContainers(table: PageTable, keep: Uint8Array, sizes: Float32Array): Totals {
  const { arrays, blockElement, parent, tag } = table;
  const [all, kept, linked] = [arrays.doubles(tag.length), arrays.doubles(tag.length), arrays.doubles(tag.length)];
  const [blocks, items, tables] = [
    arrays.integers(tag.length),
    arrays.integers(tag.length),
    arrays.integers(tag.length),
  ];
  const page = sizes.reduce((sum, size) => sum + size, 0);
  const totals = { all, kept, linked, blocks, items, tables, page };
  for (let block = 0; block < keep.length; block++) {
    const element = blockElement[block]!;
    all[element]! += sizes[block]!;
    linked[element]! += sizes[block]! * linkShare(table, block);
    blocks[element]!++;
    if (keep[block] === 1) kept[element]! += sizes[block]!;
  }
  for (let element = tag.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around < 0) continue;
    // A table of facts is judged by what its rows will be; rows of links may be a menu.
    if (tag[element] === ROW && linked[element] === 0 && isWhole(ROW_RULE, element, totals))
      kept[element] = all[element]!;
    all[around]! += all[element]!;
    kept[around]! += kept[element]!;
    linked[around]! += linked[element]!;
    blocks[around]! += blocks[element]!;
    items[around]! += items[element]! + (tag[element] === ITEM ? 1 : 0);
    tables[around]! += tables[element]! + (tag[element] === TABLE ? 1 : 0);
  }
  return totals;
}

function isWhole(rule: WholeRule, element: number, { all, blocks, kept, tables }: Totals): boolean {
  if (blocks[element] === 0 || kept[element]! < rule.from * all[element]!) return false;
  if (rule.most !== undefined && (all[element]! > rule.most || tables[element]! > 0)) return false;
  if (rule.mean !== undefined && (all[element]! > rule.mean * blocks[element]! || tables[element]! > 0)) return false;
  return rule.blocks === undefined || blocks[element]! <= rule.blocks;
}

function ruleFor(
  table: PageTable,
  element: number,
  { all, blocks, items, linked, page }: Totals,
): WholeRule | undefined {
  const tag = table.tag[element]!;
  const isOfSteps =
    tag === NUMBERED && blocks[element]! <= items[element]! && linked[element]! <= MOST_LINKED * all[element]!;
  if (isOfSteps) return STEPS;
  const isOfLinks =
    LISTS.has(tag) && blocks[element]! >= LEAST_OF_PAGE_LIST && linked[element]! > MOST_LINKED * all[element]!;
  if (isOfLinks && all[element]! >= SHARE_OF_PAGE * page) return PAGE_LIST;
  if (tag === TERMS && linked[element] === 0) return PLAIN_TERMS;
  return WHOLE.get(tag) ?? (isColumnTable(table, element) ? COLUMN_TABLE : undefined);
}

function isColumnTable({ elements, meanings }: PageTable, element: number): boolean {
  return (meanings[element]! & CARD) !== 0 && columnTable.test(elements[element]!.attribs["class"] ?? "");
}

/** Keeps headings and questions by what follows them, up to the next one of their rank or for some words. */
function completeHeadings(table: PageTable, keep: Uint8Array, chances: Float32Array, sizes: Float32Array): void {
  const blocks = keep.length;
  const all = table.arrays.doubles(blocks + 1);
  const kept = table.arrays.doubles(blocks + 1);
  for (let block = 0; block < blocks; block++) {
    all[block + 1] = all[block]! + sizes[block]!;
    kept[block + 1] = kept[block]! + (keep[block] === 1 ? sizes[block]! : 0);
  }
  const openers: number[] = [];
  // For each rank: the nearest heading ahead of that rank or above.
  const ahead = table.arrays.integers(QUESTION + 1).fill(blocks);
  let reach = blocks;
  for (let block = blocks - 1; block >= 0; block--) {
    while (all[reach]! - all[block + 1]! > SECTION_REACH && reach > block + 2) reach--;
    const rank = table.headingRanks[block]! || (isQuestion(table, block) || opensPanel(table, block) ? QUESTION : 0);
    if (rank === 0) continue;
    const likely = rank === QUESTION ? keep[block + 1] === 1 : chances[block]! >= HEADING_CHANCE;
    const end = Math.min(ahead[rank]!, reach);
    const isKept =
      likely &&
      (isSectionKept(all, kept, block, end) ||
        (rank < QUESTION && isSectionKept(all, kept, block, endOfSurroundings(table, block, end))));
    if (isKept) {
      if (rank < QUESTION || isQuestion(table, block) || isSummary(table, block)) keep[block] = 1;
      else openers.push(block);
    }
    ahead.fill(block, rank);
  }
  if (openers.length >= LEAST_OPENERS) for (const block of openers) keep[block] = 1;
}

/** Whether enough is kept of what comes after a block and before `until`; `all` and `kept` are running totals. */
function isSectionKept(all: Float64Array, kept: Float64Array, block: number, until: number): boolean {
  const words = all[until]! - all[block + 1]!;
  return words > 0 && kept[until]! - kept[block + 1]! >= SECTION_SHARE * words;
}

/**
 * The first block outside the innermost element that contains a heading and something after it, or `end` if that comes
 * earlier: the last section of an article, or the last card, is followed by the site's footer. A heading may be wrapped
 * in a link or a box of its own.
 */
function endOfSurroundings({ parent, end: ends, blockElement }: PageTable, block: number, end: number): number {
  let around = blockElement[block]!;
  let next = block + 1;
  for (let step = 0; step < WRAPPERS && next === block + 1; step++) {
    around = parent[around]!;
    if (around < 0) return end;
    while (next < end && blockElement[next]! >= around && blockElement[next]! < ends[around]!) next++;
  }
  return next;
}
