/** Leaves out what a page says a second time: for small screens, behind a tab, on a slide. */
import { blockLine } from "./block-text.ts";
import type { ElementTotals } from "./element-totals.ts";
import { innermost } from "./innermost.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";
import { HASHED_WORDS, mixHash, STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Shorter texts may be about different things even if they are equal. */
const LEAST_WORDS = 12;
/** Cells, code and headings are needed where they are, whatever they say; a quotation is what somebody answers to. */
const PARTS = new Set("pre td th h1 h2 h3 h4 h5 h6 blockquote noscript".split(" ").map(tagId));
const ITEM = tagId("li");
/** How far up one of these is searched for. */
const REACH = 5;

/** The first block with some words, the last one that says the same, and their text once that has been needed. */
class Said {
  readonly block: number;
  last: number;
  text: string | undefined;
  constructor(block: number) {
    this.block = block;
    this.last = block;
  }
}

/**
 * Changes `keep` in place. Equal texts at the same place in repeated elements are about each of them, and stay, unless
 * they are all that is in these.
 */
export function dropCopies(table: PageTable, { path }: ElementTotals, keep: Uint8Array): void {
  const { blockElement, hashCount, statistics, wordHashes } = table;
  const seen = new Map<number, Said>();
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    const words = statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
    if (words < LEAST_WORDS) continue;
    // A few of its words distinguish a text from nearly all others.
    const from = block * HASHED_WORDS;
    const last = from + hashCount[block]! - 1;
    const key = mixHash(mixHash(mixHash(words, wordHashes[from]!), wordHashes[(from + last) >> 1]!), wordHashes[last]!);
    const said = seen.get(key);
    if (said === undefined) {
      seen.set(key, new Said(block));
      continue;
    }
    const first = said.block;
    const isOfEach =
      path[blockElement[first]!] === path[blockElement[block]!] && !(said.last === block - 1 && isAlone(table, block));
    if (isOfEach || isPart(table, block) || isPart(table, first)) continue;
    said.text ??= blockLine(table, first);
    if (said.text !== blockLine(table, block)) continue;
    keep[block] = 0;
    said.last = block;
  }
}

/** Whether a block and the one before it are in elements of their own, without being two items of a list. */
function isAlone({ blockElement, parent, tag }: PageTable, block: number): boolean {
  const element = blockElement[block]!;
  const around = parent[element]!;
  return tag[element] !== ITEM && tag[around] !== ITEM && around !== parent[blockElement[block - 1]!];
}

function isPart(table: PageTable, block: number): boolean {
  return innermost(table, table.blockElement[block]!, PARTS, REACH) >= 0;
}
