/** Fills the cells of tables with the text of their rows. */

import type { Piece } from "./pieces.ts";
import type { Row } from "./rows.ts";
import type { Column } from "./table-columns.ts";
import { joinedLines, noVocabulary } from "./words.ts";

/** Fewer may be below each other by chance. */
const fewestCells = 3;

/** The first rows, as far as they fit known columns: a table may end with a single row on the next page. */
export function rowsInColumns(rows: readonly Row[], columns: readonly Column[]): Piece[][][] {
  const found: Piece[][][] = [];
  for (const { cells } of columns.length < fewestCells ? [] : rows) {
    const row: Piece[][] = columns.map(() => []);
    const isWithin = cells.every((cell) => {
      const place = columns.findIndex(({ left, right }) => cell.left < right && cell.right > left);
      const isFree = place >= 0 && row[place]!.length === 0 && (columns[place + 1]?.left ?? Infinity) > cell.right;
      if (isFree) appendCell(row[place]!, cell.pieces);
      return isFree;
    });
    if (!isWithin || cells.length < Math.max(fewestCells, columns.length - 1)) break;
    found.push(row);
  }
  return found;
}

/** Continues a cell with its next line. */
export function continueCell(cell: Piece[], next: readonly Piece[]): void {
  if (next.length === 0) return;
  // Only the last piece matters for joining the lines; a cell may have thousands.
  const last = cell.pop();
  const joined = last === undefined ? next : joinedLines([{ pieces: [last] }, { pieces: next }], noVocabulary);
  for (const piece of joined) cell.push(piece);
}

export function appendCell(cell: Piece[], pieces: readonly Piece[]): void {
  pieces.forEach((piece, index) => {
    cell.push(index === 0 && cell.length > 0 ? { ...piece, text: ` ${piece.text}` } : piece);
  });
}
