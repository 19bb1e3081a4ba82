/** Room for all that is said of a page's blocks, column by column. */
import { BLOCK_FEATURES } from "./feature-columns.ts";
import { PAGE_TYPES } from "./page-type.ts";
import { SECOND_FEATURES } from "./second-look.ts";

/** Views of one piece of memory: the columns of a large page are hundreds of megabytes, too much to copy. */
export interface BlockColumns {
  /** What the second look adds, then those of the first judgement. */
  readonly all: Float32Array;
  readonly second: Float32Array;
  /** The blocks' own features, then the page's numbers. */
  readonly first: Float32Array;
  readonly own: Float32Array;
}

/** @param page the page's numbers; each becomes a column that is the same in every row */
export function makeColumns(blocks: number, page: Float32Array): BlockColumns {
  const second = SECOND_FEATURES.length * blocks;
  const own = second + BLOCK_FEATURES.length * blocks;
  const all = new Float32Array(own + PAGE_TYPES.length * blocks);
  page.forEach((value, column) => {
    all.fill(value, own + column * blocks, own + (column + 1) * blocks);
  });
  return { all, second: all.subarray(0, second), first: all.subarray(second), own: all.subarray(second, own) };
}
