/** Adds up boosted symmetric trees: every level of a tree asks one question of all rows. */

/** Trees of equal depth; a row's leaf is the binary number of its answers, first question highest. */
export interface TreeEnsemble {
  readonly depth: number;
  readonly trees: number;
  readonly bias: number;
  /** `trees * depth` feature columns and thresholds: the answer is 1 where the value is above. */
  readonly features: Uint16Array;
  readonly thresholds: Float32Array;
  /** `trees * 2 ** depth` values. */
  readonly leaves: Float32Array;
}

/** The depth that has a loop of its own. */
const USUAL_DEPTH = 6;

/** The sum of all trees for each row, before the logistic function. Values are in columns of `rows`. */
export function sumTrees(model: TreeEnsemble, values: Float32Array, rows: number): Float32Array {
  const sums = new Float32Array(rows).fill(model.bias);
  const ordered = orderedIntegers(values);
  const limits = orderedIntegers(model.thresholds);
  if (model.depth === USUAL_DEPTH) sumUsualTrees(model, ordered, limits, sums);
  else sumAnyTrees(model, ordered, limits, sums);
  return sums;
}

/**
 * Numbers as integers in the same order, small enough that the difference of two has the right sign: answers then
 * come from sign bits, without branches that a processor would have to guess.
 */
function orderedIntegers(values: Float32Array): Int32Array {
  const integers = new Int32Array(values.buffer, values.byteOffset, values.length).slice();
  for (let index = 0; index < integers.length; index++) {
    const bits = integers[index]!;
    integers[index] = (bits ^ ((bits >> 31) & 0x7fffffff)) >> 1;
  }
  return integers;
}

function sumUsualTrees(model: TreeEnsemble, values: Int32Array, limits: Int32Array, sums: Float32Array): void {
  const { trees, features, leaves } = model;
  const rows = sums.length;
  for (let tree = 0; tree < trees; tree++) {
    const q = tree * USUAL_DEPTH;
    const c0 = features[q]! * rows;
    const c1 = features[q + 1]! * rows;
    const c2 = features[q + 2]! * rows;
    const c3 = features[q + 3]! * rows;
    const c4 = features[q + 4]! * rows;
    const c5 = features[q + 5]! * rows;
    const t0 = limits[q]!;
    const t1 = limits[q + 1]!;
    const t2 = limits[q + 2]!;
    const t3 = limits[q + 3]!;
    const t4 = limits[q + 4]!;
    const t5 = limits[q + 5]!;
    const from = tree << USUAL_DEPTH;
    for (let row = 0; row < rows; row++) {
      const leaf =
        (((t0 - values[c0 + row]!) >>> 31) << 5) |
        (((t1 - values[c1 + row]!) >>> 31) << 4) |
        (((t2 - values[c2 + row]!) >>> 31) << 3) |
        (((t3 - values[c3 + row]!) >>> 31) << 2) |
        (((t4 - values[c4 + row]!) >>> 31) << 1) |
        ((t5 - values[c5 + row]!) >>> 31);
      sums[row]! += leaves[from + leaf]!;
    }
  }
}

function sumAnyTrees(model: TreeEnsemble, values: Int32Array, limits: Int32Array, sums: Float32Array): void {
  const { depth, trees, features, leaves } = model;
  const rows = sums.length;
  for (let row = 0; row < rows; row++) {
    for (let tree = 0; tree < trees; tree++) {
      let leaf = 0;
      for (let question = tree * depth; question < (tree + 1) * depth; question++) {
        leaf = (leaf << 1) | ((limits[question]! - values[features[question]! * rows + row]!) >>> 31);
      }
      sums[row]! += leaves[(tree << depth) + leaf]!;
    }
  }
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
