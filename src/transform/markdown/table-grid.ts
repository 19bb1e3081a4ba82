// Where the cells of a table stand: spans leave places empty, in their row and in those below.

import type { Element } from "domhandler";

/** A class, since V8 may take a literal for long-lived, and its page with it. */
export class Row {
  readonly cells: readonly Element[];
  readonly inHead: boolean;
  /** The part of the table that the row stands in: no span leaves it. */
  readonly group: Element;
  /** Which row of the group it is; those without cells count. */
  readonly index: number;

  constructor(cells: readonly Element[], inHead: boolean, group: Element, index: number) {
    this.cells = cells;
    this.inHead = inHead;
    this.group = group;
    this.index = index;
  }
}

export interface GridRow {
  readonly cells: string[];
  readonly isHeader: boolean;
}

/** Of one cell, and those that cells above cover: without it each row of a hostile table were longer than the one before. */
const maxColumns = 50;

/** The cells at their places: those that a span covers are empty. Columns in which no cell begins are left out. */
export function layOut(rows: readonly Row[], write: (cell: Element) => string): GridRow[] {
  /** Column -> first row of the group that a cell above does not cover. */
  let coveredUntil: number[] = [];
  let group: Element | undefined;
  let width = 0;
  const grid = rows.map((row) => {
    if (row.group !== group) coveredUntil = [];
    group = row.group;
    const line: string[] = [];
    let isHeader = row.cells.at(-1)?.name === "th";
    const skipCovered = () => {
      while ((coveredUntil[line.length] ?? 0) > row.index) line.push("");
    };
    for (const cell of row.cells) {
      skipCovered();
      const below = rowsOf(cell);
      const until = below === 1 ? 0 : row.index + below;
      const columns = columnsOf(cell);
      const text = write(cell);
      // The corner above the names of the rows may be a cell of any kind.
      isHeader &&= cell.name === "th" || text === "";
      width = Math.max(width, line.length + 1);
      for (let index = 0; index < columns; index++) {
        if (until > 0 && line.length < maxColumns) coveredUntil[line.length] = until;
        line.push(index === 0 ? text : "");
      }
    }
    skipCovered();
    return { cells: line, isHeader: row.inHead || isHeader };
  });
  for (const { cells } of grid) cells.splice(width);
  return grid;
}

const columnsOf = ({ attribs }: Element): number => Math.min(maxColumns, numberOf(attribs["colspan"]) || 1);

/** 0 is all rows that are left. */
function rowsOf({ attribs }: Element): number {
  const rows = numberOf(attribs["rowspan"]);
  return rows === 0 ? Number.POSITIVE_INFINITY : (rows ?? 1);
}

/** As browsers read it: digits, whatever follows; nothing for anything else. */
function numberOf(value: string | undefined): number | undefined {
  const digits = /^\s*\+?(\d{1,9})/.exec(value ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
