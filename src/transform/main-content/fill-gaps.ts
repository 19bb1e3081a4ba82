/**
 * Keeps a doubtful text between kept ones if it is one of several alike (the second of three names, a short item), or if
 * those around it are certain.
 */
import type { ElementTotals } from "./element-totals.ts";
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const ITEM = tagId("li");
const PARAGRAPH = tagId("p");

/** A text less likely than this is left out for a reason. */
const LEAST_CHANCE = 0.35;
/** For a text between two that are certain. */
const LEAST_BETWEEN = 0.4;
const CERTAIN = 0.85;
const MOST_BETWEEN = 2;
/** A text with a larger share of links leads elsewhere. */
const MOST_LINKED = 0.5;
const CONTROLS = new Set(["button", "label", "legend", "summary"].map(tagId));
/** Between the parts of these there are offers, labels of groups and names of writers. */
const INTERRUPTED: ReadonlySet<PageType> = new Set<PageType>(["documentation", "forum", "listing"]);

/**
 * Adds to `keep`, in place, single blocks that have a sibling like them and come before a sibling. Items are alike,
 * whatever their classes.
 */
export function fillGaps(
  table: PageTable,
  pageType: PageType,
  { alike }: ElementTotals,
  keep: Uint8Array,
  chances: Float32Array,
): void {
  if (INTERRUPTED.has(pageType)) return;
  const { blockElement, parent, tag } = table;
  for (let block = 1; block + 1 < keep.length; block++) {
    if (keep[block] === 1 || keep[block - 1] === 0 || keep[block + 1] === 0) continue;
    const element = blockElement[block]!;
    if (chances[block]! < LEAST_CHANCE || (alike[element]! < 2 && tag[element] !== ITEM)) continue;
    if (parent[element] === parent[blockElement[block + 1]!] && !isLink(table, block)) keep[block] = 1;
  }
}

/**
 * Adds to `keep`, in place, what is hardly doubtful between texts that are not doubtful at all: a salary in a job's
 * description, a line of a letter.
 */
export function fillCertainGaps(table: PageTable, keep: Uint8Array, chances: Float32Array): void {
  for (let block = 1; block + 1 < keep.length; block++) {
    if (keep[block] === 1 || !isCertain(keep, chances, block - 1)) continue;
    let end = block;
    while (end < keep.length && end - block < MOST_BETWEEN && isHardlyDoubtful(table, chances, end)) end++;
    if (end > block && isCertain(keep, chances, end)) keep.fill(1, block, end);
  }
}

function isCertain(keep: Uint8Array, chances: Float32Array, block: number): boolean {
  return keep[block] === 1 && chances[block]! >= CERTAIN;
}

function isHardlyDoubtful(table: PageTable, chances: Float32Array, block: number): boolean {
  const { blockElement, headingRanks, tag } = table;
  return (
    chances[block]! >= LEAST_BETWEEN &&
    headingRanks[block] === 0 &&
    !CONTROLS.has(tag[blockElement[block]!]!) &&
    linkShare(table, block) <= MOST_LINKED
  );
}

/** A paragraph that is nothing but a link leads to another article. */
function isLink({ blockElement, statistics, tag }: PageTable, block: number): boolean {
  const row = block * STATISTIC_COUNT;
  const unlinked = statistics[row + STATISTIC.words]! - statistics[row + STATISTIC.linkWords]!;
  return tag[blockElement[block]!] === PARAGRAPH && unlinked <= 1;
}
