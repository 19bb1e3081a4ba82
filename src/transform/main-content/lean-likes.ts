/** Moves doubtful blocks towards their likes: the parts of cards, posts and rows stay or go together. */
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_THINGS = 4;
/** A block whose sum is this far from zero is not doubtful. */
const SURE = 2;

/** Blocks at the same place in repeated elements. */
class Likes {
  sum = 0;
  blocks = 0;
  things = 0;
  /** The repeated element that contains the last of them. */
  thing = -1;
}

/**
 * Changes the model's sums, in place.
 *
 * @param most how far a block is moved at most towards the mean of its likes, 0 to 1
 */
export function leanLikes(
  { arrays, blockElement }: PageTable,
  totals: ElementTotals,
  sums: Float32Array,
  most: number,
): void {
  if (most === 0) return;
  const { path, repeated } = totals;
  const places = new Map<number, number>();
  const groups: Likes[] = [];
  // One more than the number of the block's group; 0 for a block without likes.
  const groupOf = arrays.integers(sums.length);
  for (let block = 0; block < sums.length; block++) {
    const element = blockElement[block]!;
    const thing = repeated[element]!;
    if (thing < 0) continue;
    let group = places.get(path[element]!);
    if (group === undefined) {
      group = groups.push(new Likes()) - 1;
      places.set(path[element]!, group);
    }
    groupOf[block] = group + 1;
    const likes = groups[group]!;
    likes.sum += sums[block]!;
    likes.blocks++;
    if (likes.thing !== thing) likes.things++;
    likes.thing = thing;
  }
  for (let block = 0; block < sums.length; block++) {
    const group = groupOf[block]!;
    if (group === 0) continue;
    const likes = groups[group - 1]!;
    if (likes.things < LEAST_THINGS) continue;
    const own = sums[block]!;
    const doubt = Math.max(0, 1 - Math.abs(own) / SURE);
    sums[block] = own + most * doubt * (likes.sum / likes.blocks - own);
  }
}
