/**
 * Finds lines of justified text whose words stand so far apart that they were taken for cells: in a narrow column, few
 * words have to fill the width.
 */

import type { Fragment } from "./fragments.ts";
import { textOf } from "./pieces.ts";
import { joined, type Row } from "./rows.ts";

/** Tolerance for common edges and equal spaces, in font sizes. */
const tolerance = 0.15;
/** In font sizes: lines further apart are not of one paragraph. */
const farthestLine = 1.8;
/** With fewer words, a line beside it has to show that this is text. */
const fewestWords = 3;

/** The same rows, with the words of such lines in one cell. */
export function withJustifiedLines(rows: readonly Row[]): Row[] {
  const result = [...rows];
  for (let start = 0; start < rows.length; ) {
    let end = start + 1;
    while (end < rows.length && isBelow(rows[end]!, rows[end - 1]!)) end++;
    if (end - start > 1) joinLines(result, start, end);
    start = end;
  }
  return result;
}

/** True for lines of one paragraph: close to each other, and both from edge to edge. */
function isBelow(row: Row, above: Row): boolean {
  const near = row.fontSize * tolerance;
  return (
    row.y - above.y < row.fontSize * farthestLine &&
    Math.abs(row.cells[0]!.left - above.cells[0]!.left) < near &&
    Math.abs(row.cells.at(-1)!.right - above.cells.at(-1)!.right) < near
  );
}

function joinLines(rows: Row[], start: number, end: number): void {
  const lines = rows.slice(start, end);
  if (!lines.every(isEvenlySpaced) || !areText(lines)) return;
  for (const [index, line] of lines.entries()) {
    if (line.cells.length > 1) rows[start + index] = { ...line, cells: [joined(line.cells)] };
  }
}

/** True if all spaces of the line are equally wide, or it has no wide ones. */
function isEvenlySpaced({ cells, fontSize }: Row): boolean {
  if (cells.length === 1) return true;
  if (cells.some((cell) => "table" in cell || /\s/.test(textOf(cell.pieces).trim()))) return false;
  const spaces = spacesOf(cells);
  return spaces.every((space) => Math.abs(space - spaces[0]!) < fontSize * tolerance);
}

function spacesOf(cells: readonly Fragment[]): number[] {
  return cells.slice(1).map(({ left }, index) => left - cells[index]!.right);
}

/**
 * Lines of text have other spaces than their neighbours. The columns of a table may be equally far apart in all rows,
 * and two words may stand at the edges of any table.
 */
function areText(lines: readonly Row[]): boolean {
  const isLine = ({ cells }: Row) =>
    cells.length >= fewestWords ||
    (cells.length === 1 && textOf(cells[0]!.pieces).trim().split(/\s+/).length >= fewestWords);
  const widths = lines.map(({ cells }) => (cells.length === 1 ? 0 : spacesOf(cells)[0]!));
  const [first] = widths;
  return lines.some(isLine) && widths.some((width) => Math.abs(width - first!) > lines[0]!.fontSize * tolerance);
}
