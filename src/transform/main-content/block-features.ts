/** Turns every block of a page into a row of numbers for the trained model. */
import type { ElementTotals } from "./element-totals.ts";
import { BlockFeatures } from "./feature-columns.ts";
import type { PageTable } from "./page-table.ts";
import { describePlaces } from "./place-features.ts";
import { describeSurroundings } from "./surrounding-features.ts";
import { describeTexts, type TextContext } from "./text-features.ts";

/** Fills `values`, or a new table. The order matters: places compare the text and surroundings of other blocks. */
export function computeBlockFeatures(
  table: PageTable,
  totals: ElementTotals,
  context: TextContext,
  values?: Float32Array,
): BlockFeatures {
  const features = new BlockFeatures(table.blockElement.length, values);
  describeTexts(table, context, features);
  describeSurroundings(table, totals, features);
  describePlaces(table, totals, features);
  return features;
}
