// What the cells of tables hold.

import type { Element } from "domhandler";
import { isElement, isWrittenText, textContent, walkNodes } from "../html/walk.ts";
import { isPixel } from "../pixels.ts";
import type { Row } from "./table-grid.ts";

/** Content that does not fit into one line of a table. */
export const largeContent: ReadonlySet<string> = new Set(
  "h1 h2 h3 h4 h5 h6 table pre blockquote form article section".split(" "),
);

/** The labels of these tell what they do, not what the cell means. */
export const controls: ReadonlySet<string> = new Set(["a", "button", "input", "select", "textarea"]);

/** In characters. In a table with a single row, a longer text is not one of several facts. */
const longestFact = 500;

export const holdsLongText = (cell: Element): boolean =>
  textContent(cell, longestFact * 4).replace(/\s+/g, " ").length > longestFact;

/** The other cells of the row may be empty, to keep columns apart. */
export const hasOneFilledCell = (row: Row): boolean => filledCells(row) === 1;

/** 0, 1, or 2 for more: a row of a large table is not searched to its end. */
export function filledCells({ cells }: Row): number {
  let filled = 0;
  for (const cell of cells) if (isFilled(cell) && ++filled > 1) break;
  return filled;
}

/** Inner tables are not searched, so that nested tables take no longer than consecutive ones. */
export function isFilled(cell: Element): boolean {
  let filled = false;
  walkNodes(cell, (node) => {
    if (isElement(node)) filled ||= showsSomething(node);
    else filled ||= isWrittenText(node);
    return !filled;
  });
  return filled;
}

const shown: ReadonlySet<string> = new Set("table img svg video audio iframe object embed math input".split(" "));

/** Pictures of one pixel keep cells apart, and a control without text does something. */
function showsSomething(element: Element): boolean {
  if (element.name === "img") return !isPixel(element);
  return shown.has(element.name) || (hasLabel(element) && !isInControl(element));
}

function isInControl({ name, parent }: Element): boolean {
  return controls.has(name) || (parent !== null && isElement(parent) && controls.has(parent.name));
}

const hasLabel = ({ attribs }: Element): boolean => (attribs["aria-label"] ?? attribs["title"]) !== undefined;
