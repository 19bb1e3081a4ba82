/** Keeps what a page of pictures says about each: of the cards of a portfolio, little more than a title can be read. */
import { addUp } from "./add-up.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import { isBesideText } from "./side-parts.ts";

/** Fewer cards may be about other things. */
const LEAST_CARDS = 4;
/** In words, of a card. */
const LONGEST = 12;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepWorks(table: PageTable, totals: ElementTotals, keep: Uint8Array, sizes: Float32Array): void {
  const { arrays, blockElement, flags, headingRanks, media, parent } = table;
  const { path, repeated, words } = totals;
  if (media.length < LEAST_CARDS) return;
  const pictures = arrays.integers(parent.length);
  for (const element of media) pictures[element]!++;
  addUp(pictures, parent);
  const groups = new Map<string, number[]>();
  let kept = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 1) kept += sizes[block]!;
    const card = repeated[blockElement[block]!]!;
    if (card < 0 || headingRanks[block] === 0 || pictures[card] !== 1 || words[card]! > LONGEST) continue;
    if ((flags[card]! & IN_HIDDEN) !== 0) continue;
    const place = `${path[card]} ${parent[card]}`;
    const cards = groups.get(place);
    if (cards === undefined) groups.set(place, [card]);
    else if (cards.at(-1) !== card) cards.push(card);
  }
  const first = firstBlocks(table);
  const title = keep.findIndex((isKept, block) => isKept === 1 && headingRanks[block] === 1);
  let heading = title + 1;
  while (headingRanks[heading] === 0) heading++;
  for (const cards of groups.values()) {
    const said = cards.reduce((sum, card) => sum + words[card]!, 0);
    if (cards.length < LEAST_CARDS || said < kept || isBesideText(table, cards[0]!)) continue;
    // Those below a heading of their own are others than the page is about.
    if (title < 0 || first[cards[0]!]! > heading) continue;
    for (const card of cards) {
      for (let block = first[card]!; isBlockIn(table, block, card); block++) keep[block] = 1;
    }
  }
}
