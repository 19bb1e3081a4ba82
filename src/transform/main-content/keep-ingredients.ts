/** Keeps what a dish or a product is made of: names and amounts, which by themselves do not read like content. */

import { addUp } from "./add-up.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

const name = /ingredient/i;
const BODY = tagId("body");
const CONTROLS = new Set(["button", "label", "form"].map(tagId));
/** Around a label that says what an item is: a box before it is ticked in the kitchen. */
const ITEM = tagId("li");
/** In words; what is longer says more. */
const MOST_WORDS = 400;
/** Above this share of links, a text leads to other recipes. */
const MOST_LINKED = 0.8;
/** How far up from such a part something kept must be around it. */
const REACH = 3;

/** Adds to `keep`, in place, the parts that are named so, with the headings above them. `sizes` are in words. */
export function keepIngredients(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const { elements, end, names, tag } = table;
  if (!names.classes().some((classes) => name.test(classes))) return;
  const first = firstBlocks(table);
  const kept = keptIn(table, keep);
  for (let element = 1; element < elements.length; element++) {
    if (tag[element] === BODY || !name.test(elements[element]!.attribs["class"] ?? "")) continue;
    const from = first[element]!;
    const found: number[] = [];
    let words = 0;
    for (let block = from; isBlockIn(table, block, element); block++) {
      words += sizes[block]!;
      if (!isControl(table, block)) found.push(block);
    }
    if (words <= MOST_WORDS && kept[placeOf(table, element)]! > 0) {
      for (const block of found) keep[block] = 1;
      if (found.length > 0 && from > 0 && table.headingRanks[from - 1]! > 1) keep[from - 1] = 1;
    }
    // Those in it are parts of it.
    element = end[element]! - 1;
  }
}

/** True for what is to be pressed or followed rather than read. */
export function isControl(table: PageTable, block: number): boolean {
  const { blockElement, parent, tag } = table;
  const element = blockElement[block]!;
  const isPressed = CONTROLS.has(tag[element]!) && tag[parent[element]!] !== ITEM;
  return isPressed || linkShare(table, block) > MOST_LINKED;
}

/** By element: how many blocks in it are kept. */
function keptIn({ arrays, blockElement, elements, parent }: PageTable, keep: Uint8Array): Int32Array {
  const kept = arrays.integers(elements.length);
  for (let block = 0; block < keep.length; block++) kept[blockElement[block]!]! += keep[block]!;
  addUp(kept, parent);
  return kept;
}

/** The element around such a part in which something must be kept. */
function placeOf({ parent }: PageTable, element: number): number {
  let around = element;
  for (let step = 0; step < REACH && parent[around]! > 0; step++) around = parent[around]!;
  return around;
}
