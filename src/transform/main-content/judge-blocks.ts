/** Judges every block of a page: a first look at each by itself, then a second look that uses the first. */
import type { Steps } from "../../shared/turn.ts";
import { computeBlockFeatures } from "./block-features.ts";
import type { ContentModel } from "./content-model.ts";
import type { ElementTotals } from "./element-totals.ts";
import { BLOCK_FEATURES } from "./feature-columns.ts";
import type { PageTable } from "./page-table.ts";
import { lookAgain, SECOND_FEATURES } from "./second-look.ts";
import { chancesOf, sumTrees } from "./sum-trees.ts";
import type { TextContext } from "./text-features.ts";

/**
 * The model's sum for each block; above zero, the block is more likely main content than not.
 * @param pageTypes the scores of the page's types
 */
export function* judgeBlocks(
  model: ContentModel,
  table: PageTable,
  totals: ElementTotals,
  context: TextContext,
  pageTypes: Float32Array,
): Steps<Float32Array> {
  const blocks = table.blockElement.length;
  // One table for both looks: the second look's columns, then the block's own, then the page's.
  const values = table.arrays.floats(blocks * (SECOND_FEATURES.length + BLOCK_FEATURES.length + pageTypes.length));
  const own = blocks * SECOND_FEATURES.length;
  const page = own + blocks * BLOCK_FEATURES.length;
  computeBlockFeatures(table, totals, context, values.subarray(own, page));
  yield;
  pageTypes.forEach((score, type) => {
    values.fill(score, page + type * blocks, page + (type + 1) * blocks);
  });
  const sums = sumTrees(model.first, values.subarray(own), blocks, table.arrays.floats(blocks));
  yield;
  lookAgain(table, totals, chancesOf(sums, table.arrays), sums, values.subarray(0, own));
  yield;
  return sumTrees(model.second, values, blocks, table.arrays.floats(blocks));
}
