/** Adds up boosted trees: in WebAssembly if trees and machine allow it, else in JavaScript, with the same result. */
import type { PageArrays } from "./page-arrays.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";
import { treeMemory } from "./tree-memory.ts";

/** The second half of a bagged pair is skipped if the first is this sure, before the logistic function. */
const SURE = 4;

/**
 * For each wanted row (by default all): `start` plus the trees from `first` to before `end`. Valid until the next call.
 */
type Sum = (first: number, end: number, start: number, wanted?: readonly number[]) => Float32Array;

/**
 * The sum of all trees for each row, before the logistic function. Values are in columns of `rows`.
 * @param sums where to write
 */
export function sumTrees(
  model: TreeEnsemble,
  values: Float32Array,
  rows: number,
  sums: Float32Array = new Float32Array(rows),
): Float32Array {
  const memory = treeMemory();
  const atOnce = memory?.rowsAtOnce(model, values.length / rows) ?? 0;
  if (memory === undefined || atOnce === 0) {
    sumHalves(model, sums, (first, end, start, wanted) => addTrees(model, first, end, start, values, rows, wanted));
    return sums;
  }
  for (let from = 0; from < rows; from += atOnce) {
    const count = Math.min(atOnce, rows - from);
    memory.load(values, rows, from, count);
    sumHalves(model, sums.subarray(from, from + count), (first, end, start, wanted) =>
      memory.sum(model, first, end, start, wanted),
    );
  }
  return sums;
}

/** The first half of a bagged pair decides alone if it is sure, which it is about more than half of the rows. */
function sumHalves(model: TreeEnsemble, sums: Float32Array, sum: Sum): void {
  if (!model.isPair) return sums.set(sum(0, model.trees, model.bias));
  const half = model.trees / 2;
  sums.set(sum(0, half, model.bias));
  const doubtful: number[] = [];
  for (let row = 0; row < sums.length; row++) {
    const whole = sums[row]! * 2 - model.bias;
    if (Math.abs(whole) > SURE) sums[row] = whole;
    else doubtful.push(row);
  }
  const rest = sum(half, model.trees, 0, doubtful);
  for (const row of doubtful) sums[row]! += rest[row]!;
}

function addTrees(
  { depth, features, thresholds, leaves }: TreeEnsemble,
  first: number,
  end: number,
  start: number,
  values: Float32Array,
  rows: number,
  wanted: readonly number[] = Array.from({ length: rows }, (_, row) => row),
): Float32Array {
  const sums = new Float32Array(rows).fill(start);
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
  return sums;
}

/** The sums, converted to chances. */
export function chancesOf(sums: Float32Array, arrays: PageArrays): Float32Array {
  const chances = arrays.floats(sums.length);
  for (let row = 0; row < sums.length; row++) chances[row] = logistic(sums[row]!);
  return chances;
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
