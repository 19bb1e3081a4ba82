/** Finds simple tables: rows whose cells stand in common columns. */

import { type Fragment, type Piece, textOf } from "./fragments.ts";
import { type Line, lineOf, type Row } from "./rows.ts";

export interface Table {
  /** The cells row by row; all rows are equally long. */
  readonly rows: readonly (readonly (readonly Piece[])[])[];
  readonly y: number;
}

/** A table has at least so many rows of more than one cell. */
const fewestRows = 3;
/** More are letters spread over a page, not a table. */
const mostColumns = 60;
/** Of the cells of its grid, at least this share is filled. */
const leastFilled = 0.45;

/** Rows in their order, those of a table put together; code has columns too, but keeps its lines. */
export function tablesAndLines(rows: readonly Row[], isCode: (line: Line) => boolean): (Table | Line)[] {
  const found: (Table | Line)[] = [];
  for (let at = 0; at < rows.length; ) {
    const end = endOfRun(rows, at);
    const run = rows.slice(at, end);
    const table = run.length < fewestRows || run.every((row) => isCode(lineOf(row))) ? undefined : tableOf(run);
    if (table !== undefined) {
      found.push(table);
      at = end;
    } else {
      const next = Math.max(end, at + 1);
      for (; at < next; at++) found.push(lineOf(rows[at]!));
    }
  }
  return found;
}

/** The end of the rows from `start` on that have several cells, or continue a cell of the row above. */
function endOfRun(rows: readonly Row[], start: number): number {
  let end = start;
  for (let at = start; at < rows.length; at++) {
    const row = rows[at]!;
    if (isLeader(row)) break;
    if (row.cells.length > 1) end = at + 1;
    else if (at === start || !continuesCell(row, rows[at - 1]!)) break;
  }
  return end;
}

/** An entry of a table of contents: dots lead from the title to the page. */
function isLeader({ cells }: Row): boolean {
  return cells.some(({ pieces }) => /(?:\.\s?){5}|…{2}/.test(textOf(pieces)));
}

function continuesCell(row: Row, above: Row): boolean {
  const [cell] = row.cells;
  const isNear = row.y - above.y < row.fontSize * 1.6;
  return isNear && cell !== undefined && above.cells.some(({ left }) => Math.abs(left - cell.left) < row.fontSize);
}

function tableOf(rows: readonly Row[]): Table | undefined {
  if (rows.filter(({ cells }) => cells.length > 1).length < fewestRows) return undefined;
  const columns = columnsOf(rows);
  if (columns.length < 2 || columns.length > mostColumns) return undefined;
  const grid: Piece[][][] = [];
  let clashes = 0;
  const tight = continuationGap(rows);
  let lastY = -Infinity;
  for (const row of rows) {
    const cells: Piece[][] = columns.map(() => []);
    for (const cell of row.cells) {
      const column = cells[columnOf(cell, columns)]!;
      if (column.length > 0) clashes++;
      appendCell(column, cell.pieces);
    }
    const above = grid.at(-1);
    const isContinuation =
      above !== undefined && (row.y - lastY < tight || (cells[0]!.length === 0 && row.cells.length === 1));
    if (isContinuation) for (const [index, cell] of cells.entries()) appendCell(above[index]!, cell);
    else grid.push(cells);
    lastY = row.y;
  }
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  const isTable =
    clashes <= rows.length * 0.1 && grid.length >= 2 && filled >= grid.length * columns.length * leastFilled;
  return isTable ? { rows: grid, y: rows[0]!.y } : undefined;
}

function appendCell(cell: Piece[], pieces: readonly Piece[]): void {
  pieces.forEach((piece, index) => {
    cell.push(index === 0 && cell.length > 0 ? { ...piece, text: ` ${piece.text}` } : piece);
  });
}

interface Column {
  left: number;
  right: number;
}

/** Where cells of the fullest rows overlap there is a column. */
function columnsOf(rows: readonly Row[]): Column[] {
  const counts = Map.groupBy(rows, ({ cells }) => cells.length);
  const usual = [...counts].reduce((most, next) => (next[1].length > most[1].length && next[0] > 1 ? next : most));
  const spans = rows
    .filter(({ cells }) => cells.length >= Math.max(2, usual[0]))
    .flatMap(({ cells }) => cells)
    .map(({ left, right }) => ({ left, right }))
    .sort((one, other) => one.left - other.left);
  const columns: Column[] = [];
  for (const span of spans) {
    const last = columns.at(-1);
    if (last !== undefined && span.left < last.right) last.right = Math.max(last.right, span.right);
    else columns.push(span);
  }
  return columns;
}

/** The column that a cell overlaps most, or else stands nearest to. */
function columnOf({ left, right }: Fragment, columns: readonly Column[]): number {
  let best = 0;
  let bestOverlap = -Infinity;
  columns.forEach((column, index) => {
    const overlap = Math.min(right, column.right) - Math.max(left, column.left);
    if (overlap > bestOverlap) [best, bestOverlap] = [index, overlap];
  });
  return best;
}

/** Lines of one cell stand closer together than rows do; 0 when all stand equally close. */
function continuationGap(rows: readonly Row[]): number {
  const gaps = rows.slice(1).map((row, index) => row.y - rows[index]!.y);
  const least = gaps.reduce((one, other) => Math.min(one, other));
  const most = gaps.reduce((one, other) => Math.max(one, other));
  return most > least * 1.3 && least < rows[0]!.fontSize * 1.5 ? least * 1.15 : 0;
}
