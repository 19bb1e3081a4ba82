import { readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import wabt from "wabt";
import { finish } from "../src/shared/turn.ts";
import { contentModel } from "../src/transform/main-content/content-model.ts";
import { BLOCK_FEATURES } from "../src/transform/main-content/feature-columns.ts";
import { PAGE_TYPES } from "../src/transform/main-content/page-type.ts";
import { sumTrees } from "../src/transform/main-content/sum-trees.ts";
import type { TreeEnsemble } from "../src/transform/main-content/tree-ensemble.ts";
import { treeMemory } from "../src/transform/main-content/tree-memory.ts";
import { TREE_SUMS } from "../src/transform/main-content/tree-sums.wasm.ts";

const COLUMNS = 156;

/** Numbers from 0 to before `end`, the same in every run. */
function draw(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Leaves are such that about half of the rows of a pair are doubtful after its first half. */
function makeModel(seed: number, trees: number, depth: number, isPair: boolean): TreeEnsemble {
  const next = draw(seed);
  const reach = 6 / Math.sqrt(trees);
  return {
    depth,
    trees,
    bias: -0.4342414775675539,
    isPair,
    features: Uint16Array.from({ length: trees * depth }, () => next(COLUMNS)),
    thresholds: Float32Array.from({ length: trees * depth }, () => next(5) - 2),
    leaves: Float32Array.from({ length: trees << depth }, () => ((next(1000) - 499.5) / 500) * reach),
  };
}

/** Many values are equal to thresholds, some are no numbers. */
function makeValues(seed: number, rows: number): Float32Array {
  const next = draw(seed);
  return Float32Array.from({ length: rows * COLUMNS }, () => (next(50) === 0 ? Number.NaN : (next(9) - 4) / 2));
}

/** The sum of one row, as the model's description says. */
function sumRow(model: TreeEnsemble, valueIn: (column: number) => number): number {
  const add = (start: number, first: number, end: number): number => {
    let sum = Math.fround(start);
    for (let tree = first; tree < end; tree++) {
      let leaf = 0;
      for (let question = tree * model.depth; question < (tree + 1) * model.depth; question++)
        leaf = leaf * 2 + (valueIn(model.features[question]!) > model.thresholds[question]! ? 1 : 0);
      sum = Math.fround(sum + model.leaves[tree * 2 ** model.depth + leaf]!);
    }
    return sum;
  };
  if (!model.isPair) return add(model.bias, 0, model.trees);
  const half = add(model.bias, 0, model.trees / 2);
  const whole = half * 2 - model.bias;
  return Math.abs(whole) > 4 ? Math.fround(whole) : Math.fround(half + add(0, model.trees / 2, model.trees));
}

function sumRows(model: TreeEnsemble, values: Float32Array, rows: number): Float32Array {
  return Float32Array.from({ length: rows }, (_, row) => sumRow(model, (column) => values[column * rows + row]!));
}

const pair = makeModel(1, 40, 6, true);
const cases = [
  ...[0, 1, 2, 3, 4, 5, 62, 511, 512, 513, 1301].map((rows) => ({ rows, model: pair, name: "a pair" })),
  { rows: 90, model: makeModel(2, 31, 6, false), name: "not a pair" },
  { rows: 90, model: makeModel(3, 100, 3, false), name: "trees of another depth" },
  { rows: 9, model: makeModel(4, 900, 6, true), name: "more trees than there is room for" },
  { rows: 9, model: makeModel(5, 0, 6, true), name: "no tree" },
];

test("the committed bytes are those of the source", async () => {
  const name = "tree-sums.wat";
  const source = readFileSync(new URL(`../src/transform/main-content/${name}`, import.meta.url), "utf8");
  const { parseWat } = await wabt();
  expect(TREE_SUMS).toBe(Buffer.from(parseWat(name, source).toBinary({}).buffer).toString("base64"));
});

describe("in WebAssembly", () => {
  test("which this machine allows", () => {
    expect(treeMemory()?.rowsAtOnce(pair, COLUMNS)).toBeGreaterThan(4);
  });

  test("as is the model that ships", () => {
    const columns = BLOCK_FEATURES.length + PAGE_TYPES.length;
    expect(treeMemory()?.rowsAtOnce(finish(contentModel()).blocks, columns)).toBeGreaterThan(4);
  });

  test.each(cases)("$rows rows have the sums of their leaves: $name", ({ rows, model }) => {
    const values = makeValues(rows, rows);
    expect(sumTrees(model, values, rows)).toEqual(sumRows(model, values, rows));
  });

  test("any number of models take turns", () => {
    const models = [11, 12, 13, 14, 15].map((seed) => makeModel(seed, 300, 6, true));
    const values = makeValues(1, 30);
    for (const model of [...models, ...models]) expect(sumTrees(model, values, 30)).toEqual(sumRows(model, values, 30));
  });
});

describe("without WebAssembly", () => {
  let sumWithout: typeof sumTrees;
  beforeAll(async () => {
    vi.resetModules();
    sumWithout = (await import("../src/transform/main-content/sum-trees.ts")).sumTrees;
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each(cases)("$rows rows have the same sums: $name", ({ rows, model }) => {
    vi.stubGlobal("WebAssembly", undefined);
    const values = makeValues(rows, rows);
    expect(sumWithout(model, values, rows)).toEqual(sumRows(model, values, rows));
  });
});
