/** Keeps the cards of a list alike: the model takes the titles of some for content by chance, and seldom a price. */
import { blockText } from "./block-text.ts";
import type { ElementTotals } from "./element-totals.ts";
import { isPrice } from "./keep-price.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isQuestion } from "./questions.ts";

const LISTS: ReadonlySet<PageType> = new Set<PageType>(["collection", "listing"]);
/** Fewer elements than this may be alike by chance. */
const LEAST_CARDS = 4;
/** The titles of all cards are kept if at least this share of them is. */
const LEAST_SHARE = 0.25;
/** How far up from the text of a price the element that strikes it out is searched for. */
const REACH = 6;
const struck = new Set(["s", "del", "strike"]);

/** The titles at the same place in the cards of one list. */
class Titles {
  readonly blocks: number[] = [];
  kept = 0;
}

/** Changes `keep` in place, on pages of lists. Titles that are kept elsewhere stay there; answers may be folded. */
export function keepCards(table: PageTable, pageType: PageType, totals: ElementTotals, keep: Uint8Array): void {
  if (!LISTS.has(pageType)) return;
  const { path, repeated } = totals;
  const { blockElement, parent } = table;
  const lists = new Map<string, Titles>();
  const said = new Map<string, number>();
  for (let block = 0; block < keep.length; block++) {
    const element = blockElement[block]!;
    const card = repeated[element]!;
    if (card < 0 || card === element || table.headingRanks[block] === 0 || isQuestion(table, block)) continue;
    if (keep[block] === 1) {
      const title = blockText(table, block).trim();
      // Some shops have it above and below the edge of the picture.
      if (said.get(title) === card) keep[block] = 0;
      else said.set(title, card);
    }
    const place = `${path[element]} ${parent[card]}`;
    const titles = lists.get(place) ?? new Titles();
    lists.set(place, titles);
    titles.blocks.push(block);
    titles.kept += keep[block]!;
  }
  const cards = new Set<number>();
  for (const { blocks, kept } of lists.values()) {
    if (blocks.length < LEAST_CARDS || kept < LEAST_SHARE * blocks.length) continue;
    for (const block of blocks) {
      cards.add(repeated[blockElement[block]!]!);
      if (!said.has(blockText(table, block).trim())) keep[block] = 1;
    }
  }
  if (pageType === "collection" && cards.size > 0) keepPrices(table, totals, keep, cards);
}

/** Adds the first price of each card that is not struck out, as old ones are. Takes from `cards`. */
function keepPrices(table: PageTable, { repeated }: ElementTotals, keep: Uint8Array, cards: Set<number>): void {
  for (let block = 0; block < keep.length; block++) {
    const card = repeated[table.blockElement[block]!]!;
    if (!cards.has(card) || !isPrice(table, block) || isStruck(table, block)) continue;
    keep[block] = 1;
    cards.delete(card);
  }
}

function isStruck({ elements, firstText, parent, textParent }: PageTable, block: number): boolean {
  let element = textParent[firstText[block]!]!;
  for (let step = 0; step < REACH && element >= 0; step++) {
    if (struck.has(elements[element]!.name)) return true;
    element = parent[element]!;
  }
  return false;
}
