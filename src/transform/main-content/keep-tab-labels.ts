/** Keeps the labels of tabs whose panels are kept: they read like a menu, but nothing else may tell what a panel is. */
import type { Element } from "domhandler";
import { isTabList, mayHoldTabs, readTabs } from "../tab-sets.ts";
import { firstBlocks, isBlockIn } from "./element-blocks.ts";
import type { PageTable } from "./page-table.ts";
import { BLOCK } from "./tags.ts";

/** Most lists of tabs on one page. */
const MOST_LISTS = 100;

/** Adds to `keep`, in place. */
export function keepTabLabels(table: PageTable, keep: Uint8Array): void {
  const { names } = table;
  if (!names.has("role", "tablist") && !names.classes().some(mayHoldTabs)) return;
  const tabs = table.elements.filter(isTabList).slice(0, MOST_LISTS).flatMap(readTabs);
  if (tabs.length === 0) return;
  const first = firstBlocks(table);
  const places = new Map<Element, number>();
  for (const { label, panel } of tabs) places.set(label, -1).set(panel, -1);
  table.elements.forEach((element, index) => {
    if (places.has(element)) places.set(element, index);
  });
  const blocksIn = function* (element: Element): Generator<number> {
    let index = places.get(element)!;
    // Text in an inline element belongs to the block around it.
    while (index >= 0 && (table.flags[index]! & BLOCK) === 0) index = table.parent[index]!;
    if (index < 0) return;
    for (let block = first[index]!; isBlockIn(table, block, index); block++) yield block;
  };
  for (const { label, panel } of tabs) {
    if (!blocksIn(panel).some((block) => keep[block] === 1)) continue;
    for (const block of blocksIn(label)) keep[block] = 1;
  }
}
