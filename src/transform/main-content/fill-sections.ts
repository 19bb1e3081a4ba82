/** Keeps short texts right below kept headings: a heading says nothing without what it is about. */

import { isBlockIn } from "./element-blocks.ts";
import { innermost } from "./innermost.ts";
import { linkShare } from "./link-share.ts";
import { IN_LINK, type PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const SECTION = tagId("section");
const BUTTON = tagId("button");
/** Most blocks below a heading, and most words in them. */
const MOST_BLOCKS = 4;
const MOST_WORDS = 40;
/** A text less likely than this belongs to nothing. */
const LEAST_CHANCE = 0.1;
/** A text with a larger share of links leads elsewhere. */
const MOST_LINKED = 0.5;
/** How far up from a heading the element that contains its section is searched for. */
const REACH = 2;
const LINK: ReadonlySet<number> = new Set([tagId("a")]);
const MOST_OF_NAME = 8;
/** How far up from a block the link around it is searched for. */
const REACH_OF_LINK = 8;

/**
 * Adds to `keep`, in place, what is between a kept heading and the next kept block of its section, or all of its
 * section. Manuals have signatures there; in an article, only a section that would be empty is filled, if the page marks
 * it as one. What other pages put there are mostly offers.
 *
 * @param sizes the blocks' sizes in words
 */
export function fillSections(
  table: PageTable,
  pageType: PageType,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  const isManual = pageType === "documentation";
  if (!isManual && pageType !== "article") return;
  const { blockElement, parent, tag } = table;
  for (let heading = 0; heading + 1 < keep.length; heading++) {
    if (isManual && keep[heading] === 0 && keep[heading + 1] === 1 && isNameInLink(table, heading)) keep[heading] = 1;
    if (keep[heading] === 0 || keep[heading + 1] === 1 || table.headingRanks[heading] === 0) continue;
    const around = parent[blockElement[heading]!]!;
    if (!isManual && (around < 0 || tag[around] !== SECTION)) continue;
    const end = endOfSection(table, heading);
    let block = heading + 1;
    let words = 0;
    while (block < end && keep[block] === 0 && isPart(table, block, chances)) words += sizes[block++]!;
    const isFilled = block === end || (isManual && keep[block] === 1);
    if (isFilled && block - heading - 1 <= MOST_BLOCKS && words <= MOST_WORDS) keep.fill(1, heading + 1, block);
  }
}

/** Whether a short block, and the block after it, are in one link: the name of a page above what is said of it. */
function isNameInLink(table: PageTable, block: number): boolean {
  const { blockElement, flags, statistics } = table;
  const element = blockElement[block]!;
  if ((flags[element]! & IN_LINK) === 0 || statistics[block * STATISTIC_COUNT + STATISTIC.words]! > MOST_OF_NAME)
    return false;
  const link = innermost(table, element, LINK, REACH_OF_LINK);
  return link >= 0 && isBlockIn(table, block + 1, link);
}

/** The first block outside the innermost element around a heading that contains more than the heading. */
function endOfSection({ blockElement, end, parent }: PageTable, heading: number): number {
  const most = Math.min(blockElement.length, heading + MOST_BLOCKS + 2);
  let around = blockElement[heading]!;
  let block = heading + 1;
  for (let step = 0; step < REACH && block === heading + 1; step++) {
    around = parent[around]!;
    if (around < 0) break;
    while (block < most && blockElement[block]! < end[around]!) block++;
  }
  return block;
}

function isPart(table: PageTable, block: number, chances: Float32Array): boolean {
  const { blockElement, headingRanks, tag } = table;
  const isLinked = linkShare(table, block) > MOST_LINKED;
  const isControl = tag[blockElement[block]!] === BUTTON;
  return chances[block]! >= LEAST_CHANCE && !isLinked && !isControl && headingRanks[block] === 0;
}
