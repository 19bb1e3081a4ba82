/** Takes everything out of the tree that was not chosen; each parent's children are filtered once. */
import type { ChildNode, Element, ParentNode } from "domhandler";
import { removeChildren } from "../walk.ts";
import { HIDDEN, type PageTable } from "./page-table.ts";
import { BLOCK, CELL, MEDIA, tagId } from "./tags.ts";

const RULE = tagId("hr");
/** How far up a picture looks for text that decides about it. */
const MEDIA_REACH = 4;

export function pruneTree(table: PageTable, keep: Uint8Array): void {
  const { elements, parent, end, flags, tag, firstText, texts, textParent } = table;
  const all = table.arrays.integers(elements.length);
  const kept = table.arrays.integers(elements.length);
  const parents = new Set<ParentNode>();
  /** Who is removed has no parent from now on; who has lost children counts them later, once. */
  const remove = (node: ChildNode): void => {
    if (node.parent === null) return;
    parents.add(node.parent);
    node.parent = null;
  };
  for (const node of table.dropped) remove(node);
  for (let block = 0; block < keep.length; block++) {
    for (let text = firstText[block]!; text < firstText[block + 1]!; text++) {
      const element = textParent[text]!;
      all[element]!++;
      if (keep[block] === 1) kept[element]!++;
      else remove(texts[text]!);
    }
  }
  addUp(all, parent);
  addUp(kept, parent);
  const shown = keptMedia(table, all, kept);
  for (let element = 0; element < elements.length; ) {
    const spared = kept[element]! > 0 || shown[element]! > 0;
    const emptyByNature =
      all[element] === 0 &&
      (flags[element]! & MEDIA) === 0 &&
      ((flags[element]! & BLOCK) === 0 || tag[element] === RULE);
    const cell = (flags[element]! & CELL) !== 0 && kept[parent[element]!]! > 0;
    if (parent[element]! < 0 || spared || cell || emptyByNature) {
      element++;
    } else {
      remove(elements[element]!);
      element = end[element]!;
    }
  }
  for (const node of parents) removeChildren(node, (child) => child.parent === null);
  for (let element = 0; element < elements.length; element++) {
    if (kept[element]! > 0 && (flags[element]! & HIDDEN) !== 0) show(elements[element]!);
  }
}

/** What was hidden and is kept waits behind a click (a tab, an accordion): later steps shall see it. */
function show({ attribs }: Element): void {
  delete attribs["hidden"];
  delete attribs["aria-hidden"];
  if (attribs["style"] !== undefined) delete attribs["style"];
}

function addUp(counts: Int32Array, parent: Int32Array): void {
  for (let element = counts.length - 1; element > 0; element--) {
    const around = parent[element]!;
    if (around >= 0) counts[around]! += counts[element]!;
  }
}

/** How many pictures and players stay inside each element: those among text of which at least half stays. */
function keptMedia(table: PageTable, all: Int32Array, kept: Int32Array): Int32Array {
  const shown = table.arrays.integers(all.length);
  for (const medium of table.media) {
    // What a player says to browsers that cannot play does not decide about it.
    let element = all[medium] === 0 ? medium : table.parent[medium]!;
    for (let step = 0; step < MEDIA_REACH && element >= 0 && all[element] === 0; step++)
      element = table.parent[element]!;
    if (element >= 0 && all[element]! > 0 && kept[element]! * 2 >= all[element]!) shown[medium] = 1;
  }
  addUp(shown, table.parent);
  return shown;
}
