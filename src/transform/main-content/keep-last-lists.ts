/**
 * Keeps the short list below a heading that is kept, in a text with sections: the sources and further pages at its end
 * read like the links of any page, and their heading alone says nothing.
 */
import { isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const ITEMS = new Set(["li", "dd"].map(tagId));
/** Kept headings in the same element; with fewer it may be a part beside the text. */
const LEAST_HEADINGS = 4;
/** In words, of the whole list. */
const LONGEST = 60;
/** An item less likely than this is about the site. */
const LEAST_CHANCE = 0.1;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepLastLists(table: PageTable, keep: Uint8Array, chances: Float32Array, sizes: Float32Array): void {
  const { blockElement, headingRanks, parent, tag } = table;
  /** By element: the kept headings in it. */
  const headings = new Map<number, number>();
  const isItem = (block: number): boolean => {
    const element = blockElement[block]!;
    return ITEMS.has(tag[element]!) || ITEMS.has(tag[parent[element]!]!);
  };
  for (let block = 0; block + 1 < keep.length; block++) {
    if (headingRanks[block]! < 2 || keep[block] === 0) continue;
    const text = textAround(table, block);
    const count = (headings.get(text) ?? 0) + 1;
    headings.set(text, count);
    if (count < LEAST_HEADINGS || text < 0) continue;
    const isInSection = (next: number): boolean => isBlockIn(table, next, text) && headingRanks[next] === 0;
    let end = block + 1;
    for (let words = 0; isInSection(end); end++) {
      words += sizes[end]!;
      if (keep[end] === 1 || !isItem(end) || chances[end]! < LEAST_CHANCE || words > LONGEST) break;
    }
    if (!isInSection(end)) keep.fill(1, block + 1, end);
  }
}

/** The element that a heading is in, or the next one if that is a box for the heading and its controls alone. */
function textAround(table: PageTable, heading: number): number {
  const box = table.parent[table.blockElement[heading]!]!;
  return box < 0 || isBlockIn(table, heading + 1, box) ? box : table.parent[box]!;
}
