/** Tells what kind of page it is. */
import { sumTrees } from "./sum-trees.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";

/** The kinds of pages that the model distinguishes. */
export const PAGE_TYPES = ["article", "documentation", "service", "forum", "product", "collection", "listing"] as const;
export type PageType = (typeof PAGE_TYPES)[number];

/** The score of each type, in steps of a quarter: finer differences are noise. */
export function scorePageTypes(features: Float32Array, models: readonly TreeEnsemble[]): Float32Array {
  return Float32Array.from(models, (model) => Math.round(sumTrees(model, features, 1)[0]! * 4) / 4);
}

export function likeliestType(scores: Float32Array): PageType {
  let best = 0;
  for (let type = 1; type < scores.length; type++) if (scores[type]! > scores[best]!) best = type;
  return PAGE_TYPES[best]!;
}
