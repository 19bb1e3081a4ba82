/** Keeps the posts of a thread together: the repeated texts that make up most of a page are its content. */
import type { ElementTotals } from "./element-totals.ts";
import { groupLikes } from "./likes.ts";
import type { PageTable } from "./page-table.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_POSTS = 3;
/** From this share of the page's words on, the texts at the same place in repeated elements are posts. */
const LEAST_SHARE = 0.66;
/** A smaller share is enough for a page with fewer words than this, whose frame is as large as that of other pages. */
const SHORT_PAGE = 1500;
const LEAST_SHARE_OF_SHORT = 0.45;
/** At least this share of the posts' words must be kept already. */
const LEAST_KEPT = 0.1;
/** In words, on average; shorter texts are a list of links. */
const LEAST_LENGTH = 12;
/** A text less likely than this is no post, wherever it is. */
const LEAST_CHANCE = 0.05;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepPosts(
  table: PageTable,
  totals: ElementTotals,
  keep: Uint8Array,
  chances: Float32Array,
  sizes: Float32Array,
): void {
  const { groupOf, groups } = groupLikes(table, totals, sizes, false);
  let posts = 0;
  for (let group = 1; group < groups.length; group++) if (groups[group]!.sum > groups[posts]!.sum) posts = group;
  let total = 0;
  let kept = 0;
  for (let block = 0; block < keep.length; block++) {
    total += sizes[block]!;
    if (keep[block] === 1 && groupOf[block] === posts) kept += sizes[block]!;
  }
  const least = total < SHORT_PAGE ? LEAST_SHARE_OF_SHORT : LEAST_SHARE;
  const { things, blocks, sum } = groups[posts]!;
  if (things < LEAST_POSTS || sum < least * total || kept < LEAST_KEPT * sum || sum < LEAST_LENGTH * blocks) return;
  for (let block = 0; block < keep.length; block++) {
    if (groupOf[block] === posts && chances[block]! >= LEAST_CHANCE) keep[block] = 1;
  }
}
