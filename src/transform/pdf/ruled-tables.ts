/** Tables whose cells are drawn: the content of a cell belongs together, however it is set. */

import { continueTexts } from "./continued-cells.ts";
import { type Fragment, fragmentsOf } from "./fragments.ts";
import { extentOf } from "./measures.ts";
import type { CellPlace, PdfFonts, PdfItem, PdfRule } from "./page.ts";
import { type Piece, textOf } from "./pieces.ts";
import { isMostlyRightToLeft } from "./right-to-left.ts";
import { type Line, lineOf, rowsOf } from "./rows.ts";
import { type RuledTable, ruledTables, stretchOf } from "./ruled-cells.ts";
import { type Grid, mostFullLines } from "./tables.ts";
import { joinedLines, noVocabulary } from "./words.ts";

/** How many characters around its expected place the border of a cell is searched for in a run of text. */
const farthestBorder = 6;

/** The runs of a page's text, each with the cell that it is in; runs that extend over several cells are split. */
function withCells(items: readonly PdfItem[], rules: readonly PdfRule[]): readonly PdfItem[] {
  const tables = ruledTables(rules);
  if (tables.length === 0) return items;
  return items.flatMap((item) => {
    const y = item.y - item.fontSize * 0.3;
    const middle = item.x + item.width / 2;
    const table = tables.find(
      ({ left, right, top, bottom }) => middle >= left && middle <= right && y >= top && y <= bottom,
    );
    return table === undefined ? [item] : cutAtBorders(item, y, table);
  });
}

function cutAtBorders(item: PdfItem, y: number, table: RuledTable): PdfItem[] {
  const parts: PdfItem[] = [];
  let rest = item;
  for (const border of table.columns.slice(1, -1)) {
    const isWithin = border > rest.x + 1 && border < rest.x + rest.width - 1;
    if (!isWithin || table.cellAt(border - 1, y) === table.cellAt(border + 1, y)) continue;
    const at = spaceNear(rest.text, Math.round(((border - rest.x) / rest.width) * rest.text.length));
    if (at === undefined) continue;
    const width = (rest.width / rest.text.length) * at;
    parts.push({ ...rest, text: rest.text.slice(0, at), width: Math.min(width, border - rest.x) });
    const x = Math.max(border, rest.x + width);
    rest = { ...rest, text: rest.text.slice(at + 1), x, width: Math.max(0, rest.x + rest.width - x) };
  }
  return [...parts, rest].map((part) => ({ ...part, cell: table.cellAt(part.x + part.width / 2, y) }));
}

function spaceNear(text: string, guess: number): number | undefined {
  for (let distance = 0; distance <= farthestBorder; distance++) {
    for (const at of [guess - distance, guess + distance]) if (at > 0 && text[at] === " ") return at;
  }
  return undefined;
}

/** The fragments of a page; in a ruled table, each is within one cell. */
export function fragmentsInCells(items: readonly PdfItem[], rules: readonly PdfRule[], fonts: PdfFonts): Fragment[] {
  const placed = withCells(items, rules);
  const fragments = fragmentsOf(placed, fonts);
  const frames = new Set<object>();
  for (const [table, some] of byTable(fragments)) if (gridOf(some) === undefined) frames.add(table);
  if (frames.size === 0) return fragments;
  // If it is no table, lines continue across the rules.
  return fragmentsOf(
    placed.map(({ cell, ...item }) => (cell === undefined || frames.has(cell.table) ? item : { ...item, cell })),
    fonts,
  );
}

function byTable(fragments: readonly Fragment[]): Map<object, Fragment[]> {
  return Map.groupBy(
    fragments.filter(({ cell }) => cell !== undefined),
    ({ cell }) => cell!.table,
  );
}

/** A frame around several cells of text that are this long is no table. */
const longestCell = 1_500;
/** At least this share of a table's places is filled; a chart has lines, but hardly any text between them. */
const leastFilled = 0.25;
const fewestCells = 3;

/** The same fragments, with each ruled table's fragments replaced by one. */
export function withRuledTables(fragments: readonly Fragment[]): readonly Fragment[] {
  const grids = new Map<object, Grid>();
  for (const [table, some] of byTable(fragments)) {
    const grid = gridOf(some);
    if (grid !== undefined) grids.set(table, grid);
  }
  if (grids.size === 0) return fragments;
  return [...fragments.filter(({ cell }) => cell === undefined || !grids.has(cell.table)), ...grids.values()];
}

