// Tables: data tables as GFM tables; tables that only lay out a page or hold code are unwrapped.

import { type ChildNode, type Element, Text } from "domhandler";
import { isElement, isWrittenText, textContent, walkElements } from "../html/walk.ts";
import { controls, filledCells, hasOneFilledCell, holdsLongText, largeContent } from "./cell-content.ts";
import { fencedCode } from "./code-marks.ts";
import { codeOfTable, withoutMargins } from "./code-tables.ts";
import type { MarkdownContext, MarkdownRule } from "./context.ts";
import { equationsOf, writeEquations } from "./equations.ts";
import { partsByHeadings } from "./headed-tables.ts";
import { writeLabelTable } from "./label-tables.ts";
import { writeMarkerTable } from "./marker-tables.ts";
import { emptyCell, layOut, Row } from "./table-grid.ts";

interface TableParts {
  readonly rows: readonly Row[];
  readonly captions: readonly Element[];
  /** Content that the page has between the rows, where none is allowed. */
  readonly strays: readonly ChildNode[];
}

/** A table with a single row that says something has at most a few others. */
const FEW_ROWS = 5;
/** Rows of wider tables are not filled up to the full width, because a page could make that arbitrarily large. */
const maxPadded = 50;
export function writeTable(context: MarkdownContext, table: Element): void {
  const { rows, captions, strays } = partsOf(table);
  context.boundary();
  for (const [index, stray] of strays.entries()) {
    if (index > 0 && stray.prev !== strays[index - 1]) context.run.space();
    context.children({ children: [stray] });
  }
  context.boundary();
  for (const caption of captions) context.children(caption);
  context.boundary();
  if (context.flat) writeFlat(context, rows);
  else if (
    !writeCodeTable(context, table, rows) &&
    !writeLabelTable(context, table, rows) &&
    !writeMarkerTable(context, rows)
  ) {
    const equations = equationsOf(table, rows);
    if (equations !== undefined) writeEquations(context, equations);
    else if (isSignature(rows))
      writeLine(
        context,
        rows.flatMap(({ cells }) => cells),
      );
    else if (!isLayout(table, rows)) writeGrid(context, rows);
    else writeParts(context, partsByHeadings(table, rows) ?? [rows]);
  }
  context.boundary();
}

function partsOf(table: Element): TableParts {
  const body: Row[] = [];
  const foot: Row[] = [];
  const captions: Element[] = [];
  const strays: ChildNode[] = [];
  const read = (parent: Element, inHead: boolean) => {
    const rows = parent.name === "tfoot" ? foot : body;
    let index = 0;
    for (const child of parent.children) {
      if (!isElement(child)) addStray(strays, child);
      else if (child.name === "tr") rows.push(new Row(cellsOf(child, strays), inHead, parent, index++));
      else if (sections.has(child.name)) read(child, child.name === "thead");
      else if (child.name === "caption") captions.push(child);
      else if (isCell(child)) rows.push(new Row([child], inHead, parent, index++));
      else if (isEmptyAround(child, tableParts)) read(child, inHead);
      else if (child.name !== "colgroup" && child.name !== "col") strays.push(child);
    }
  };
  read(table, false);
  // Browsers show the foot below all other rows, wherever it is: in HTML 4, it had to come before them.
  const rows = [...body, ...foot];
  return { rows: rows.filter(({ cells }) => cells.length > 0), captions, strays };
}

function cellsOf(row: Element, strays: ChildNode[]): Element[] {
  const nodes = row.children.flatMap((node) =>
    isElement(node) && isEmptyAround(node, cellNames) ? node.children : node,
  );
  // A row without cells may contain other elements in their place; beside a text, they are a part of that.
  const anything = !nodes.some((node) => (isElement(node) ? isCell(node) : isWrittenText(node)));
  const cells: Element[] = [];
  for (const node of nodes) {
    if (isElement(node) && (anything ? node.name !== "script" : isCell(node))) cells.push(node);
    else addStray(strays, node);
  }
  return cells;
}

const cellNames: ReadonlySet<string> = new Set(["td", "th"]);
const sections: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);
const tableParts: ReadonlySet<string> = new Set(["tr", ...cellNames, ...sections]);

const isCell = ({ name }: Element): boolean => cellNames.has(name);

/** Browsers treat a form around rows or cells, or a link that was not closed before them, as an empty one before them. */
function isEmptyAround({ name, children }: Element, parts: ReadonlySet<string>): boolean {
  return (name === "form" || name === "a") && children.some((child) => isElement(child) && parts.has(child.name));
}

/** Content that a table may not contain is written before it, as browsers show it. */
function addStray(strays: ChildNode[], node: ChildNode): void {
  if (isElement(node) || isWrittenText(node)) strays.push(node);
}

