/** Finds the columns of a table from the cells of its rows. */

import type { Fragment } from "./fragments.ts";
import { cutPieces, textOf } from "./pieces.ts";
import type { Row } from "./rows.ts";

/** With more columns, it is letters spread over a page, not a table. */
export const mostColumns = 60;

export interface Column {
  left: number;
  right: number;
}

/** There is a column wherever cells of the fullest rows overlap. */
export function columnsOf(rows: readonly Row[]): Column[] {
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
  return columns.length > mostColumns ? columns : joinedColumns(columns, rows);
}

/** Headers at the left and numbers at the right of one column need not overlap, but then no row has both. */
function joinedColumns(columns: readonly Column[], rows: readonly Row[]): Column[] {
  const rowsWith = columns.map(() => new Set<number>());
  for (const [index, { cells }] of rows.entries()) {
    for (const cell of cells) rowsWith[columnOf(cell, columns)]!.add(index);
  }
  const joined: Column[] = [];
  let taken = new Set<number>();
  for (const [index, column] of columns.entries()) {
    const filled = rowsWith[index]!;
    const last = joined.at(-1);
    if (last !== undefined && ![...filled].some((row) => taken.has(row))) {
      last.right = column.right;
      taken = new Set([...taken, ...filled]);
    } else {
      joined.push({ ...column });
      taken = filled;
    }
  }
  return joined;
}

/** The column that a cell overlaps most, or else the nearest one. */
export function columnOf({ left, right }: Fragment, columns: readonly Column[]): number {
  let best = 0;
  let bestOverlap = -Infinity;
  columns.forEach((column, index) => {
    const overlap = Math.min(right, column.right) - Math.max(left, column.left);
    if (overlap > bestOverlap) [best, bestOverlap] = [index, overlap];
  });
  return best;
}

/** Splits cells that are so close that they were taken for one, where a word begins near the beginning of a column. */
export function cutAtColumns(cell: Fragment, columns: readonly Column[]): Fragment[] {
  const text = textOf(cell.pieces);
  const first = columns.findIndex(({ right }) => right > cell.left);
  const next = columns[first + 1];
  // A cell may be to the right of all columns.
  if (first < 0 || next === undefined || cell.right <= next.left + cell.fontSize) return [cell];
  const guess = Math.round(((next.left - cell.left) / (cell.right - cell.left)) * text.length);
  for (let distance = 0; distance <= 4; distance++) {
    for (const at of [guess - distance, guess + distance]) {
      if (at <= 0 || text[at - 1] !== " ") continue;
      const [start, rest] = cutPieces(cell.pieces, at);
      return [
        { ...cell, pieces: start, right: columns[first]!.right },
        ...cutAtColumns({ ...cell, pieces: rest, left: next.left }, columns),
      ];
    }
  }
  return [cell];
}