interface Cell {
  readonly place: CellPlace;
  readonly lines: readonly Line[];
}

function gridOf(fragments: readonly Fragment[]): Grid | undefined {
  const cells = [...Map.groupBy(fragments, ({ cell }) => cell!)].flatMap(([place, some]) => cellsIn(place, some));
  const columns = [...new Set(cells.map(({ place }) => place.column))].sort((one, other) => one - other);
  const byRow = Map.groupBy(cells, ({ place }) => place.row);
  const isFramed = cells.some(({ lines }) => lines.reduce((sum, { text }) => sum + text.length, 0) > longestCell);
  if (isFramed || columns.length < 2 || byRow.size < 2 || cells.length < fewestCells) return undefined;
  if (cells.length < columns.length * byRow.size * leastFilled) return undefined;
  const rows = [...byRow]
    .sort(([one], [other]) => one - other)
    .flatMap(([, row]) => rowsIn(row))
    .map((row) => columns.map((column) => row.find(({ place }) => place.column === column)?.lines ?? []))
    .map((row) => row.map((lines): Piece[] => joinedLines(lines, noVocabulary)));
  const isRightToLeft = isMostlyRightToLeft(fragments.map(({ pieces }) => textOf(pieces)).join(""));
  const { fontName, fontSize } = fragments[0]!;
  const y = fragments.reduce((least, fragment) => Math.min(least, fragment.y), Infinity);
  return {
    pieces: [],
    ...extentOf(fragments),
    y,
    fontName,
    fontSize,
    table: { rows: isRightToLeft ? rows.map((row) => row.toReversed()) : rows, y },
  };
}

/**
 * One cell; or several, if rules between columns are not drawn in some rows: their texts are then separated by column.
 */
function cellsIn(place: CellPlace, fragments: readonly Fragment[]): Cell[] {
  const rows = rowsOf(fragments);
  const columnOf = ({ left, right }: Fragment) =>
    Math.max(place.column, stretchOf(place.table.columns, (left + right) / 2));
  const areApart = rows.every(({ cells }) => new Set(cells.map(columnOf)).size === cells.length);
  if (!areApart || rows.every(({ cells }) => cells.length === 1)) return [{ place, lines: rows.map(lineOf) }];
  return [...Map.groupBy(fragments, columnOf)].map(([column, some]) => ({
    place: { ...place, column },
    lines: rowsOf(some).map(lineOf),
  }));
}

/** Rows without a rule between them are in one row of cells; their lines are next to each other. */
function rowsIn(cells: readonly Cell[]): (readonly Cell[])[] {
  const heights = cells.flatMap(({ lines }) => lines.map(({ y }) => Math.round(y)));
  const all = [...Map.groupBy(heights, (height) => height)].sort(([one], [other]) => one - other);
  const isFull = ([, together]: (typeof all)[number]) => together.length === cells.length;
  // Cells of one line may be next to the first line of a cell of several, or to the last.
  const areFull = [all.slice(1), all.slice(0, -1)].every(
    (lines) => lines.filter(isFull).length > lines.length * mostFullLines,
  );
  const areRows = areFull || areNamed(cells, all);
  if (cells.length < 2 || !areRows || areContinued(cells)) return [cells];
  return all.map(([height]) =>
    cells.map(({ place, lines }) => ({ place, lines: lines.filter(({ y }) => Math.round(y) === height) })),
  );
}

function areContinued(cells: readonly Cell[]): boolean {
  const texts = cells.map(({ lines }) => lines.map(({ text }) => text));
  return continueTexts(
    texts.flatMap((lines) => lines.slice(0, 1)),
    texts.flatMap((lines) => lines.slice(1)),
  );
}

/** Each line has a name of its own in the first column: none continues a sentence. */
function areNamed(cells: readonly Cell[], heights: readonly (readonly [number, readonly number[]])[]): boolean {
  const names = cells.find(({ place }) => cells.every((other) => other.place.column >= place.column))?.lines ?? [];
  const together = heights.filter(([, lines]) => lines.length > 1);
  const begun = names.filter(({ text }) => !/^\p{Ll}/u.test(text.trim()));
  const least = heights.length * mostFullLines;
  return names.length === heights.length && together.length > least && begun.length > least;
}
