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
  if (depth === 6) {
    addTreesOfSix(model, values, sums);
    return sums;
  }
  for (let tree = 0; tree < trees; tree++) {
    const question = tree * depth;
    const from = tree << depth;
    for (let row = 0; row < rows; row++) {
      let leaf = 0;
      for (let level = 0; level < depth; level++) {
        const value = values[features[question + level]! * rows + row]!;
        leaf = (leaf << 1) | Number(value > thresholds[question + level]!);
      }
      sums[row]! += leaves[from + leaf]!;
    }
  }
  return sums;
}

/** All six questions of a tree in one pass, without branches: twice as fast, and most of the work on a page's blocks. */
function addTreesOfSix(model: TreeEnsemble, values: Float32Array, sums: Float32Array): void {
  const { trees, features, thresholds, leaves } = model;
  const rows = sums.length;
  for (let tree = 0; tree < trees; tree++) {
    const question = tree * 6;
    const column0 = features[question]! * rows;
    const column1 = features[question + 1]! * rows;
    const column2 = features[question + 2]! * rows;
    const column3 = features[question + 3]! * rows;
    const column4 = features[question + 4]! * rows;
    const column5 = features[question + 5]! * rows;
    const threshold0 = thresholds[question]!;
    const threshold1 = thresholds[question + 1]!;
    const threshold2 = thresholds[question + 2]!;
    const threshold3 = thresholds[question + 3]!;
    const threshold4 = thresholds[question + 4]!;
    const threshold5 = thresholds[question + 5]!;
    const from = tree * 64;
    for (let row = 0; row < rows; row++) {
      const leaf =
        (Number(values[column0 + row]! > threshold0) << 5) |
        (Number(values[column1 + row]! > threshold1) << 4) |
        (Number(values[column2 + row]! > threshold2) << 3) |
        (Number(values[column3 + row]! > threshold3) << 2) |
        (Number(values[column4 + row]! > threshold4) << 1) |
        Number(values[column5 + row]! > threshold5);
      sums[row]! += leaves[from + leaf]!;
    }
  }
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
