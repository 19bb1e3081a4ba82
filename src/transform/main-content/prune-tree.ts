/** Takes everything out of the tree that was not chosen; each parent's children are filtered once. */
import { type ChildNode, type Element, isTag, type ParentNode } from "domhandler";
import { removeChildren } from "../html/walk.ts";
import { isDrawnBox } from "../task-boxes.ts";
import { addUp } from "./add-up.ts";
import { chooseMedia } from "./choose-media.ts";
import { isHidden } from "./node-kinds.ts";
import { HIDDEN, type PageTable } from "./page-table.ts";
import type { SmallPage } from "./small-page.ts";
import { BLOCK, CELL, MEDIA, tagId } from "./tags.ts";

const RULE = tagId("hr");
const ROW = tagId("tr");
const CODE: ReadonlySet<number> = new Set(["pre", "code"].map(tagId));
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
  // Where styles draw the box, it stands in a label without text.
  const boxes = new Set<ParentNode | null>();
  for (const node of table.dropped) {
    if (isTaskBox(node)) boxes.add(node.parent);
    else if (!isSource(node) && !isCellSymbol(node)) remove(node);
  }
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
  // Behind the last element of the cell, and of the code, that is being looked at.
  let symbolsEnd = 0;
  let linesEnd = 0;
  for (let element = 0; element < elements.length; ) {
    const spared = kept[element]! > 0 || shown[element]! > 0;
    const around = parent[element]!;
    // Cells above may span a row without text: it stays, or those below would move.
    const row = tag[element] === ROW && all[element] === 0 && kept[around]! > 0;
    // As many as before, also in such a row, and in one that stays for a picture.
    const cell = (flags[element]! & CELL) !== 0 && (kept[around]! > 0 || tag[around] === ROW);
    // What it says, it says by a symbol.
    if (cell && all[element] === 0) symbolsEnd = Math.max(symbolsEnd, end[element]!);
    // A line without text parts the lines around it.
    if (kept[element]! > 0 && CODE.has(tag[element]!)) linesEnd = Math.max(linesEnd, end[element]!);
    const emptyByNature =
      all[element] === 0 &&
      (flags[element]! & MEDIA) === 0 &&
      ((flags[element]! & BLOCK) === 0 || tag[element] === RULE || element < symbolsEnd || element < linesEnd);
    const box = all[element] === 0 && (boxes.has(elements[element]!) || isDrawnTaskBox(elements[element]!));
    if (around < 0 || spared || row || cell || emptyByNature || box) {
      element++;
    } else {
      remove(elements[element]!);
      element = end[element]!;
    }
  }
  for (const node of parents) removeChildren(node, isCut, null);
  for (let element = 0; element < elements.length; element++) {
    if (kept[element]! > 0 && (flags[element]! & HIDDEN) !== 0) show(elements[element]!);
  }
}

const isCut = (child: ChildNode): boolean => child.parent === null;

/** What was hidden and is kept waits behind a click (a tab, an accordion): later steps shall see it. */
function show({ attribs }: Element): void {
  delete attribs["hidden"];
  delete attribs["aria-hidden"];
  if (attribs["style"] !== undefined) delete attribs["style"];
}

/** An address of a picture, or of a player for readers to start: it stays and goes with that. Others are decoration mostly. */
function isSource(node: ChildNode): boolean {
  if (!isTag(node) || node.name !== "source" || node.parent === null || !isTag(node.parent)) return false;
  const { name, attribs } = node.parent;
  return name === "picture" || attribs["controls"] !== undefined;
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

const isDrawnTaskBox = (element: Element): boolean => isDrawnBox(element) && isWithin(element, listItems);

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
