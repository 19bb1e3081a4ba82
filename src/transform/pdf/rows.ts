/** Groups the fragments of a region into rows, from top to bottom. */

import type { Fragment } from "./fragments.ts";
import { isMarkOf, markerOf } from "./list-markers.ts";
import { extentOf } from "./measures.ts";
import { type Piece, textOf } from "./pieces.ts";
import { isMostlyRightToLeft } from "./right-to-left.ts";

/** One line of text. */
export interface Line {
  readonly pieces: readonly Piece[];
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly fontSize: number;
  /** Its parts, separated by wide gaps, from left to right. */
  readonly cells: readonly Fragment[];
  /** It is a line of a table of contents. */
  readonly isEntry?: boolean;
}

/** Fragments side by side on one baseline, from left to right. */
export interface Row {
  readonly cells: Fragment[];
  readonly y: number;
  readonly fontSize: number;
}

export function rowsOf(region: readonly Fragment[]): Row[] {
  const rows: Row[] = [];
  for (const fragment of [...region].sort((one, other) => one.y - other.y)) {
    const row = rows.at(-1);
    const isNear = row !== undefined && fragment.y - row.y <= Math.min(row.fontSize, fragment.fontSize) * 0.35;
    // A table that is already known is a row by itself, whatever is next to its first row.
    if (isNear && !("table" in fragment) && !("table" in row.cells[0]!)) {
      row.cells.push(fragment);
    } else rows.push({ cells: [fragment], y: fragment.y, fontSize: fragment.fontSize });
  }
  return rows.map((row) => ({ ...row, cells: withMarkers(row.cells.sort((one, other) => one.left - other.left)) }));
}

/** The mark of a list item is set apart from its text, but is no cell of a table. It is where the text begins. */
function withMarkers(cells: Fragment[]): Fragment[] {
  if (cells.length < 2) return cells;
  const isRightToLeft = isMostlyRightToLeft(cells.map(({ pieces }) => textOf(pieces)).join(""));
  const [first, second, ...rest] = isRightToLeft ? cells.toReversed() : cells;
  const mark = textOf(first!.pieces);
  const hasMark = isMarkOf(mark, textOf(second!.pieces)) && (rest.length === 0 || markerOf(`${mark} x`)?.isBullet);
  if (!hasMark) return cells;
  return isRightToLeft ? [...rest.toReversed(), joined([second!, first!])] : [joined([first!, second!]), ...rest];
}

export function lineOf({ cells }: Row): Line {
  const fragment = cells.length === 1 ? cells[0]! : joined(cells);
  return { ...fragment, text: textOf(fragment.pieces), cells };
}

/** One fragment from all of these, with spaces between them. */
export function joined(cells: readonly Fragment[]): Fragment {
  const lengths = cells.map(({ pieces }) => textOf(pieces).length);
  const largest = cells[lengths.reduce((most, length, index) => (length > lengths[most]! ? index : most), 0)]!;
  const isRightToLeft = isMostlyRightToLeft(textOf(largest.pieces));
  const inOrder = isRightToLeft ? cells.toReversed() : cells;
  return {
    pieces: inOrder.flatMap(({ pieces }, index) =>
      index === 0 ? pieces : [{ ...pieces[0]!, text: ` ${pieces[0]!.text}` }, ...pieces.slice(1)],
    ),
    ...extentOf(cells),
    y: largest.y,
    fontSize: largest.fontSize,
    fontName: largest.fontName,
  };
}
