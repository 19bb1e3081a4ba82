/** Leaves out the headings of menus and of groups of fields of which nothing else is kept: "Filters", "Contents". */
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import { innermost } from "./innermost.ts";
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Fewer linked words may be the way from a card to its page. */
const LEAST_WORDS = 5;
/** From this share of linked words on, a block counts as a link. */
const LINK_SHARE = 0.8;
const LABEL: ReadonlySet<number> = new Set([tagId("label")]);
const SUMMARY = tagId("summary");
/** Unlinked words among the links of a menu, as a share of the linked ones: "Not logged in". */
const MOST_OTHERS = 0.15;
/** How far up from the name of a field its label is searched for. */
const REACH_OF_LABEL = 2;
/** How far up from a heading the rest of its part is searched for. */
const REACH = 4;

/** Threads have the order of their answers to choose from below a heading that counts them, shops the views of a price. */
const NONE: ReadonlySet<PageType> = new Set<PageType>(["forum", "product"]);

/** Changes `keep` in place. The parts of a page that begin with a heading are looked at from the inside out. */
export function dropMenuHeadings(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  if (NONE.has(pageType)) return;
  const { blockElement, headingRanks, statistics, tag } = table;
  let first: Int32Array | undefined;
  for (let block = keep.length - 2; block >= 0; block--) {
    if (keep[block] === 0 || keep[block + 1] === 1) continue;
    if (headingRanks[block]! < 2 && tag[blockElement[block]!] !== SUMMARY) continue;
    if (statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]! > 0) continue;
    first ??= firstBlocks(table);
    if (isOfMenu(table, block, keep, first, pageType === "documentation")) keep[block] = 0;
  }
}

/** Whether a heading begins a part in which all else is links and names of fields that are not kept. */
function isOfMenu(table: PageTable, heading: number, keep: Uint8Array, first: Int32Array, isManual: boolean): boolean {
  const { blockElement, parent, statistics } = table;
  let part = blockElement[heading]!;
  for (let step = 0; step < REACH && part > 0 && !isBlockIn(table, heading + 1, part); step++) part = parent[part]!;
  if (part <= 0 || first[part] !== heading || !isBlockIn(table, heading + 1, part)) return false;
  let linked = 0;
  let labels = 0;
  let others = 0;
  for (let block = heading + 1; isBlockIn(table, block, part); block++) {
    if (keep[block] === 1) return false;
    if (isLabel(table, block)) labels++;
    else if (linkShare(table, block) >= LINK_SHARE)
      linked += statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]!;
    else if (table.headingRanks[block] === 0) others += statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
  }
  if (others > MOST_OTHERS * linked) return false;
  return labels > 0 || (isManual && linked >= LEAST_WORDS);
}

function isLabel(table: PageTable, block: number): boolean {
  return innermost(table, table.blockElement[block]!, LABEL, REACH_OF_LABEL) >= 0;
}
