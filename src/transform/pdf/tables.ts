/** Finds simple tables: rows whose cells are in common columns. */

import { arePages, endOfContents, endOfIndex, isLeader, textOfCells } from "./contents-lists.ts";
import { continueTexts } from "./continued-cells.ts";
import type { Fragment } from "./fragments.ts";
import { type Piece, textOf } from "./pieces.ts";
import { isMostlyRightToLeft } from "./right-to-left.ts";
import { type Line, lineOf, type Row } from "./rows.ts";
import { isSectionRow } from "./section-rows.ts";
import { appendCell, continueCell, rowsInColumns } from "./table-cells.ts";
import { type Column, columnOf, columnsOf, cutAtColumns, mostColumns } from "./table-columns.ts";

export interface Table {
  /** The cells row by row; all rows are equally long. */
  readonly rows: readonly (readonly (readonly Piece[])[])[];
  readonly y: number;
  /** The extents of its columns, if nothing else is known about them. */
  readonly columns?: readonly Column[];
}

/** A table in place of its fragments, if it is known before rows are read. */
export interface Grid extends Fragment {
  readonly table: Table;
}

/** A table has at least this many rows with more than one cell. */
export const fewestRows = 3;
/** At least this share of the cells in its grid is filled. */
const leastFilled = 0.45;

/** Large symbols that stand alone: a formula over several lines has columns, too. */
const formulaSign = /^\s*(?:[[\](){}]|[∥∑∏∫√⊤⊗\u239b-\u23b3]+)\s*$/u;
const relation = /^\s*[=<>≤≥≈|∪∩]\s*$/u;
const mostFormulas = 0.15;

/**
 * Rows in their order, with those of a table combined; code has columns too, but is kept as lines.
 *
 * @param before the columns of the table with which the page before ends
 */
export function tablesAndLines(
  rows: readonly Row[],
  isCode: (line: Line) => boolean,
  before: readonly Column[] = [],
): (Table | Line)[] {
  const found: (Table | Line)[] = [];
  const more = endOfRun(rows, 0) < fewestRows ? rowsInColumns(rows, before) : [];
  if (more.length > 0) found.push({ rows: more, y: rows[0]!.y, columns: before });
  for (let at = more.length; at < rows.length; ) {
    const known = gridOf(rows[at]!)?.table;
    if (known !== undefined) {
      found.push(known);
      at++;
      continue;
    }
    const afterContents = Math.max(endOfContents(rows, at), endOfIndex(rows, at));
    if (afterContents > at) {
      for (; at < afterContents; at++) found.push({ ...lineOf(rows[at]!), isEntry: true });
      continue;
    }
    const lastEnd = endOfRun(rows, at);
    const afterCode = lastEnd - at < fewestRows ? at : endOfCode(rows, at, lastEnd, isCode);
    const end = afterCode - at < fewestRows ? lastEnd : afterCode;
    const run = rows.slice(at, end);
    const table = end === afterCode ? undefined : run.length < fewestRows ? headAndRow(run) : tableBelowLines(run);
    if (table !== undefined) {
      const above = run.findIndex(({ y }) => y === table.y);
      found.push(...run.slice(0, above).map(lineOf), table);
      at = end;
    } else {
      const next = Math.max(end, at + 1);
      for (; at < next; at++) found.push(lineOf(rows[at]!));
    }
  }
  return found;
}

function gridOf({ cells: [cell] }: Row): Grid | undefined {
  return cell !== undefined && "table" in cell ? (cell as Grid) : undefined;
}

/** The end of the rows from `start` on that have several cells, or continue a cell of the row above. */
function endOfRun(rows: readonly Row[], start: number): number {
  let end = start;
  const lefts: number[] = [];
  for (let at = start; at < rows.length; at++) {
    const row = rows[at]!;
    if (row.cells.some(isLeader) || gridOf(row) !== undefined || isFarBelow(rows, at, start)) break;
    // One cell of numbers may end a cell of the row above; parted ones are of an index.
    if (row.cells.length > 1 && arePages(textOfCells(row.cells))) break;
    if (row.cells.length > 1) end = at + 1;
    else if (at > start && isSectionRow(rows, at)) continue;
    else if (at === start || !continuesCell(row, rows[at - 1]!, lefts)) break;
    // Text below the first column may be the paragraph after the table.
    else if (row.cells[0]!.left > rows[start]!.cells[0]!.left + row.fontSize) end = at + 1;
    if (lefts.length < mostColumns) for (const { left } of row.cells) lefts.push(left);
  }
  return end;
}

