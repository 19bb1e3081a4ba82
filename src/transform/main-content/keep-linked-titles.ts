/**
 * Keeps the titles of what a list shows a piece of: each is a link, above a text that is kept. Lists of threads read like
 * threads, where such lines are about each post; but there they are all alike.
 */
import { blockText } from "./block-text.ts";
import type { ElementTotals } from "./element-totals.ts";
import { hrefAround } from "./link-around.ts";
import type { PageTable } from "./page-table.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Fewer elements than this may be alike by chance. */
const LEAST_CARDS = 4;
/** At least this share of them differ, as do the pages that they lead to. */
const LEAST_SHARE = 0.8;
/** In words: of the text that a card shows, and of the longest title with what is beside it. */
const LEAST_TEXT = 8;
const LONGEST = 25;
/** Linked words of the titles on average; names are shorter. */
const LEAST_WORDS = 2.5;
/** In characters, of what is compared. */
const COMPARED = 400;
/** Texts of a block in which a link is searched for. */
const MOST_TEXTS = 20;

/** What stands first in the cards of one list. */
interface Titles {
  readonly blocks: number[];
  readonly texts: Set<string>;
  readonly targets: Set<string>;
  words: number;
}

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepLinkedTitles(
  table: PageTable,
  { path, repeated }: ElementTotals,
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  const { blockElement, parent, statistics } = table;
  const lists = new Map<string, Titles>();
  let lastCard = -1;
  for (let block = 0; block + 1 < keep.length; block++) {
    const element = blockElement[block]!;
    const card = repeated[element]!;
    const isFirst = card >= 0 && card !== lastCard;
    lastCard = card;
    if (!isFirst || card === element || sizes[block]! > LONGEST) continue;
    const target = linkIn(table, block);
    if (target === undefined || target.startsWith("#") || !showsText(block, card)) continue;
    const place = `${path[element]} ${parent[card]}`;
    const titles = lists.get(place) ?? { blocks: [], texts: new Set(), targets: new Set(), words: 0 };
    lists.set(place, titles);
    titles.blocks.push(block);
    titles.texts.add(blockText(table, block, COMPARED).replace(/\s+/g, " ").trim());
    titles.targets.add(target);
    titles.words += statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]!;
  }
  for (const { blocks, texts, targets, words } of lists.values()) {
    if (blocks.length < LEAST_CARDS || words < LEAST_WORDS * blocks.length) continue;
    if (Math.min(texts.size, targets.size) < LEAST_SHARE * blocks.length) continue;
    for (const block of blocks) keep[block] = 1;
  }

  /** Whether one of the next texts in the card is a kept one. */
  function showsText(title: number, card: number): boolean {
    for (let block = title + 1; block <= title + 3 && repeated[blockElement[block] ?? -1] === card; block++) {
      if (keep[block] === 1 && sizes[block]! >= LEAST_TEXT) return true;
    }
    return false;
  }
}

function linkIn(table: PageTable, block: number): string | undefined {
  const { firstText, textParent } = table;
  const end = Math.min(firstText[block + 1]!, firstText[block]! + MOST_TEXTS);
  for (let text = firstText[block]!; text < end; text++) {
    const href = hrefAround(table, textParent[text]!);
    if (href !== undefined) return href;
  }
  return undefined;
}
