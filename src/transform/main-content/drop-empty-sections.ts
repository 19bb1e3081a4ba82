/** Leaves out headings of which nothing else is kept: "Contact us", above a form; "Comments", above none. */
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isQuestion } from "./questions.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** In lists and on pages that advertise something, a heading may be a card, or all that is said in a place. */
const TEXTS: ReadonlySet<PageType> = new Set<PageType>(["article", "forum"]);
const RANKS = 6;

/**
 * Takes from `keep`, in place, the headings below the first rank whose sections, up to the next heading of their rank or
 * above, have texts of which none is kept, and no pictures.
 */
export function dropEmptySections(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  if (!TEXTS.has(pageType)) return;
  const { firstText, media, mediaText, statistics } = table;
  const blocks = keep.length;
  // For each rank: the nearest heading ahead of that rank or above.
  const ahead = new Int32Array(RANKS + 1).fill(blocks);
  let nextKept = blocks;
  let nextMedium = Number.POSITIVE_INFINITY;
  let medium = media.length - 1;
  for (let block = blocks - 1; block >= 0; block--) {
    const rank = table.headingRanks[block]!;
    if (rank > 0) {
      const end = ahead[rank]!;
      for (; medium >= 0 && mediaText[medium]! > firstText[block]!; medium--) nextMedium = mediaText[medium]!;
      const isEmpty = end > block + 1 && nextKept >= end && nextMedium > firstText[end]!;
      const isLinked = statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]! > 0;
      if (rank > 1 && isEmpty && !isLinked && !isQuestion(table, block)) keep[block] = 0;
      ahead.fill(block, rank);
    }
    if (keep[block] === 1) nextKept = block;
  }
}
