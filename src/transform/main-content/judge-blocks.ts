/** Judges every block of a page by the trained model. */
import type { Steps } from "../../shared/turn.ts";
import { computeBlockFeatures } from "./block-features.ts";
import type { ContentModel } from "./content-model.ts";
import type { ElementTotals } from "./element-totals.ts";
import { BLOCK_FEATURES } from "./feature-columns.ts";
import type { PageTable } from "./page-table.ts";
import { sumTrees } from "./sum-trees.ts";
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
  // One table: the columns of the blocks, then those of the page.
  const values = table.arrays.floats(blocks * (BLOCK_FEATURES.length + pageTypes.length));
  const page = blocks * BLOCK_FEATURES.length;
  computeBlockFeatures(table, totals, context, values.subarray(0, page));
  yield;
  pageTypes.forEach((score, type) => {
    values.fill(score, page + type * blocks, page + (type + 1) * blocks);
  });
  return sumTrees(model.blocks, values, blocks, table.arrays.floats(blocks));
}
