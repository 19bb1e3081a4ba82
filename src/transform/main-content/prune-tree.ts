/** Removes everything that was not chosen from the tree; each parent's children are filtered once. */
import { type ChildNode, type Element, isTag, type ParentNode } from "domhandler";
import { removeChildren, textContent } from "../html/walk.ts";
import { isDrawnBox } from "../task-boxes.ts";
import { addUp } from "./add-up.ts";
import { chooseMedia } from "./choose-media.ts";
import { isHidden, isUnseen } from "./node-kinds.ts";
import { HIDDEN, type PageTable } from "./page-table.ts";
import type { SmallPage } from "./small-page.ts";
import { BLOCK, CELL, MEDIA, tagId } from "./tags.ts";

const RULE = tagId("hr");
const ROW = tagId("tr");
const LINK = tagId("a");
const CODE: ReadonlySet<number> = new Set(["pre", "code"].map(tagId));
/** How far up the cell of a drawing, and the list item of a checkbox, are searched for. */
const REACH = 4;
/** In characters; longer hidden text within a line is the rest of it, which a click shows. */
const LONGEST_HIDDEN = 60;

export function pruneTree(table: PageTable, keep: Uint8Array, small?: SmallPage): void {
  const { elements, parent, end, flags, tag, firstText, texts, textParent } = table;
  const all = table.arrays.integers(elements.length);
  const kept = table.arrays.integers(elements.length);
  const shown = chooseMedia(table, keep, small);
  const parents = new Set<ParentNode>();
  /** A removed node has no parent from now on; the children of its former parent are filtered later, once. */
  const remove = (node: ChildNode): void => {
    if (node.parent === null) return;
    parents.add(node.parent);
    node.parent = null;
  };
  // If styles draw the checkbox, it is in a label without text.
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
  // The ends of the cell and of the code that the loop is in.
  let symbolsEnd = 0;
  let linesEnd = 0;
  for (let element = 0; element < elements.length; ) {
    const spared = kept[element]! > 0 || shown[element]! > 0;
    const around = parent[element]!;
    // Cells above may span a row without text: it stays, or the rows below would move.
    const row = tag[element] === ROW && all[element] === 0 && kept[around]! > 0;
    // A row keeps all of its cells, also a row without text, and one that stays because of a picture.
    const cell = (flags[element]! & CELL) !== 0 && (kept[around]! > 0 || tag[around] === ROW);
    // If a cell without text says anything, it does so by a symbol.
    if (cell && all[element] === 0) symbolsEnd = Math.max(symbolsEnd, end[element]!);
    // A line of code without text separates the lines around it.
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
    if (kept[element]! === 0 || (flags[element]! & HIDDEN) === 0 || !isUnseen(elements[element]!)) continue;
    const isInline =
      (flags[element]! & BLOCK) === 0 && tag[element] !== LINK && kept[parent[element]!]! > kept[element]!;
    if (!isInline || textContent(elements[element]!, LONGEST_HIDDEN + 1).length > LONGEST_HIDDEN)
      show(elements[element]!);
  }
}

const isCut = (child: ChildNode): boolean => child.parent === null;

/**
 * A hidden element that is kept is shown by a click (a tab, an accordion), so later steps have to see it. A few hidden
 * words among shown ones are for machines.
 */
function show({ attribs }: Element): void {
  delete attribs["hidden"];
  delete attribs["style"];
}

/** A source of a picture, or of a player with controls, stays or goes with it. Other sources are mostly decoration. */
function isSource(node: ChildNode): boolean {
  if (!isTag(node) || node.name !== "source" || node.parent === null || !isTag(node.parent)) return false;
  const { name, attribs } = node.parent;
  return name === "picture" || attribs["controls"] !== undefined;
}

/** A drawing with a name can be the only content of a table cell. */
function isCellSymbol(node: ChildNode): boolean {
  if (!isTag(node) || node.name !== "svg") return false;
  if (!isWithin(node, cells)) return false;
  const { "aria-label": label } = node.attribs;
  return label !== undefined || node.children.some((child) => isTag(child) && child.name === "title");
}

/** Only its checkbox tells whether a task is done. */
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
