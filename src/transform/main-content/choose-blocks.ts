/** Decides which blocks are kept: those with the highest expected F1 of the page's words, and what belongs to them. */
import { agreeLikes } from "./agree-likes.ts";
import { completeStructures, lean } from "./complete-structures.ts";
import { dropFarLinks } from "./drop-far-links.ts";
import { dropNamed } from "./drop-named.ts";
import type { ElementTotals } from "./element-totals.ts";
import { keepCaptions } from "./keep-captions.ts";
import { keepCode } from "./keep-code.ts";
import { keepCodeLabels } from "./keep-code-labels.ts";
import { keepPrice } from "./keep-price.ts";
import { keepTabLabels } from "./keep-tab-labels.ts";
import { keepTitle } from "./keep-title.ts";
import { keepTitleBlock } from "./keep-title-block.ts";
import type { PageArrays } from "./page-arrays.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { keepSmallPage, type SmallPage } from "./small-page.ts";
import { chancesOf } from "./sum-trees.ts";

/**
 * What doubt about a text weighs on pages of a type. Shops repeat much that reads like content (offers, reviews, terms),
 * and manuals carry notes about themselves.
 */
const TYPE_LEANING: Partial<Record<PageType, number>> = { documentation: -0.25, product: -0.8, collection: -0.4 };

/** The bits of 1 as a number of 32 bits, and as many blocks as leave room for them. */
const BITS_OF_ONE = 0x3f800000;
const MOST_BLOCKS = 2 ** 23;

/**
 * 1 for each block to keep, by the model's sums (which are changed) and the blocks' sizes in words.
 * @param small what is known of the page if it is small
 * @param title the title in the page's head
 * @param totals what lies in and around each element
 */
export function decideBlocks(
  table: PageTable,
  pageType: PageType,
  sums: Float32Array,
  sizes: Float32Array,
  small: SmallPage | undefined,
  title: string | undefined,
  totals: ElementTotals,
): Uint8Array {
  lean(table, sums, TYPE_LEANING[pageType] ?? 0);
  const chances = chancesOf(sums, table.arrays);
  const keep = chooseBlocks(chances, sizes, table.arrays);
  completeStructures(table, keep, chances, sizes);
  agreeLikes(table, pageType, totals, keep, sizes);
  if (small !== undefined) keepSmallPage(table, small, keep);
  dropNamed(table, small, keep, sizes);
  dropFarLinks(table, keep, sizes);
  keepCaptions(table, keep);
  keepTitle(table, pageType, title, keep, sizes);
  keepTitleBlock(table, pageType, keep, sizes);
  // Between the posts of a thread stands what was quoted, too.
  if (pageType !== "forum") keepCode(table, keep);
  keepCodeLabels(table, keep);
  keepTabLabels(table, keep);
  if (pageType === "product") keepPrice(table, keep);
  return keep;
}

/** The blocks by their chances, the greatest first. */
function byChance(chances: Float32Array): Float64Array {
  const keys = new Float64Array(chances.length);
  // One number for both, since numbers are sorted without a call for each pair; the bits of chances rise as they do.
  const bits = new Uint32Array(chances.buffer, chances.byteOffset, chances.length);
  for (let block = 0; block < keys.length; block++) keys[block] = (BITS_OF_ONE - bits[block]!) * MOST_BLOCKS + block;
  keys.sort();
  for (let place = 0; place < keys.length; place++) keys[place]! %= MOST_BLOCKS;
  return keys;
}

/** 1 for each block to keep, so that the expected F1 is highest. `words` are the sizes of the blocks. */
function chooseBlocks(chances: Float32Array, words: Float32Array, arrays: PageArrays): Uint8Array {
  const order = byChance(chances);
  let expected = 0;
  for (let block = 0; block < chances.length; block++) expected += chances[block]! * words[block]!;
  let taken = 0;
  let right = 0;
  let best = 0;
  let threshold = 1;
  for (const block of order) {
    taken += words[block]!;
    right += chances[block]! * words[block]!;
    const f1 = (2 * right) / (taken + expected);
    if (f1 > best) {
      best = f1;
      threshold = chances[block]!;
    }
  }
  const keep = arrays.bytes(chances.length);
  for (let block = 0; block < chances.length; block++) keep[block] = chances[block]! >= threshold ? 1 : 0;
  return keep;
}
