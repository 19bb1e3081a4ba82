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

/** The sum of all trees for each row, before the logistic function. Values are in columns of `rows`. */
export function sumTrees(model: TreeEnsemble, values: Float32Array, rows: number): Float32Array {
  const { depth, trees, features, thresholds, leaves } = model;
  const sums = new Float32Array(rows).fill(model.bias);
  const leaf = new Uint8Array(rows);
  const size = 1 << depth;
  for (let tree = 0; tree < trees; tree++) {
    leaf.fill(0);
    for (let level = 0; level < depth; level++) {
      const question = tree * depth + level;
      const column = features[question]! * rows;
      const threshold = thresholds[question]!;
      const bit = 1 << (depth - 1 - level);
      for (let row = 0; row < rows; row++) if (values[column + row]! > threshold) leaf[row]! |= bit;
    }
    const from = tree * size;
    for (let row = 0; row < rows; row++) sums[row]! += leaves[from + leaf[row]!]!;
  }
  return sums;
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
