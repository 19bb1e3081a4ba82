// Tables that a page makes of other elements: it says by their roles what they are.

import type { ChildNode, Element } from "domhandler";
import type { MarkdownContext, MarkdownRule } from "./markdown-context.ts";
import { writeApart } from "./markdown-gaps.ts";
import { largeContent, Row, writeGrid } from "./markdown-table.ts";
import { isElement, textLength, walkElements } from "./walk.ts";

const line: MarkdownRule = (context, element) => {
  context.boundary();
  context.children(element);
  context.boundary();
};

const roles: ReadonlyMap<string, MarkdownRule> = new Map<string, MarkdownRule>([
  ["table", writeAriaTable],
  ["grid", writeAriaTable],
  ["treegrid", writeAriaTable],
  ["row", line],
  ["cell", writeApart],
  ["gridcell", writeApart],
  ["columnheader", writeApart],
  ["rowheader", writeApart],
]);
const containers: ReadonlySet<string | undefined> = new Set([undefined, "rowgroup", "presentation", "none"]);

/** The rule for an element that is part of a table by its role alone. */
export const ariaTableRule = (role: string): MarkdownRule | undefined => roles.get(role);

function writeAriaTable(context: MarkdownContext, table: Element): void {
  const rows = context.flat ? undefined : rowsOf(table);
  context.boundary();
  if (rows === undefined) context.children(table);
  else writeGrid(context, rows);
  context.boundary();
}

/** Nothing unless it is all rows of short cells, in more than one column. */
function rowsOf(table: Element): Row[] | undefined {
  const rows: Row[] = [];
  for (const row of partsOf(table, (role) => role === "row")) {
    if (!isElement(row) || row.attribs["role"] !== "row") return undefined;
    const cells = cellsOf(row);
    if (cells === undefined || cells.some(isLarge)) return undefined;
    if (cells.length > 0)
      rows.push(
        new Row(
          cells,
          cells.every(({ attribs }) => attribs["role"] === "columnheader"),
        ),
      );
  }
  return rows.length > 1 && rows.some(({ cells }) => cells.length > 1) ? rows : undefined;
}

function cellsOf(row: Element): Element[] | undefined {
  const parts = [...partsOf(row, isCell)];
  if (parts.every((part): part is Element => isElement(part) && isCell(part.attribs["role"]))) return parts;
  // Some pages name the rows only.
  const children = row.children.filter((child) => child.type !== "text" || child.data.trim() !== "");
  return children.every((child): child is Element => isElement(child) && child.attribs["role"] === undefined)
    ? children
    : undefined;
}

const isCell = (role: string | undefined): boolean => role !== undefined && roles.get(role) === writeApart;

/** What is inside, as if the elements that only hold parts together were not there. */
function* partsOf(element: Element, isPart: (role: string | undefined) => boolean): Generator<ChildNode> {
  for (const child of element.children) {
    if (!isElement(child)) {
      if (child.type === "text" && child.data.trim() !== "") yield child;
    } else if (containers.has(child.attribs["role"])) yield* partsOf(child, isPart);
    else if (isPart(child.attribs["role"]) || textLength(child) > 0) yield child;
  }
}

function isLarge(cell: Element): boolean {
  let large = false;
  walkElements(cell, ({ name }) => {
    if (largeContent.has(name) || name === "ul" || name === "ol") large = true;
    return !large;
  });
  return large;
}
