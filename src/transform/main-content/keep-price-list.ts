/** Keeps a list of what things cost, like the menu of a restaurant: no item of it reads like content. */
import { addUp } from "./add-up.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import { isPrice } from "./keep-price.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Fewer prices than this may be of other things. */
const LEAST_PRICES = 3;
/** Most words of the list for each price in it. */
const MOST_WORDS = 30;
/** The largest share of linked words: a plan has a link that chooses it. The cards of a shop are links to its products. */
const MOST_LINKED = 0.25;
const MOST_LINKED_IN_SHOP = 0.1;
/** In words; a longer block says more than a price. */
const LONGEST_PRICE = 4;

/** Adds to `keep`, in place, the innermost element that contains all unlinked prices, if it is such a list. */
export function keepPriceList(table: PageTable, pageType: PageType, totals: ElementTotals, keep: Uint8Array): void {
  const { arrays, blockElement, flags, parent, statistics } = table;
  const prices = arrays.integers(parent.length);
  let count = 0;
  let list = -1;
  for (let block = 0; block < keep.length; block++) {
    const row = block * STATISTIC_COUNT;
    const words = statistics[row + STATISTIC.words]!;
    if (words > LONGEST_PRICE || statistics[row + STATISTIC.digits] === 0 || statistics[row + STATISTIC.linkWords]! > 0)
      continue;
    const element = blockElement[block]!;
    if ((flags[element]! & IN_HIDDEN) !== 0 || !isPrice(table, block)) continue;
    prices[element]!++;
    count++;
    list = element;
  }
  if (count < LEAST_PRICES) return;
  addUp(prices, parent);
  while (list >= 0 && prices[list]! < count) list = parent[list]!;
  if (list < 0) return;
  const words = totals.words[list]!;
  // Beside each price there is a name; otherwise they are amounts to choose from.
  if (totals.blocks[list]! < 2 * count) return;
  const mostLinked = pageType === "collection" ? MOST_LINKED_IN_SHOP : MOST_LINKED;
  if (words > MOST_WORDS * count || totals.linkWords[list]! > mostLinked * words) return;
  for (let block = firstBlocks(table)[list]!; isBlockIn(table, block, list); block++) keep[block] = 1;
}
