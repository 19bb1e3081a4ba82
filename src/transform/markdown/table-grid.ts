// The places of a table's cells: spans leave places empty, in their row and in the rows below.

import type { Element } from "domhandler";
import type { Repetition } from "./repetition.ts";

/** A class, because V8 may treat object literals as long-lived, and their page with them. */
export class Row {
  readonly cells: readonly Element[];
  readonly inHead: boolean;
  /** The part of the table that contains the row: no span reaches beyond it. */
  readonly group: Element;
  /** The index of the row in its group, in which rows without cells count. */
  readonly index: number;

  constructor(cells: readonly Element[], inHead: boolean, group: Element, index: number) {
    this.cells = cells;
    this.inHead = inHead;
    this.group = group;
    this.index = index;
  }
}

interface GridRow {
  readonly cells: string[];
  readonly isHeader: boolean;
}

/**
 * Most columns of one cell, and most that cells above cover: else each row of a hostile table would be longer. Cells after
 * as many columns have one each.
 */
const maxColumns = 50;

/** An empty cell as it is written, with the line beside it. */
export const emptyCell = " | ";

/**
 * The cells at their places, with empty ones where a span covers places. Trailing columns in which no cell begins are
 * left out.
 */
export function layOut(rows: readonly Row[], write: (cell: Element) => string, repetition: Repetition): GridRow[] {
  /** For each column, the first row of the group that is not covered by a cell above. */
  let coveredUntil: number[] = [];
  let group: Element | undefined;
  let width = 0;
  const grid = rows.map((row) => {
    if (row.group !== group) coveredUntil = [];
    group = row.group;
    const line: string[] = [];
    let isHeader = row.cells.at(-1)?.name === "th";
    const skipCovered = () => {
      while ((coveredUntil[line.length] ?? 0) > row.index && repetition.take(emptyCell.length)) line.push("");
    };
    for (const cell of row.cells) {
      skipCovered();
      const below = rowsOf(cell);
      const until = below === 1 ? 0 : row.index + below;
      const wanted = line.length < maxColumns ? columnsOf(cell) : 1;
      const columns = repetition.take((wanted - 1) * emptyCell.length) ? wanted : 1;
      const text = write(cell);
      // The corner above the row names may be a cell of any kind.
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

/** 0 means all remaining rows. */
function rowsOf({ attribs }: Element): number {
  const rows = numberOf(attribs["rowspan"]);
  return rows === 0 ? Number.POSITIVE_INFINITY : (rows ?? 1);
}

/** As browsers read it: the digits, whatever follows; undefined if there are none. */
function numberOf(value: string | undefined): number | undefined {
  const digits = /^\s*\+?(\d{1,9})/.exec(value ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}