/**
 * In font sizes: a row that is so far below the one above, and much further than earlier rows were, belongs to another
 * table.
 */
const farthestRow = 4;
const muchFurther = 2.5;

function isFarBelow(rows: readonly Row[], at: number, start: number): boolean {
  if (at < start + 2) return false;
  const [before, above, row] = [rows[at - 2]!, rows[at - 1]!, rows[at]!];
  const gap = row.y - above.y;
  if (gap <= row.fontSize * farthestRow || gap <= (above.y - before.y) * muchFurther) return false;
  // Below a cell of many lines, the next row continues with the same columns.
  return !rows.slice(Math.max(start, at - mostBetween), at).some((other) => isCellOverCell(other, row));
}

const mostBetween = 8;

function isCellOverCell(one: Row, other: Row): boolean {
  if (one.cells.length !== other.cells.length) return false;
  return one.cells.every(({ left, right }, index) => {
    const below = other.cells[index]!;
    return left < below.right && below.left < right;
  });
}

/** `lefts`: the left edges of cells in the rows above. */
function continuesCell(row: Row, above: Row, lefts: readonly number[]): boolean {
  const [cell] = row.cells;
  const isNear = row.y - above.y < row.fontSize * 1.6;
  if (!isNear || cell === undefined) return false;
  // Text that extends well into the columns to the right is no cell but a line of text.
  const isAcross = above.cells.some(({ left, right }) => left > cell.left + row.fontSize && right < cell.right);
  return !isAcross && lefts.some((left) => Math.abs(left - cell.left) < row.fontSize * 0.5);
}

/** The table of rows that are known to be complete: none continues the cells of another. */
export function wholeRowsTable(rows: readonly Row[]): Table | undefined {
  return tableOf(rows, 0);
}

/** Two rows are a table if a head with several cells is above words and figures, cell above cell. */
function headAndRow(rows: readonly Row[]): Table | undefined {
  const [head, row] = rows;
  if (head === undefined || row === undefined || head.cells.length < fewestHeads) return undefined;
  const texts = [head, row].map(({ cells }) => cells.map(({ pieces }) => textOf(pieces).trim()));
  const areHeads = texts[0]!.every((text) => /\p{L}/u.test(text) || text === "#") && !texts[0]!.some(isFigure);
  const isRow = isCellOverCell(head, row) && isFigure(texts[1]!.at(-1)!);
  const isNear = row.y - head.y < row.fontSize * farthestRow;
  if (!areHeads || !isRow || !isNear || isMostlyRightToLeft(texts.flat().join(""))) return undefined;
  return { rows: [head, row].map(({ cells }) => cells.map(({ pieces }) => pieces)), y: head.y };
}

const fewestHeads = 3;
/** An amount, a share or a count. */
const figure = /^[\p{Sc}(+−–—-]{0,3}\s?\d+(?:[.,]\d+)*(?:\s\d{3})*\)?\s?(?:[%‰\p{Sc}]|\p{L}{1,3})?$/u;

/** True for a cell of figures. */
export function isFigure(text: string): boolean {
  return figure.test(text);
}

/**
 * The table of these rows, or of those below the first ones if these stand apart: a heading with its number, or text
 * with wide spaces, has several cells as well. Two columns may be terms with what is said about them.
 */
function tableBelowLines(rows: readonly Row[]): Table | undefined {
  const whole = tableOf(rows);
  if (whole !== undefined) return whole;
  const gapBelow = (at: number) => rows[at + 1]!.y - rows[at]!.y;
  for (let start = 1; start <= Math.min(mostLinesAbove, rows.length - fewestRows); start++) {
    const table = gapBelow(start - 1) > gapBelow(start) * 1.2 ? tableOf(rows.slice(start)) : undefined;
    if (table !== undefined && table.rows[0]!.length >= fewestHeads) return table;
  }
  return undefined;
}

const mostLinesAbove = 3;

