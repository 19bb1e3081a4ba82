/** Moves doubtful blocks towards their likes: the parts of cards, posts and rows stay or go together. */
import type { ElementTotals } from "./element-totals.ts";
import { groupLikes } from "./likes.ts";
import type { PageTable } from "./page-table.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_THINGS = 4;
/** A block whose sum is this far from zero is not doubtful. */
const SURE = 2;

/**
 * Changes the model's sums, in place.
 *
 * @param most how far a block is moved at most towards the mean of its likes, 0 to 1
 */
export function leanLikes(table: PageTable, totals: ElementTotals, sums: Float32Array, most: number): void {
  if (most === 0) return;
  const { groupOf, groups } = groupLikes(table, totals, sums, false);
  for (let block = 0; block < sums.length; block++) {
    const likes = groups[groupOf[block]!]!;
    if (likes.things < LEAST_THINGS) continue;
    const own = sums[block]!;
    const doubt = Math.max(0, 1 - Math.abs(own) / SURE);
    sums[block] = own + most * doubt * (likes.sum / likes.blocks - own);
  }
}
