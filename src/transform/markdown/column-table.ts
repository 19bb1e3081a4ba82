// Tables that style sheets make of consecutive blocks, each named after its column, such as the summaries of javadoc.

import { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { isElement, isWrittenText, someElement } from "../html/walk.ts";
import { largeContent } from "./cell-content.ts";
import { tableRule } from "./table.ts";
import { Row } from "./table-grid.ts";

/** The class of such a table. */
export const columnTable = classNamed("summary-table");
const columns = ["first", "second", "third", "last"];
const lastColumn = columns.length - 1;
/** A block named after its content, such as `col-constructor-name`, is in the column after that of the block before. */
const column = classNamed("col-(?:(first|second|third|last)|[a-z-]+-name)");
const head = classNamed("table-header");

/** Writes the element as a table, or as the blocks that it consists of if they are not a table. */
export const writeColumnTable = tableRule(rowsOf);

function rowsOf(table: Element): Row[] | undefined {
  const rows: Element[][] = [];
  let width = 1;
  let before = lastColumn;
  for (const cell of table.children) {
    if (!isElement(cell)) {
      if (isWrittenText(cell)) return undefined;
      continue;
    }
    const found = column.exec(cell.attribs["class"] ?? "");
    if (found === null || someElement(cell, (element) => largeContent.has(element.name))) return undefined;
    const place = found[1] === undefined ? (before + 1) % columns.length : columns.indexOf(found[1]);
    if (rows.length === 0 || place <= before) rows.push([]);
    before = place;
    if (place < lastColumn) width = Math.max(width, place + 1);
    rows.at(-1)![place] = cell;
  }
  if (rows.length < 2) return undefined;
  return rows.map((cells, index) => {
    // An empty cell may have been removed.
    const places = Array.from({ length: width }, (_, place) => cells[place]).concat(cells[lastColumn]);
    const isHead = cells.every((cell) => head.test(cell.attribs["class"] ?? ""));
    return new Row(
      Array.from(places, (cell) => cell ?? new Element("div", {})),
      isHead,
      table,
      index,
    );
  });
}
