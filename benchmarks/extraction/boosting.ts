/** Trains boosted symmetric trees for a soft yes or no, with histograms and gradient-based sampling. */
import type { TreeEnsemble } from "../../src/transform/main-content/tree-ensemble.ts";

export interface Rows {
  readonly count: number;
  readonly features: number;
  /** Bin of feature f of row r at `f * count + r`. */
  readonly bins: Uint8Array;
  /** For each feature: the upper borders of its bins. */
  readonly borders: readonly Float32Array[];
}

export interface BoostingOptions {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  readonly sample: number;
  readonly featureShare: number;
  readonly penalty: number;
  readonly seed: number;
}

const BINS = 64;

/** Cuts each column into bins of about equally many rows. */
export function binColumns(columns: readonly Float32Array[]): Rows {
  const count = columns[0]!.length;
  const bins = new Uint8Array(count * columns.length);
  const borders: Float32Array[] = [];
  columns.forEach((column, feature) => {
    const step = Math.max(1, Math.floor(count / 40_000));
    const sample = new Float32Array(Math.ceil(count / step));
    for (let row = 0, k = 0; row < count; row += step) sample[k++] = column[row]!;
    sample.sort();
    const cuts: number[] = [];
    for (let bin = 1; bin < BINS; bin++) {
      const at = Math.floor((sample.length * bin) / BINS);
      const low = sample[Math.max(0, at - 1)]!;
      const high = sample[at]!;
      const cut = high > low ? (low + high) / 2 : high;
      if (cuts.length === 0 || cut > cuts[cuts.length - 1]!) cuts.push(cut);
    }
    // Values that few rows share are lost between equal shares of rows: add some borders at distinct values.
    if (cuts.length < BINS / 2) {
      const distinct = Float32Array.from(new Set(sample)).sort();
      const stride = Math.max(1, Math.ceil(distinct.length / (BINS / 2 - 1)));
      for (let k = stride; k < distinct.length; k += stride) cuts.push((distinct[k - 1]! + distinct[k]!) / 2);
    }
    const sorted = Float32Array.from(new Set(cuts))
      .sort()
      .slice(0, BINS - 1);
    borders.push(sorted);
    for (let row = 0; row < count; row++) bins[feature * count + row] = binOf(sorted, column[row]!);
  });
  return { count, features: columns.length, bins, borders };
}

function binOf(borders: Float32Array, value: number): number {
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value > borders[middle]!) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Fits the rows named in `use`; `target` and `weight` are by row. */
export function boost(
  rows: Rows,
  use: Int32Array,
  target: Float32Array,
  weight: Float32Array,
  options: BoostingOptions,
): TreeEnsemble {
  const { depth, trees } = options;
  const random = randomNumbers(options.seed);
  const size = 1 << depth;
  const model = {
    depth,
    trees,
    bias: 0,
    features: new Uint16Array(trees * depth),
    thresholds: new Float32Array(trees * depth),
    leaves: new Float32Array(trees * size),
  };
  let positive = 0;
  let total = 0;
  for (const row of use) {
    positive += target[row]! * weight[row]!;
    total += weight[row]!;
  }
  model.bias = Math.log(positive / (total - positive));
  const score = new Float32Array(rows.count).fill(model.bias);
  const gradient = new Float32Array(rows.count);
  const hessian = new Float32Array(rows.count);
  const leaf = new Uint8Array(rows.count);
  const sums = new Float64Array(size * BINS * 2);
  for (let tree = 0; tree < trees; tree++) {
    let magnitude = 0;
    for (const row of use) {
      const p = 1 / (1 + Math.exp(-score[row]!));
      gradient[row] = (target[row]! - p) * weight[row]!;
      hessian[row] = p * (1 - p) * weight[row]!;
      magnitude += Math.abs(gradient[row]!) + 0.1 * weight[row]!;
    }
    const sampleG: number[] = [];
    const sampleH: number[] = [];
    const chosen: number[] = [];
    for (const row of use) {
      const chance = Math.min(1, (options.sample * (Math.abs(gradient[row]!) + 0.1 * weight[row]!)) / magnitude);
      if (random() >= chance) continue;
      chosen.push(row);
      sampleG.push(gradient[row]! / chance);
      sampleH.push(hessian[row]! / chance);
    }
    const picked = Int32Array.from(chosen);
    const pickedG = Float32Array.from(sampleG);
    const pickedH = Float32Array.from(sampleH);
    const pickedLeaf = new Uint8Array(picked.length);
    const features: number[] = [];
    for (let feature = 0; feature < rows.features; feature++) {
      if (rows.borders[feature]!.length > 0 && random() < options.featureShare) features.push(feature);
    }
    const cuts: number[] = [];
    for (let level = 0; level < depth; level++) {
      const leaves = 1 << level;
      let bestGain = -1;
      let bestFeature = features[0]!;
      let bestCut = 0;
      for (const feature of features) {
        sums.fill(0, 0, leaves * BINS * 2);
        const from = feature * rows.count;
        for (let k = 0; k < picked.length; k++) {
          const at = (pickedLeaf[k]! * BINS + rows.bins[from + picked[k]!]!) * 2;
          sums[at]! += pickedG[k]!;
          sums[at + 1]! += pickedH[k]!;
        }
        const borders = rows.borders[feature]!.length;
        const gains = new Float64Array(borders);
        for (let one = 0; one < leaves; one++) {
          let allG = 0;
          let allH = 0;
          for (let bin = 0; bin <= borders; bin++) {
            allG += sums[(one * BINS + bin) * 2]!;
            allH += sums[(one * BINS + bin) * 2 + 1]!;
          }
          let leftG = 0;
          let leftH = 0;
          for (let cut = 0; cut < borders; cut++) {
            leftG += sums[(one * BINS + cut) * 2]!;
            leftH += sums[(one * BINS + cut) * 2 + 1]!;
            const rightG = allG - leftG;
            gains[cut]! +=
              (leftG * leftG) / (leftH + options.penalty) + (rightG * rightG) / (allH - leftH + options.penalty);
          }
        }
        for (let cut = 0; cut < borders; cut++) {
          if (gains[cut]! > bestGain) {
            bestGain = gains[cut]!;
            bestFeature = feature;
            bestCut = cut;
          }
        }
      }
      model.features[tree * depth + level] = bestFeature;
      model.thresholds[tree * depth + level] = rows.borders[bestFeature]![bestCut]!;
      cuts.push(bestCut);
      const from = bestFeature * rows.count;
      for (let k = 0; k < picked.length; k++) {
        pickedLeaf[k] = (pickedLeaf[k]! << 1) | (rows.bins[from + picked[k]!]! > bestCut ? 1 : 0);
      }
    }
    leaf.fill(0);
    for (let level = 0; level < depth; level++) {
      const from = model.features[tree * depth + level]! * rows.count;
      const cut = cuts[level]!;
      for (let row = 0; row < rows.count; row++) {
        leaf[row] = (leaf[row]! << 1) | (rows.bins[from + row]! > cut ? 1 : 0);
      }
    }
    const leafG = new Float64Array(size);
    const leafH = new Float64Array(size);
    for (const row of use) {
      leafG[leaf[row]!]! += gradient[row]!;
      leafH[leaf[row]!]! += hessian[row]!;
    }
    for (let one = 0; one < size; one++) {
      model.leaves[tree * size + one] = (options.rate * leafG[one]!) / (leafH[one]! + options.penalty);
    }
    for (let row = 0; row < rows.count; row++) score[row]! += model.leaves[tree * size + leaf[row]!]!;
  }
  return model;
}
