// Tables of facts with headings in rows of their own, as reference manuals list the members of a class.

import type { Element } from "domhandler";
import { headingElements } from "../html/elements.ts";
import { isElement, isWrittenText, someElement } from "../html/walk.ts";
import { hasOneFilledCell, holdsLongText, isFilled, largeContent } from "./cell-content.ts";
import type { Row } from "./table-grid.ts";

/** The rows at the headings, and those between them; undefined if there are none, or if the others hold more than facts. */
export function partsByHeadings({ attribs }: Element, rows: readonly Row[]): (readonly Row[])[] | undefined {
  if (attribs["role"] !== undefined || !rows.some(isHeadingRow)) return undefined;
  const facts = rows.filter((row) => !isHeadingRow(row));
  const isTable = facts.some(({ cells }) => cells.filter(isFilled).length > 1);
  if (!isTable || facts.some(({ cells }) => cells.some(holdsMore))) return undefined;
  const parts: Row[][] = [];
  let wasHeading: boolean | undefined;
  for (const row of rows) {
    const isHeading = isHeadingRow(row);
    if (isHeading !== wasHeading) parts.push([]);
    parts.at(-1)!.push(row);
    wasHeading = isHeading;
  }
  return parts;
}

function isHeadingRow(row: Row): boolean {
  return hasOneFilledCell(row) && row.cells.some(isHeadingCell);
}

/** True if a heading is all that the cell holds. */
function isHeadingCell({ children }: Element): boolean {
  const shown = children.filter((node) => isElement(node) || isWrittenText(node));
  const [first] = shown;
  return shown.length === 1 && first !== undefined && isElement(first) && headingElements.has(first.name);
}

/** Inner tables are found first, so that nested tables take no longer than consecutive ones. */
function holdsMore(cell: Element): boolean {
  const isLarge = ({ name }: Element): boolean => largeContent.has(name) || name === "ul" || name === "ol";
  return someElement(cell, isLarge) || holdsLongText(cell);
}
