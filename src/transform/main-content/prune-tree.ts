/** Takes everything out of the tree that was not chosen; each parent's children are filtered once. */
import type { ChildNode, Element, ParentNode } from "domhandler";
import { removeChildren } from "../walk.ts";
import { addUp } from "./add-up.ts";
import { chooseMedia } from "./choose-media.ts";
import { HIDDEN, type PageTable } from "./page-table.ts";
import { BLOCK, CELL, MEDIA, tagId } from "./tags.ts";

const RULE = tagId("hr");

export function pruneTree(table: PageTable, keep: Uint8Array): void {
  const { elements, parent, end, flags, tag, firstText, texts, textParent } = table;
  const all = table.arrays.integers(elements.length);
  const kept = table.arrays.integers(elements.length);
  const shown = chooseMedia(table, keep);
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
