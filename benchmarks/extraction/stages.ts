/** Trains the stages of the model (page types, blocks), by folds and on all pages. */
import { PAGE_FEATURES } from "../../src/transform/main-content/page-features.ts";
import { PAGE_TYPES } from "../../src/transform/main-content/page-type.ts";
import { sumTrees } from "../../src/transform/main-content/sum-trees.ts";
import type { TreeEnsemble } from "../../src/transform/main-content/tree-ensemble.ts";
import { binColumns, type Rows } from "./binning.ts";
import { type BoostingOptions, boost } from "./boosting.ts";
import type { TrainingRows } from "./training-rows.ts";

/** The weights of the sets whose pages have a known type. Pages of a set that names no types are articles. */
const TYPE_WEIGHT: Record<string, number> = {
  wcxb: 1,
  scrapinghub: 0.3,
  mozilla: 0.3,
  daniel: 0.15,
  "chinese-mit": 0.15,
};
const TYPE_OPTIONS: BoostingOptions = {
  trees: 100,
  depth: 3,
  rate: 0.1,
  sample: 700,
  featureShare: 0.4,
  penalty: 2,
  seed: 1,
};

/** How the model of blocks is trained. */
export const BLOCK_OPTIONS: BoostingOptions = {
  trees: 500,
  depth: 6,
  rate: 0.28,
  sample: 30_000,
  featureShare: 0.3,
  penalty: 0.4,
  seed: 1,
};

export interface Trained {
  /** The score of each row by a model that has not seen its host, before the logistic function. */
  readonly unseen: Float32Array;
  /** The model trained on all rows. */
  readonly model: TreeEnsemble;
}

/** Trains one model of blocks for each fold, on the other folds, and one on everything. */
export function trainBlocks(
  rows: TrainingRows,
  columns: readonly Float32Array[],
  folds: number,
  options: BoostingOptions,
  whole: boolean,
  bags = 1,
): Trained {
  const binned = binColumns(columns);
  const trainOn = (use: Int32Array): TreeEnsemble =>
    meanOf(
      Array.from({ length: bags }, (_, bag) =>
        boost(binned, use, rows.target, rows.weight, { ...options, seed: options.seed + bag * 101 }),
      ),
    );
  const unseen = new Float32Array(rows.count);
  for (let fold = 0; fold < folds; fold++) {
    const model = trainOn(rowsWhere(rows, (other) => other !== fold));
    for (const { fold: own, from, blocks } of rows.pages) {
      if (own !== fold) continue;
      const values = new Float32Array(blocks * columns.length);
      columns.forEach((column, index) => {
        values.set(column.subarray(from, from + blocks), index * blocks);
      });
      unseen.set(sumTrees(model, values, blocks), from);
    }
  }
  const model = whole ? trainOn(rowsWhere(rows, () => true)) : noTrees();
  return { unseen, model };
}

/** One model that computes the mean of several, because different samples make different mistakes. */
function meanOf(models: readonly TreeEnsemble[]): TreeEnsemble {
  const count = models.length;
  return {
    depth: models[0]!.depth,
    trees: models.reduce((sum, model) => sum + model.trees, 0),
    bias: models.reduce((sum, model) => sum + model.bias, 0) / count,
    isPair: count === 2,
    features: Uint16Array.from(models.flatMap((model) => [...model.features])),
    thresholds: Float32Array.from(models.flatMap((model) => [...model.thresholds])),
    leaves: Float32Array.from(models.flatMap((model) => [...model.leaves].map((leaf) => leaf / count))),
  };
}

function rowsWhere(rows: TrainingRows, use: (fold: number) => boolean): Int32Array {
  const chosen: number[] = [];
  for (const { fold, from, blocks } of rows.pages) {
    for (let row = from; use(fold) && row < from + blocks; row++) if (rows.weight[row]! > 0) chosen.push(row);
  }
  return Int32Array.from(chosen);
}

function noTrees(): TreeEnsemble {
  return {
    depth: 1,
    trees: 0,
    bias: 0,
    isPair: false,
    features: new Uint16Array(),
    thresholds: new Float32Array(),
    leaves: new Float32Array(),
  };
}

/** Page types: for every page the scores by a model that has not seen its host, and the models trained on all pages. */
export function trainPageTypes(rows: TrainingRows, folds: number): { scores: Float32Array[]; models: TreeEnsemble[] } {
  // The project's own pages are of no type.
  const pages = rows.pages.filter(({ page }) => page.set !== "own");
  const columns = PAGE_FEATURES.map((_, column) => Float32Array.from(pages, (page) => page.pageFeatures[column]!));
  const binned: Rows = binColumns(columns);
  const weight = Float32Array.from(pages, ({ page }) => TYPE_WEIGHT[page.set] ?? 0);
  const known = pages.map((_, index) => index).filter((index) => weight[index]! > 0);
  const scores = rows.pages.map(() => new Float32Array(PAGE_TYPES.length));
  const models = PAGE_TYPES.map((type, column) => {
    const target = Float32Array.from(pages, ({ page }) => +((page.set === "wcxb" ? page.type : "article") === type));
    for (let fold = 0; fold < folds; fold++) {
      const use = Int32Array.from(known.filter((index) => pages[index]!.fold !== fold));
      const model = boost(binned, use, target, weight, { ...TYPE_OPTIONS, seed: column + 1 });
      rows.pages.forEach((page, index) => {
        if (page.fold !== fold) return;
        scores[index]![column] = Math.round(sumTrees(model, page.pageFeatures, 1)[0]! * 4) / 4;
      });
    }
    return boost(binned, Int32Array.from(known), target, weight, { ...TYPE_OPTIONS, seed: column + 1 });
  });
  return { scores, models };
}

/** The page-type scores as columns, with the scores of its page for every block. */
export function pageTypeColumns(rows: TrainingRows, scores: readonly Float32Array[]): Float32Array[] {
  return PAGE_TYPES.map((_, type) => {
    const column = new Float32Array(rows.count);
    rows.pages.forEach(({ from, blocks }, index) => {
      column.fill(scores[index]![type]!, from, from + blocks);
    });
    return column;
  });
}
