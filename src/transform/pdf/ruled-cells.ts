/** Finds the cells enclosed by rules: where horizontal and vertical lines meet, there is a table. */

import type { CellPlace, PdfRule, RuledColumns } from "./page.ts";
import { mostColumns } from "./table-columns.ts";

/** A page with more lines in either direction is a drawing. */
const mostLines = 400;
const mostTables = 40;
/** Lines that are this close to each other, in points, are one line, or meet. */
const near = 3;

/** A horizontal line at a height, or a vertical line at a distance from the left. */
interface Line {
  readonly at: number;
  readonly from: number;
  to: number;
}

export interface RuledTable extends RuledColumns {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The cell at a place within the table; the same object for all places of one cell. */
  cellAt(x: number, y: number): CellPlace;
}

export function ruledTables(rules: readonly PdfRule[]): RuledTable[] {
  const across: Line[] = [];
  const down: Line[] = [];
  for (const { left, right, top, bottom } of rules) {
    if (right - left > bottom - top) across.push({ at: (top + bottom) / 2, from: left, to: right });
    else down.push({ at: (left + right) / 2, from: top, to: bottom });
  }
  const [rows, columns] = [joined(across), joined(down)];
  if (Math.max(rows.length, columns.length) > mostLines) return [];
  const tables = meeting(rows, columns).flatMap((lines) => tableOf(lines) ?? []);
  return tables.length > mostTables ? [] : tables;
}

/** Joins lines that continue each other. */
function joined(lines: readonly Line[]): Line[] {
  const result: Line[] = [];
  let level: Line[] = [];
  const close = () => {
    let open: Line | undefined;
    for (const line of level.sort((one, other) => one.from - other.from)) {
      if (open !== undefined && line.from <= open.to + near) open.to = Math.max(open.to, line.to);
      else {
        open = { ...line, at: level[0]!.at };
        result.push(open);
      }
    }
    level = [];
  };
  for (const line of lines.toSorted((one, other) => one.at - other.at)) {
    if (level.length > 0 && line.at - level[0]!.at > near / 2) close();
    level.push(line);
  }
  close();
  return result;
}

interface Lines {
  readonly across: Line[];
  readonly down: Line[];
}

/** The lines of each table: all that meet, directly or through others. */
function meeting(across: readonly Line[], down: readonly Line[]): Lines[] {
  const found: Lines[] = [];
  const [restAcross, restDown] = [new Set(across), new Set(down)];
  for (const start of across) {
    if (!restAcross.delete(start)) continue;
    const lines: Lines = { across: [start], down: [] };
    // Both lists grow during the iteration.
    for (let [row, column] = [0, 0]; row < lines.across.length || column < lines.down.length; ) {
      if (row < lines.across.length) {
        const line = lines.across[row++]!;
        for (const other of restDown) if (meet(line, other) && restDown.delete(other)) lines.down.push(other);
      } else {
        const line = lines.down[column++]!;
        for (const other of restAcross) if (meet(other, line) && restAcross.delete(other)) lines.across.push(other);
      }
    }
    found.push(lines);
  }
  return found;
}

function meet(across: Line, down: Line): boolean {
  const isWithin = (value: number, { from, to }: Line) => value >= from - near && value <= to + near;
  return isWithin(down.at, across) && isWithin(across.at, down);
}

function tableOf({ across, down }: Lines): RuledTable | undefined {
  if (down.length === 0) return undefined;
  // The outermost lines are often not drawn.
  const columns = places([...down.map(({ at }) => at), ...endsOf(across)]);
  const rows = places([...across.map(({ at }) => at), ...endsOf(down)]);
  if (columns.length < 3 || columns.length > mostColumns + 1 || rows.length < 3) return undefined;

  const bordersLeft = borders(columns, rows, down);
  const bordersTop = borders(rows, columns, across);
  const table = { columns };
  const cells: CellPlace[][] = [];
  for (let row = 0; row < rows.length - 1; row++) {
    const cellsOfRow: CellPlace[] = [];
    for (let column = 0; column < columns.length - 1; column++) {
      const beside = bordersLeft.has(`${column} ${row}`) ? undefined : cellsOfRow[column - 1];
      const above = bordersTop.has(`${row} ${column}`) ? undefined : cells[row - 1]?.[column];
      cellsOfRow.push(beside ?? above ?? { table, row, column });
    }
    cells.push(cellsOfRow);
  }
  return {
    left: columns[0]!,
    right: columns.at(-1)!,
    top: rows[0]!,
    bottom: rows.at(-1)!,
    columns,
    cellAt: (x, y) => cells[stretchOf(rows, y)]![stretchOf(columns, x)]!,
  };
}

function endsOf(lines: readonly Line[]): [number, number] {
  return [
    lines.reduce((least, { from }) => Math.min(least, from), Infinity),
    lines.reduce((most, { to }) => Math.max(most, to), -Infinity),
  ];
}

/** The values in order, merging those that are near each other. */
function places(values: readonly number[]): number[] {
  const kept: number[] = [];
  for (const value of values.toSorted((one, other) => one - other)) {
    if (kept.length === 0 || value - kept.at(-1)! > near) kept.push(value);
  }
  return kept;
}

/** Beside which stretches of the other direction a line is drawn: `2 5` for the third place, beside the sixth stretch. */
function borders(own: readonly number[], others: readonly number[], lines: readonly Line[]): Set<string> {
  const found = new Set<string>();
  for (const { at, from, to } of lines) {
    // The place at the line, or before it by no more than the tolerance.
    const place = own.findLastIndex((value) => value <= at + near / 2);
    for (let index = 0; index < others.length - 1; index++) {
      const middle = (others[index]! + others[index + 1]!) / 2;
      if (from <= middle && middle <= to) found.add(`${place} ${index}`);
    }
  }
  return found;
}

/** The stretch between two places that contains the value, or is nearest to it. */
export function stretchOf(values: readonly number[], value: number): number {
  const next = values.findIndex((place) => place > value);
  return next < 0 ? values.length - 2 : Math.max(0, next - 1);
}
