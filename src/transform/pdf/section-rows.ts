/** Finds the rows of a table that are headings of the rows below them: `Fruit`, alone in the first column. */

import { textOf } from "./pieces.ts";
import type { Row } from "./rows.ts";

/** Longer text is text between two tables. */
const longest = 60;
/** Tolerance for the distance of the surrounding rows, relative to that of the table's rows. */
const gaps = { least: 0.6, most: 1.5 };
const fewestCells = 3;

/** True if the row has one cell between rows of the same cells, at their distance, and begins where they begin. */
export function isSectionRow(rows: readonly Row[], at: number): boolean {
  const [above, row, below, next] = [rows[at - 1], rows[at], rows[at + 1], rows[at + 2]];
  const [cell, ...others] = row?.cells ?? [];
  if (above === undefined || row === undefined || below === undefined || next === undefined) return false;
  if (cell === undefined || others.length > 0 || textOf(cell.pieces).trim().length > longest) return false;
  const count = below.cells.length;
  if (count < fewestCells || above.cells.length !== count || next.cells.length < count - 1) return false;
  const pitch = next.y - below.y;
  const isNear = [row.y - above.y, below.y - row.y].every(
    (gap) => gap >= pitch * gaps.least && gap <= pitch * gaps.most,
  );
  const isAtStart = Math.abs(cell.left - below.cells[0]!.left) < row.fontSize;
  return isNear && isAtStart && cell.right <= below.cells.at(-1)!.right + row.fontSize;
}