/** @param tight rows that are this close to the one above continue its cells */
function tableOf(rows: readonly Row[], tight = continuationGap(rows)): Table | undefined {
  if (rows.filter(({ cells }) => cells.length > 1).length < fewestRows) return undefined;
  const columns = columnsOf(rows);
  if (columns.length < 2 || columns.length > mostColumns) return undefined;
  const grid: Piece[][][] = [];
  let clashes = 0;
  let lastY = -Infinity;
  for (const [index, row] of rows.entries()) {
    const cells: Piece[][] = columns.map(() => []);
    const isSection = isSectionRow(rows, index);
    if (isSection) appendCell(cells[0]!, row.cells[0]!.pieces);
    for (const cell of isSection ? [] : row.cells.flatMap((fragment) => cutAtColumns(fragment, columns))) {
      const column = cells[columnOf(cell, columns)]!;
      if (column.length > 0) clashes++;
      appendCell(column, cell.pieces);
    }
    const above = grid.at(-1);
    const isContinuation =
      above !== undefined &&
      !isSection &&
      (row.y - lastY < tight || (cells[0]!.length === 0 && row.cells.length === 1));
    if (isContinuation) for (const [column, cell] of cells.entries()) continueCell(above[column]!, cell);
    else grid.push(cells);
    lastY = row.y;
  }
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  // A table may well explain the symbols with which its rows start.
  const isSign = (cell: Piece[], index: number) =>
    formulaSign.test(textOf(cell)) || (index > 0 && relation.test(textOf(cell)));
  const signs = grid.flatMap((row) => row.filter(isSign)).length;
  const isTable =
    signs < filled * mostFormulas &&
    clashes <= rows.length * 0.1 &&
    grid.length >= 2 &&
    filled >= grid.length * columns.length * leastFilled;
  if (!isTable) return undefined;
  const isRightToLeft = isMostlyRightToLeft(textOf(grid.flat(2)));
  return isRightToLeft
    ? { rows: grid.map((cells) => cells.toReversed()), y: rows[0]!.y }
    : { rows: grid, y: rows[0]!.y, columns };
}

/**
 * The end of the code with which a run of rows begins: the whole run, or a part that is set apart; `start` if there is
 * none.
 */
function endOfCode(rows: readonly Row[], start: number, end: number, isCode: (line: Line) => boolean): number {
  let at = start;
  while (at < end && isCode(lineOf(rows[at]!))) at++;
  if (at === end) return end;
  if (at - start < fewestRows) return start;
  const leading = rows[at - 1]!.y - rows[at - 2]!.y;
  return rows[at]!.y - rows[at - 1]!.y > leading * 1.2 ? at : start;
}

/**
 * The distance of lines within a cell, which is smaller than that of rows; 0 if all are equally close, or only the head
 * is set apart.
 */
function continuationGap(rows: readonly Row[]): number {
  const gaps = rows.slice(1).map((row, index) => row.y - rows[index]!.y);
  const least = gaps.reduce((one, other) => Math.min(one, other));
  const most = gaps.reduce((one, other) => Math.max(one, other));
  if (most <= least * 1.3 || least >= rows[0]!.fontSize * 1.5) return 0;
  const tight = least * 1.15;
  return areRowsOfTheirOwn(rows, tight) ? 0 : tight;
}

/**
 * Of the lines that continue cells, at most this share has as many cells as the line above, because not all cells are
 * equally long.
 */
export const mostFullLines = 0.7;

/** Rows that rules separate into a head and groups are as close as the lines of a cell, but have cell next to cell. */
function areRowsOfTheirOwn(rows: readonly Row[], tight: number): boolean {
  const close = rows
    .map((row, index) => ({ row, above: rows[index - 1] }))
    .filter(({ row, above }) => above !== undefined && row.y - above.y < tight);
  const full = close.filter(({ row, above }) => row.cells.length > 1 && row.cells.length >= above!.cells.length);
  const textsOf = ({ cells }: Row) => cells.map(({ pieces }) => textOf(pieces).trim());
  const below = new Set(full.map(({ row }) => row));
  if (continueTexts(rows.filter((row) => !below.has(row)).flatMap(textsOf), [...below].flatMap(textsOf))) return false;
  // A head may well have two full lines above rows of one line.
  return close.length * 2 >= rows.length && full.length > close.length * mostFullLines;
}
