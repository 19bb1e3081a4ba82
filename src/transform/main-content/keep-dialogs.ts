/**
 * Keeps what the items of a list show when they are clicked, if it is in dialogs: the projects of a portfolio, the lives
 * of a team, the calls of an interface. Other dialogs sell, ask or warn, and are opened from one place each.
 */
import { targetNames } from "../tab-sets.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import { hasField } from "./keep-facts.ts";
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { BESIDE_TEXT, isBesideText } from "./side-parts.ts";
import { tagId } from "./tags.ts";

const OVERLAY = meaningBit("overlay");
const DIALOG = tagId("dialog");
const BUTTON = tagId("button");
/** Fewer may be a page's own: to log in, to write, to search. */
const LEAST_DIALOGS = 3;
/** A picture that is shown in full has no more than its caption. */
const LEAST_TEXTS = 2;
/** Shops show their products in such dialogs once more. */
const SHOPS: ReadonlySet<PageType> = new Set<PageType>(["collection", "product"]);

/** Adds to `keep`, in place. */
export function keepDialogs(table: PageTable, pageType: PageType, totals: ElementTotals, keep: Uint8Array): void {
  if (SHOPS.has(pageType)) return;
  const dialogs = findDialogs(table);
  if (dialogs.size < LEAST_DIALOGS) return;
  const opened = openedAlike(table, totals, dialogs);
  if (opened.size === 0) return;
  const first = firstBlocks(table);
  for (const dialog of opened) {
    if (hasField(table.elements[dialog]!)) continue;
    const texts: number[] = [];
    for (let block = first[dialog]!; isBlockIn(table, block, dialog); block++)
      if (table.tag[table.blockElement[block]!] !== BUTTON) texts.push(block);
    if (texts.length >= LEAST_TEXTS) for (const block of texts) keep[block] = 1;
  }
}

/** The outermost elements named as dialogs, by their ids. */
function findDialogs({ elements, end, meanings, tag }: PageTable): Map<string, number> {
  const dialogs = new Map<string, number>();
  for (let element = 1; element < elements.length; element++) {
    if ((meanings[element]! & OVERLAY) === 0 && tag[element] !== DIALOG) continue;
    const { id } = elements[element]!.attribs;
    if (id === undefined) continue;
    dialogs.set(id, element);
    element = end[element]! - 1;
  }
  return dialogs;
}

/** The dialogs of which several are opened at the same place in repeated parts of the text. */
function openedAlike(
  table: PageTable,
  { path, repeated }: ElementTotals,
  dialogs: ReadonlyMap<string, number>,
): ReadonlySet<number> {
  const places = new Map<number, Set<number>>();
  table.elements.forEach(({ attribs }, element) => {
    if (repeated[element]! < 0) return;
    for (const name of targetNames) {
      const target = attribs[name];
      const dialog = target?.startsWith("#") ? dialogs.get(target.slice(1)) : undefined;
      if (dialog === undefined || isBesideText(table, element, BESIDE_TEXT)) continue;
      const alike = places.get(path[element]!) ?? new Set();
      places.set(path[element]!, alike.add(dialog));
    }
  });
  return new Set(places.values().flatMap((alike) => (alike.size >= LEAST_DIALOGS ? alike : [])));
}
