/** Determines how deeply list items are nested, as they come one after the other. */

import type { Block, TextBlock } from "./blocks.ts";

/** Lists nest no deeper. Each item of a page made for it could be within the one before, and be indented further. */
const deepest = 20;

export class ListDepths {
  readonly #levels: ReadonlyMap<Block, number>;
  /** The left edges of the open items' marks. */
  #lefts: number[] = [];
  /** The position of the last item. */
  #y = 0;
  #edge = 0;

  /** @param levels the headings: one that starts with a number is no item */
  constructor(levels: ReadonlyMap<Block, number>) {
    this.#levels = levels;
  }

  /** The number of items around the next block; undefined if it is no item, which ends all lists. */
  next(block: Block): number | undefined {
    if (!this.#isItem(block)) {
      this.#lefts = [];
      return undefined;
    }
    const { left, y } = block.lines[0]!;
    // An item that is above the one before, and to the right of all of it, continues in the next column.
    if (y < this.#y && left > this.#edge) this.#lefts = [];
    [this.#y, this.#edge] = [y, block.edge];
    if (block.depth === undefined) this.#lefts = this.#lefts.filter((open) => open < left - block.fontSize * 0.5);
    else this.#lefts.length = Math.min(this.#lefts.length, block.depth - 1);
    this.#lefts.length = Math.min(this.#lefts.length, deepest - 1);
    return this.#lefts.push(left) - 1;
  }

  #isItem(block: Block): block is TextBlock {
    return block.kind === "text" && block.marker !== undefined && !this.#levels.has(block);
  }
}
