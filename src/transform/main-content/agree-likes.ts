/** Treats the same parts of repeated elements alike: if nearly all cards of a page keep their label, all of them do. */
import type { ElementTotals } from "./element-totals.ts";
import { groupLikes } from "./likes.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_THINGS = 4;
/** If at least the first share of a part's likes is kept, all are; if at most the second, none. */
const MOST = 0.8;
const LEAST = 0.1;
/** From this share on, the headings of all posts are kept: who wrote one of them says little, who wrote each says much. */
const LEAST_OF_POSTS = 0.25;
/** In words; a longer text may be content even if all its likes are none, and is none if it is less likely than this. */
const LONGEST = 12;
const LEAST_CHANCE = 0.05;
/** For longer texts, this share is enough. */
const MOST_OF_LONG = 0.75;
/** Of three alike, as sections of landing pages have, two kept ones speak for the third, unless it is unlikely. */
const THREE = 3;
const TWO_OF_THREE = 0.6;
const LEAST_OF_THREE = 0.2;
/** Three cards of a list, or three posts, are three by chance. */
const LISTS: ReadonlySet<PageType> = new Set<PageType>(["collection", "forum", "listing"]);

/** Adds to `keep` and takes from it, in place. `sizes` are the blocks' sizes in words. */
export function agreeLikes(
  table: PageTable,
  pageType: PageType,
  totals: ElementTotals,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  const { groupOf, groups } = groupLikes(table, totals, keep, true);
  // What every post of a thread has (name, date, number) is about the post, so it is not kept in case of doubt.
  const isForum = pageType === "forum";
  const isList = LISTS.has(pageType);
  for (let block = 0; block < keep.length; block++) {
    const { things, blocks, sum: kept } = groups[groupOf[block]!]!;
    if (things === THREE && !isList && kept >= blocks * TWO_OF_THREE && chances[block]! >= LEAST_OF_THREE)
      keep[block] = 1;
    if (things < LEAST_THINGS) continue;
    const isLong = sizes[block]! > LONGEST;
    if (isForum && !isLong && kept > 0 && table.headingRanks[block]! > 0) {
      keep[block] = kept >= blocks * LEAST_OF_POSTS ? 1 : 0;
      continue;
    }
    if (isLong) {
      if (kept >= blocks * MOST_OF_LONG && chances[block]! >= LEAST_CHANCE) keep[block] = 1;
    } else if (!isForum && kept >= blocks * MOST) keep[block] = 1;
    else if (kept <= blocks * LEAST) keep[block] = 0;
  }
}
