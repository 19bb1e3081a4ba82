/** The memory of the WebAssembly that sums up trees: models stay in it, rows of values pass through. */
import type { TreeEnsemble } from "./tree-ensemble.ts";
import { TREE_SUMS } from "./tree-sums.wasm.ts";

/** The size of trees that `tree-sums.wat` is written for. */
const DEPTH = 6;
const LEAVES = 2 ** DEPTH;
const TREE_BYTES = LEAVES * 4 + DEPTH * 4 + DEPTH * 2;
const ROWS_IN_GROUP = 4;

/** Most rows at once: with their columns they stay in a processor's second-level cache. */
const MOST_ROWS = 512;

/** Addresses. The models come first, with room for one of 1,000 trees. */
const GROUPS = 288 * 1024;
const SUMS = GROUPS + MOST_ROWS;
const VALUES = SUMS + MOST_ROWS * 4;

type AddTrees = (
  tree: number,
  treesEnd: number,
  values: number,
  columnBytes: number,
  groups: number,
  groupsEnd: number,
  sums: number,
) => void;

/** The part of the global that is used here; Node's types do not describe it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly addTrees: AddTrees };
  };
};

/** Has a fixed size of 512 KiB. It is filled and read within one call, so all callers in a thread share one. */
class TreeMemory {
  readonly #addTrees: AddTrees;
  readonly #floats: Float32Array;
  readonly #words: Uint32Array;
  readonly #halfWords: Uint16Array;
  /** The addresses of models. */
  readonly #models = new Map<TreeEnsemble, number>();
  #free = 0;
  #rows = 0;

  /** @throws if WebAssembly or its vectors are not allowed */
  constructor() {
    const module = new WebAssembly.Module(Buffer.from(TREE_SUMS, "base64"));
    const { memory, addTrees } = new WebAssembly.Instance(module).exports;
    this.#addTrees = addTrees;
    this.#floats = new Float32Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    this.#halfWords = new Uint16Array(memory.buffer);
  }

  /** How many rows may be loaded at once; 0 if the model does not fit this memory. */
  rowsAtOnce(model: TreeEnsemble, columns: number): number {
    if (model.depth !== DEPTH || model.trees * TREE_BYTES > GROUPS) return 0;
    // The last group may reach beyond the last row.
    const room = this.#floats.length - VALUES / 4 - ROWS_IN_GROUP;
    return Math.min(MOST_ROWS, Math.floor(room / columns));
  }

  /** Loads `count` rows of all columns, replacing earlier rows. */
  load(values: Float32Array, rows: number, from: number, count: number): void {
    this.#rows = count;
    if (count === rows) {
      this.#floats.set(values, VALUES / 4);
      return;
    }
    let to = VALUES / 4;
    for (let start = from; start < values.length; start += rows) {
      this.#floats.set(values.subarray(start, start + count), to);
      to += count;
    }
  }

  /**
   * For each wanted row that is loaded: `start` plus the trees from `first` to before `end`. Valid until the next call.
   */
  sum(model: TreeEnsemble, first: number, end: number, start: number, wanted?: readonly number[]): Float32Array {
    const trees = this.#addressOf(model);
    const sums = this.#floats.subarray(SUMS / 4, SUMS / 4 + this.#rows).fill(start);
    this.#addTrees(
      trees + first * TREE_BYTES,
      trees + end * TREE_BYTES,
      VALUES,
      this.#rows * 4,
      GROUPS,
      wanted === undefined ? this.#listAllGroups() : this.#listGroups(wanted),
      SUMS,
    );
    return sums;
  }

  #listAllGroups(): number {
    let next = GROUPS / 4;
    for (let row = 0; row < this.#rows; row += ROWS_IN_GROUP) this.#words[next++] = row * 4;
    return next * 4;
  }

  /** Lists the groups that contain a wanted row; returns the end of the list. */
  #listGroups(wanted: readonly number[]): number {
    let next = GROUPS / 4;
    let last = -1;
    for (const row of wanted) {
      const group = row - (row % ROWS_IN_GROUP);
      if (group === last) continue;
      this.#words[next++] = group * 4;
      last = group;
    }
    return next * 4;
  }

  /** Loads a model at its first use. If there is no room left, all others are dropped and loaded again when needed. */
  #addressOf(model: TreeEnsemble): number {
    const known = this.#models.get(model);
    if (known !== undefined) return known;
    const size = model.trees * TREE_BYTES;
    if (this.#free + size > GROUPS) {
      this.#models.clear();
      this.#free = 0;
    }
    const address = this.#free;
    for (let tree = 0; tree < model.trees; tree++) {
      const at = address + tree * TREE_BYTES;
      const question = tree * DEPTH;
      this.#floats.set(model.leaves.subarray(tree * LEAVES, (tree + 1) * LEAVES), at / 4);
      this.#floats.set(model.thresholds.subarray(question, question + DEPTH), at / 4 + LEAVES);
      this.#halfWords.set(model.features.subarray(question, question + DEPTH), at / 2 + (LEAVES + DEPTH) * 2);
    }
    this.#models.set(model, address);
    this.#free += size;
    return address;
  }
}

let shared: TreeMemory | null | undefined;

/** This thread's memory, created at its first use; undefined if the machine does not allow it. */
export function treeMemory(): TreeMemory | undefined {
  if (shared === undefined) {
    try {
      shared = new TreeMemory();
    } catch {
      shared = null;
    }
  }
  return shared ?? undefined;
}