/** True if the table places things on the page instead of relating them. */
function isLayout(table: Element, rows: readonly Row[]): boolean {
  const { role } = table.attribs;
  if (role === "presentation" || role === "none") return true;
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  let hasHeader = rows.some(({ inHead }) => inHead);
  let large = 0;
  let lists = 0;
  for (const { cells } of rows) {
    for (const cell of cells) {
      if (cell.name === "th") hasHeader = true;
      walkElements(cell, (element) => {
        if (largeContent.has(element.name)) large++;
        else if (element.name === "ul" || element.name === "ol") lists++;
        return element.name !== "table";
      });
    }
  }
  if (columns <= 1) return !hasHeader || large > 0;
  // Empty rows keep others apart.
  if (rows.every((row) => filledCells(row) <= 1) && (!hasHeader || rows.length === 1)) return true;
  if (!hasHeader && large === 0 && rows.length <= FEW_ROWS) {
    const filled = rows.filter((row) => filledCells(row) > 0);
    if (filled.length === 1 && filled[0]!.cells.some(holdsLongText)) return true;
  }
  return hasHeader ? large > 0 && rows.length === 1 : large + lists > 0;
}

/** What stands in rows by itself, and between that the rows of tables; or one part that is no table. */
function writeParts(context: MarkdownContext, parts: readonly (readonly Row[])[]): void {
  for (const part of parts) {
    if (parts.length === 1 || part.every(hasOneFilledCell)) writeUnwrapped(context, part);
    else writeGrid(context, part);
    context.boundary();
  }
}

function writeUnwrapped(context: MarkdownContext, rows: readonly Row[]): void {
  for (const { cells } of rows) {
    for (const cell of withoutMargins(cells)) {
      context.boundary();
      context.children(cell);
    }
  }
}

function writeFlat(context: MarkdownContext, rows: readonly Row[]): void {
  for (const { cells } of rows) writeLine(context, cells);
}

function writeLine(context: MarkdownContext, cells: readonly Element[]): void {
  for (const cell of cells) {
    context.children(cell);
    context.run.space();
  }
  context.boundary();
}

/** The signature of a function, with its parameters below each other: the bracket before them is a cell. */
function isSignature(rows: readonly Row[]): boolean {
  const bracket = rows[0]?.cells[1];
  return bracket !== undefined && bracket.name === "td" && textContent(bracket, 20).trim() === "(";
}

/** The rule for tables made of other elements: written as tables, or as plain blocks if `rowsOf` finds no rows. */
export const tableRule =
  (rowsOf: (table: Element) => readonly Row[] | undefined): MarkdownRule =>
  (context, table) => {
    const rows = context.flat ? undefined : rowsOf(table);
    context.boundary();
    if (rows === undefined) context.children(table);
    else writeGrid(context, rows);
    context.boundary();
  };

function writeGrid(context: MarkdownContext, rows: readonly Row[]): void {
  const grid = layOut(rows, (cell) => context.line(cell, "cell") || writeSymbol(context, cell), context.repetition);
  const filled = grid.filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (filled.length === 0) return;
  const columns = filled.reduce((most, { cells }) => Math.max(most, cells.length), 1);
  const [first] = filled;
  const header = first?.isHeader ? first.cells : [];
  const lines = [tableRow([...header, ...Array<string>(columns - header.length).fill("")])];
  lines.push(tableRow(Array<string>(columns).fill("---")));
  for (const { cells } of first?.isHeader ? filled.slice(1) : filled) {
    const missing = columns - cells.length;
    if (columns <= maxPadded && context.repetition.take(missing * emptyCell.length)) {
      for (let cell = 0; cell < missing; cell++) cells.push("");
    }
    lines.push(tableRow(cells));
  }
  context.block(lines.join("\n"));
}

/** The meaning of a cell that contains only a symbol. */
function writeSymbol(context: MarkdownContext, cell: Element): string {
  let label = "";
  walkElements(cell, (element) => {
    if (label !== "" || controls.has(element.name)) return false;
    const { "aria-label": spoken, title } = element.attribs;
    label = (spoken ?? title ?? (element.name === "title" ? textContent(element, maxLabel) : "")).trim();
    return true;
  });
  return label === "" ? "" : context.line({ children: [new Text(label)] }, "cell");
}

const maxLabel = 100;
const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function writeCodeTable(context: MarkdownContext, table: Element, rows: readonly Row[]): boolean {
  const found = codeOfTable(table, rows);
  if (found === undefined) return false;
  writeUnwrapped(context, rows.slice(0, found.start));
  context.boundary();
  context.block(fencedCode(found.code, found.language));
  return true;
}
