/** Leaves out what is left of a line when the rest of it is left out: `Posted … in … by …` without date and names. */
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const PARAGRAPHS = new Set(["p", "span", "div"].map(tagId));
/** In words, of each kept part, and of the whole line. */
const LONGEST = 2.5;
const LONGEST_LINE = 20;
/** Fewer parts than this may be a short text beside a link. */
const LEAST_PARTS = 3;
const MOST_PARTS = 12;

/** Takes from `keep`, in place. `sizes` are the blocks' sizes in words. */
export function dropFragments(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { blockElement, headingRanks, parent, tag } = table;
  let first: Int32Array | undefined;
  const isFragment = (block: number): boolean =>
    sizes[block]! <= LONGEST && headingRanks[block] === 0 && PARAGRAPHS.has(tag[blockElement[block]!]!);
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0 || !isFragment(block)) continue;
    const line = parent[blockElement[block]!]!;
    if (line < 0) continue;
    first ??= firstBlocks(table);
    const from = first[line]!;
    let [end, words, kept, isLine] = [from, 0, 0, true];
    for (; isLine && isBlockIn(table, end, line); end++) {
      words += sizes[end]!;
      kept += keep[end]!;
      isLine = end - from < MOST_PARTS && words <= LONGEST_LINE && (keep[end] === 0 || isFragment(end));
    }
    if (isLine && end - from >= LEAST_PARTS && kept * 2 <= end - from) keep.fill(0, from, end);
  }
}
