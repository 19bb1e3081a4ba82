/** Adds up boosted symmetric trees: every level of a tree asks one question of all rows. */

/** Trees of equal depth; a row's leaf is the binary number of its answers, first question highest. */
export interface TreeEnsemble {
  readonly depth: number;
  readonly trees: number;
  readonly bias: number;
  /** The first half and the second are two models, trained apart, of which the sum is the mean. */
  readonly isPair: boolean;
  /** `trees * depth` feature columns and thresholds: the answer is 1 where the value is above. */
  readonly features: Uint16Array;
  readonly thresholds: Float32Array;
  /** `trees * 2 ** depth` values. */
  readonly leaves: Float32Array;
}

/** The second half of a bagged pair is not asked where the first is this sure, before the logistic function. */
const SURE = 4;

/**
 * The sum of all trees for each row, before the logistic function. Values are in columns of `rows`.
 * Of a bagged pair the first half decides alone where it is sure: that is most rows of most pages.
 */
export function sumTrees(model: TreeEnsemble, values: Float32Array, rows: number): Float32Array {
  const sums = new Float32Array(rows).fill(model.bias);
  if (!model.isPair) {
    addTrees(model, 0, model.trees, values, sums);
    return sums;
  }
  const half = model.trees / 2;
  addTrees(model, 0, half, values, sums);
  const doubtful: number[] = [];
  for (let row = 0; row < rows; row++) {
    const whole = sums[row]! * 2 - model.bias;
    if (Math.abs(whole) > SURE) sums[row] = whole;
    else doubtful.push(row);
  }
  const rest = new Float32Array(doubtful.length);
  addTrees(model, half, model.trees, rowsOf(values, rows, doubtful), rest);
  doubtful.forEach((row, index) => {
    sums[row]! += rest[index]!;
  });
  return sums;
}

function rowsOf(values: Float32Array, rows: number, wanted: readonly number[]): Float32Array {
  const columns = rows === 0 ? 0 : values.length / rows;
  const some = new Float32Array(columns * wanted.length);
  let at = 0;
  for (let column = 0; column < columns; column++) {
    const from = column * rows;
    for (let index = 0; index < wanted.length; index++) some[at++] = values[from + wanted[index]!]!;
  }
  return some;
}

/** Adds the trees from `first` to before `end`. */
function addTrees(model: TreeEnsemble, first: number, end: number, values: Float32Array, sums: Float32Array): void {
  if (model.depth === 6) {
    addTreesOfSix(model, first, end, values, sums);
    return;
  }
  const { depth, features, thresholds, leaves } = model;
  const rows = sums.length;
  for (let tree = first; tree < end; tree++) {
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
}

/** All six questions of a tree in one pass, without branches: twice as fast, and most of the work on a page's blocks. */
function addTreesOfSix(
  { features, thresholds, leaves }: TreeEnsemble,
  first: number,
  end: number,
  values: Float32Array,
  sums: Float32Array,
): void {
  const rows = sums.length;
  for (let tree = first; tree < end; tree++) {
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
