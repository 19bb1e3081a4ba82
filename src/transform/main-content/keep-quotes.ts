/** Keeps what a post answers to: a quotation within its text, whole, with the name of who is quoted. */
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const QUOTATION = tagId("blockquote");
/** From this chance on, a text surely belongs to a post. */
const SURE = 0.85;
/** In words; a shorter text may be the label of what is in it. */
const LEAST_WORDS = 6;
/** Least chance of a quotation, on average over its words, and of each text in it. */
const LEAST_MEAN = 0.3;
const LEAST_CHANCE = 0.08;
/** How far up from a quotation the text around it is searched for. */
const REACH = 3;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function keepQuotes(table: PageTable, keep: Uint8Array, chances: Float32Array, sizes: Float32Array): void {
  const { arrays, blockElement, end, parent, tag } = table;
  let quotation = tag.indexOf(QUOTATION);
  if (quotation < 0) return;
  const texts = arrays.bytes(tag.length);
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 1 && chances[block]! >= SURE && sizes[block]! >= LEAST_WORDS) texts[blockElement[block]!] = 1;
  }
  const first = firstBlocks(table);
  for (; quotation >= 0; quotation = tag.indexOf(QUOTATION, end[quotation])) {
    if (!isIn(texts, parent, quotation)) continue;
    let words = 0;
    let expected = 0;
    for (let block = first[quotation]!; isBlockIn(table, block, quotation); block++) {
      words += sizes[block]!;
      expected += sizes[block]! * chances[block]!;
    }
    if (expected < LEAST_MEAN * words) continue;
    for (let block = first[quotation]!; isBlockIn(table, block, quotation); block++) {
      keep[block] = chances[block]! >= LEAST_CHANCE && !isControl(table, block) ? 1 : 0;
    }
  }
}

/** What shows the rest of a long quotation. */
function isControl({ blockLeaf, elements }: PageTable, block: number): boolean {
  const { name, attribs } = elements[blockLeaf[block]!]!;
  return name === "button" || attribs["role"] === "button";
}

function isIn(texts: Uint8Array, parent: Int32Array, quotation: number): boolean {
  let element = parent[quotation]!;
  for (let step = 0; step < REACH && element >= 0; step++) {
    if (texts[element] === 1) return true;
    element = parent[element]!;
  }
  return false;
}
