/** Adds up boosted trees: in WebAssembly where trees and machine allow it, else in JavaScript, with the same result. */
import type { TreeEnsemble } from "./tree-ensemble.ts";
import { treeMemory } from "./tree-memory.ts";

/** The second half of a bagged pair is not asked where the first is this sure, before the logistic function. */
const SURE = 4;

/** For each row that is wanted: `start` and the trees from `first` to before `end`. Wanted rows ascend. */
type Sum = (first: number, end: number, start: number, wanted: readonly number[]) => Float32Array;

/** The sum of all trees for each row, before the logistic function. Values are in columns of `rows`. */
export function sumTrees(model: TreeEnsemble, values: Float32Array, rows: number): Float32Array {
  const memory = treeMemory();
  const atOnce = memory?.rowsAtOnce(model, values.length / rows) ?? 0;
  if (memory === undefined || atOnce === 0) {
    return sumHalves(model, rows, (first, end, start, wanted) => {
      const sums = new Float32Array(rows).fill(start);
      addTrees(model, first, end, values, sums, wanted);
      return sums;
    });
  }
  const sums = new Float32Array(rows);
  for (let from = 0; from < rows; from += atOnce) {
    const count = Math.min(atOnce, rows - from);
    memory.load(values, rows, from, count);
    const sum: Sum = (first, end, start, wanted) => memory.sum(model, first, end, start, wanted);
    sums.set(sumHalves(model, count, sum), from);
  }
  return sums;
}

/** Of a bagged pair the first half decides alone where it is sure: that is more than half of the rows. */
function sumHalves(model: TreeEnsemble, rows: number, sum: Sum): Float32Array {
  const every = Array.from({ length: rows }, (_, row) => row);
  if (!model.isPair) return sum(0, model.trees, model.bias, every);
  const half = model.trees / 2;
  const sums = sum(0, half, model.bias, every);
  const doubtful: number[] = [];
  for (let row = 0; row < rows; row++) {
    const whole = sums[row]! * 2 - model.bias;
    if (Math.abs(whole) > SURE) sums[row] = whole;
    else doubtful.push(row);
  }
  const rest = sum(half, model.trees, 0, doubtful);
  for (const row of doubtful) sums[row]! += rest[row]!;
  return sums;
}

function addTrees(
  { depth, features, thresholds, leaves }: TreeEnsemble,
  first: number,
  end: number,
  values: Float32Array,
  sums: Float32Array,
  wanted: readonly number[],
): void {
  const rows = sums.length;
  for (const row of wanted) {
    for (let tree = first; tree < end; tree++) {
      const question = tree * depth;
      let leaf = 0;
      for (let level = 0; level < depth; level++) {
        const value = values[features[question + level]! * rows + row]!;
        leaf = (leaf << 1) | Number(value > thresholds[question + level]!);
      }
      sums[row]! += leaves[(tree << depth) + leaf]!;
    }
  }
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
