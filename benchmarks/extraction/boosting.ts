/** Trains boosted symmetric trees for a probability, with histograms and gradient-based sampling. */
import type { TreeEnsemble } from "../../src/transform/main-content/tree-ensemble.ts";
import { BINS, type Rows } from "./binning.ts";

export interface BoostingOptions {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  /** The approximate number of rows that each tree is grown on. */
  readonly sample: number;
  /** The share of the features that each tree may ask about. */
  readonly featureShare: number;
  /** Added to the weight of every leaf. */
  readonly penalty: number;
  readonly seed: number;
}

function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Fits the rows whose indices are in `use`; `target` and `weight` have a value for every row. */
export function boost(
  rows: Rows,
  use: Int32Array,
  target: Float32Array,
  weight: Float32Array,
  options: BoostingOptions,
): TreeEnsemble {
  const { depth, trees } = options;
  const size = 1 << depth;
  const random = randomNumbers(options.seed);
  const model = {
    depth,
    trees,
    bias: bias(use, target, weight),
    isPair: false,
    features: new Uint16Array(trees * depth),
    thresholds: new Float32Array(trees * depth),
    leaves: new Float32Array(trees * size),
  };
  const score = new Float32Array(rows.count).fill(model.bias);
  const slopes = { gradient: new Float32Array(rows.count), hessian: new Float32Array(rows.count) };
  for (let tree = 0; tree < trees; tree++) {
    for (const row of use) {
      const chance = 1 / (1 + Math.exp(-score[row]!));
      slopes.gradient[row] = (target[row]! - chance) * weight[row]!;
      slopes.hessian[row] = chance * (1 - chance) * weight[row]!;
    }
    const sample = drawSample(use, slopes, weight, options.sample, random);
    const features = Array.from({ length: rows.features }, (_, feature) => feature).filter(
      (feature) => rows.borders[feature]!.length > 0 && random() < options.featureShare,
    );
    const questions = growTree(rows, sample, features, options);
    questions.forEach(({ feature, cut }, level) => {
      model.features[tree * depth + level] = feature;
      model.thresholds[tree * depth + level] = rows.borders[feature]![cut]!;
    });
    const leaf = leavesOf(rows, questions);
    const leaves = leafValues(use, leaf, slopes, size, options);
    model.leaves.set(leaves, tree * size);
    for (let row = 0; row < rows.count; row++) score[row]! += leaves[leaf[row]!]!;
  }
  return model;
}

function bias(use: Int32Array, target: Float32Array, weight: Float32Array): number {
  let positive = 0;
  let total = 0;
  for (const row of use) {
    positive += target[row]! * weight[row]!;
    total += weight[row]!;
  }
  return Math.log(positive / (total - positive));
}

interface Slopes {
  readonly gradient: Float32Array;
  readonly hessian: Float32Array;
}

interface Sample extends Slopes {
  readonly rows: Int32Array;
}

/** Draws rows with a probability that grows with the model's error, and weighs each by the inverse of it. */
function drawSample(
  use: Int32Array,
  { gradient, hessian }: Slopes,
  weight: Float32Array,
  size: number,
  random: () => number,
): Sample {
  const interest = (row: number): number => Math.abs(gradient[row]!) + 0.1 * weight[row]!;
  let total = 0;
  for (const row of use) total += interest(row);
  const rows: number[] = [];
  const gradients: number[] = [];
  const hessians: number[] = [];
  for (const row of use) {
    const chance = Math.min(1, (size * interest(row)) / total);
    if (random() >= chance) continue;
    rows.push(row);
    gradients.push(gradient[row]! / chance);
    hessians.push(hessian[row]! / chance);
  }
  return {
    rows: Int32Array.from(rows),
    gradient: Float32Array.from(gradients),
    hessian: Float32Array.from(hessians),
  };
}

interface Question {
  readonly feature: number;
  /** The answer is yes in bins above this one. */
  readonly cut: number;
}

/** Chooses level by level the one question that separates all leaves best. */
function growTree(rows: Rows, sample: Sample, features: readonly number[], options: BoostingOptions): Question[] {
  const leaf = new Uint8Array(sample.rows.length);
  const sums = new Float64Array((1 << options.depth) * BINS * 2);
  const questions: Question[] = [];
  for (let level = 0; level < options.depth; level++) {
    const leaves = 1 << level;
    let best = -1;
    let question: Question = { feature: features[0] ?? 0, cut: 0 };
    for (const feature of features) {
      countBins(rows, sample, leaf, feature, sums.fill(0, 0, leaves * BINS * 2));
      const gains = gainsOf(sums, leaves, rows.borders[feature]!.length, options.penalty);
      gains.forEach((gain, cut) => {
        if (gain <= best) return;
        best = gain;
        question = { feature, cut };
      });
    }
    questions.push(question);
    const from = question.feature * rows.count;
    for (let k = 0; k < leaf.length; k++) {
      leaf[k] = (leaf[k]! << 1) | (rows.bins[from + sample.rows[k]!]! > question.cut ? 1 : 0);
    }
  }
  return questions;
}

function countBins(rows: Rows, sample: Sample, leaf: Uint8Array, feature: number, sums: Float64Array): void {
  const from = feature * rows.count;
  const { bins } = rows;
  for (let k = 0; k < leaf.length; k++) {
    const at = (leaf[k]! * BINS + bins[from + sample.rows[k]!]!) * 2;
    sums[at]! += sample.gradient[k]!;
    sums[at + 1]! += sample.hessian[k]!;
  }
}

/** For every cut: how much it would explain, summed over both sides of all leaves. */
function gainsOf(sums: Float64Array, leaves: number, borders: number, penalty: number): Float64Array {
  const gains = new Float64Array(borders);
  for (let leaf = 0; leaf < leaves; leaf++) {
    let allG = 0;
    let allH = 0;
    for (let bin = 0; bin <= borders; bin++) {
      allG += sums[(leaf * BINS + bin) * 2]!;
      allH += sums[(leaf * BINS + bin) * 2 + 1]!;
    }
    let leftG = 0;
    let leftH = 0;
    for (let cut = 0; cut < borders; cut++) {
      leftG += sums[(leaf * BINS + cut) * 2]!;
      leftH += sums[(leaf * BINS + cut) * 2 + 1]!;
      const rightG = allG - leftG;
      gains[cut]! += (leftG * leftG) / (leftH + penalty) + (rightG * rightG) / (allH - leftH + penalty);
    }
  }
  return gains;
}

function leavesOf(rows: Rows, questions: readonly Question[]): Uint8Array {
  const leaf = new Uint8Array(rows.count);
  for (const { feature, cut } of questions) {
    const from = feature * rows.count;
    for (let row = 0; row < rows.count; row++) leaf[row] = (leaf[row]! << 1) | (rows.bins[from + row]! > cut ? 1 : 0);
  }
  return leaf;
}

function leafValues(
  use: Int32Array,
  leaf: Uint8Array,
  { gradient, hessian }: Slopes,
  size: number,
  { rate, penalty }: BoostingOptions,
): Float32Array {
  const sumG = new Float64Array(size);
  const sumH = new Float64Array(size);
  for (const row of use) {
    sumG[leaf[row]!]! += gradient[row]!;
    sumH[leaf[row]!]! += hessian[row]!;
  }
  return Float32Array.from(sumG, (sum, one) => (rate * sum) / (sumH[one]! + penalty));
}
