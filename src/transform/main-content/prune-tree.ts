/** Takes everything out of the tree that was not chosen; each parent's children are filtered once. */
import { type ChildNode, type Element, isTag, type ParentNode } from "domhandler";
import { removeChildren } from "../html/walk.ts";
import { addUp } from "./add-up.ts";
import { chooseMedia } from "./choose-media.ts";
import { isHidden } from "./node-kinds.ts";
import { HIDDEN, type PageTable } from "./page-table.ts";
import type { SmallPage } from "./small-page.ts";
import { BLOCK, CELL, MEDIA, tagId } from "./tags.ts";

const RULE = tagId("hr");
/** How far up a drawing looks for its cell, and a box to tick for its list item. */
const REACH = 4;

export function pruneTree(table: PageTable, keep: Uint8Array, small?: SmallPage): void {
  const { elements, parent, end, flags, tag, firstText, texts, textParent } = table;
  const all = table.arrays.integers(elements.length);
  const kept = table.arrays.integers(elements.length);
  const shown = chooseMedia(table, keep, small);
  const parents = new Set<ParentNode>();
  /** Who is removed has no parent from now on; who has lost children counts them later, once. */
  const remove = (node: ChildNode): void => {
    if (node.parent === null) return;
    parents.add(node.parent);
    node.parent = null;
  };
  for (const node of table.dropped) if (!isCellSymbol(node) && !isTaskBox(node)) remove(node);
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
  let symbolsEnd = 0;
  for (let element = 0; element < elements.length; ) {
    const spared = kept[element]! > 0 || shown[element]! > 0;
    const cell = (flags[element]! & CELL) !== 0 && kept[parent[element]!]! > 0;
    // What it says, it says by a symbol.
    if (cell && all[element] === 0) symbolsEnd = Math.max(symbolsEnd, end[element]!);
    const emptyByNature =
      all[element] === 0 &&
      (flags[element]! & MEDIA) === 0 &&
      ((flags[element]! & BLOCK) === 0 || tag[element] === RULE || element < symbolsEnd);
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

/** A drawing with a name can be all that a table cell holds. */
function isCellSymbol(node: ChildNode): boolean {
  if (!isTag(node) || node.name !== "svg") return false;
  if (!isWithin(node, cells)) return false;
  const { "aria-label": label } = node.attribs;
  return label !== undefined || node.children.some((child) => isTag(child) && child.name === "title");
}

/** Whether a thing on a list is done is said by its box alone. */
function isTaskBox(node: ChildNode): boolean {
  if (!isTag(node) || node.name !== "input" || node.attribs["type"]?.toLowerCase() !== "checkbox") return false;
  return isWithin(node, listItems) && !isHidden(node);
}

const cells = new Set(["td", "th"]);
const listItems = new Set(["li"]);

function isWithin(node: Element, names: ReadonlySet<string>): boolean {
  let around = node.parent;
  for (let step = 0; step < REACH && around !== null && isTag(around); step++) {
    if (names.has(around.name)) return true;
    around = around.parent;
  }
  return false;
}
