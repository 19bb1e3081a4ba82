/**
 * Finds tables whose cells contain several lines each. Read line by line these would fall apart: if cells are centred,
 * the lines of one cell are between those of another, and long cells look like columns of text. But the gap between two
 * rows goes across all cells at the same height, unlike the gaps between the paragraphs of columns.
 */

import { isLeader } from "./contents-lists.ts";
import { continueTexts } from "./continued-cells.ts";
import type { Fragment } from "./fragments.ts";
import { isMarkOf } from "./list-markers.ts";
import { type Extent, extentOf, quantile } from "./measures.ts";
import { textOf } from "./pieces.ts";
import { lineOf, type Row, rowsOf } from "./rows.ts";
import { withRuledTables } from "./ruled-tables.ts";
import { roundedSize } from "./style.ts";
import { fewestRows, type Grid, mostFullLines, wholeRowsTable } from "./tables.ts";
import { joinedLines, noVocabulary } from "./words.ts";

/** With this many fragments, a page is a drawing, and its fragments are not compared with each other. */
const mostFragments = 4_000;
/** Lines of a cell are at most this much further apart than usual lines. */
const looseLeading = 1.15;
const usualLeading = 1.2;
/** Lines this many font sizes apart are not of one paragraph. */
const farthestLines = 2.2;

/** Lines below each other without a gap: a cell, or a paragraph. */
interface Stack {
  readonly lines: Fragment[];
  left: number;
  right: number;
  readonly top: number;
  bottom: number;
}

/** The same fragments, with each table's fragments replaced by one. */
export function withGrids(given: readonly Fragment[]): readonly Fragment[] {
  const fragments = withRuledTables(given);
  if (fragments.length < fewestRows * 2 || fragments.length > mostFragments) return fragments;
  const taken = new Set<Fragment>();
  const grids: Grid[] = [];
  for (const run of runsOf(bandsOf(stacksOf(fragments)))) {
    const table = wholeRowsTable(run.map(rowOf));
    if (table === undefined) continue;
    const stacks = run.flat();
    for (const { lines } of stacks) for (const line of lines) taken.add(line);
    const { fontName, fontSize } = run[0]![0]!.lines[0]!;
    grids.push({ pieces: [], ...extentOf(stacks), y: table.y, fontName, fontSize, table });
  }
  return grids.length === 0 ? fragments : [...fragments.filter((fragment) => !taken.has(fragment)), ...grids];
}

/** Groups lines that overlap horizontally and are close below each other. */
function stacksOf(fragments: readonly Fragment[]): Stack[] {
  const sorted = [...fragments].sort((one, other) => one.y - other.y);
  const leadings = leadingsOf(sorted);
  const done: Stack[] = [];
  let open: Stack[] = [];
  for (const line of sorted) {
    const leading = (leadings.get(roundedSize(line.fontSize)) ?? usualLeading) * looseLeading;
    const near: Stack[] = [];
    for (const stack of open) {
      const isNear = line.y - stack.lines.at(-1)!.y <= leading * line.fontSize;
      (isNear ? near : done).push(stack);
    }
    open = near;
    const stack = near.find(({ left, right }) => line.left < right && line.right > left);
    const [top, bottom] = [line.y - line.fontSize * 0.75, line.y + line.fontSize * 0.2];
    if (stack === undefined) open.push({ lines: [line], left: line.left, right: line.right, top, bottom });
    else {
      stack.lines.push(line);
      stack.left = Math.min(stack.left, line.left);
      stack.right = Math.max(stack.right, line.right);
      stack.bottom = Math.max(stack.bottom, bottom);
    }
  }
  return [...done, ...open];
}

/** The usual distance between neighbouring lines, in font sizes, by rounded font size. */
function leadingsOf(sorted: readonly Fragment[]): Map<number, number> {
  const distances = new Map<number, number[]>();
  for (const [index, line] of sorted.entries()) {
    for (let next = index + 1; next < sorted.length; next++) {
      const below = sorted[next]!;
      const distance = (below.y - line.y) / line.fontSize;
      if (distance > farthestLines) break;
      if (distance < 0.8 || below.left >= line.right || below.right <= line.left) continue;
      const size = roundedSize(line.fontSize);
      const some = distances.get(size) ?? [];
      some.push(distance);
      distances.set(size, some);
      break;
    }
  }
  return new Map([...distances].map(([size, some]) => [size, leadingOf(some)]));
}

/** A page may have hardly any text beside a table: then most lines that are below each other are rows of their own. */
function leadingOf(distances: readonly number[]): number {
  const usual = quantile(distances, 0.2)!;
  const close = distances.filter((distance) => distance >= 1 && distance < usualLeading * looseLeading);
  return usual < usualLeading * looseLeading || close.length === 0 ? usual : quantile(close, 0.5)!;
}

/** Stacks that are next to each other at some height, from left to right. */
function bandsOf(stacks: readonly Stack[]): Stack[][] {
  const bands: Stack[][] = [];
  let bottom = -Infinity;
  for (const stack of [...stacks].sort((one, other) => one.top - other.top)) {
    if (stack.top >= bottom) bands.push([stack]);
    else bands.at(-1)!.push(stack);
    bottom = Math.max(bottom, stack.bottom);
  }
  return bands.map((band) => withoutMarkers(band.sort((one, other) => one.left - other.left)));
}

/** The mark of a list item is set apart from its text, but is no cell. */
function withoutMarkers(band: Stack[]): Stack[] {
  const [first, second, ...rest] = band;
  if (first === undefined || second === undefined || first.lines.length > 1) return band;
  if (!isMarkOf(textOf(first.lines[0]!.pieces), textOf(second.lines[0]!.pieces))) return band;
  return [{ ...second, ...extentOf([first, second]), lines: [...first.lines, ...second.lines] }, ...rest];
}

/** Consecutive bands with at most one stack in each of their columns, and more than one column. */
function runsOf(bands: readonly (readonly Stack[])[]): (readonly Stack[])[][] {
  const runs: (readonly Stack[])[][] = [];
  let run: (readonly Stack[])[] = [];
  let columns: Extent[] = [];
  const close = () => {
    while (run.at(-1)?.length === 1) run.pop();
    // Rows of single lines are found by their baselines; a table with no others does not need this.
    const hasLongCells = run.some((band) => band.some(({ lines }) => lines.length > 1));
    if (run.length >= fewestRows && hasLongCells && areRows(run)) runs.push(run);
    [run, columns] = [[], []];
  };
  for (const band of bands) {
    // Tables of contents have their numbers far from the titles, and one number for each of several lines.
    if (band.some(({ lines }) => lines.some(isLeader))) {
      close();
      continue;
    }
    let joined = band.length > 1 || isWithinLaterColumn(band, columns) ? withColumns(columns, band) : undefined;
    if (joined === undefined) {
      close();
      joined = band.length > 1 ? withColumns([], band) : undefined;
    }
    if (joined === undefined) continue;
    run.push(band);
    columns = joined;
  }
  close();
  return runs;
}

/** A row may have but one cell; text below the first column may be what follows the table. */
function isWithinLaterColumn([only]: readonly Stack[], columns: readonly Extent[]): boolean {
  return columns.some(({ left, right }, index) => index > 0 && only!.left >= left - 1 && only!.right <= right + 1);
}

/** At least this share of a table's rows is aligned and spaced alike. */
const leastAlike = 0.8;

/** How the cells of a row may be aligned: at their first lines, in the middle, or at their last lines. */
const alignments: readonly ((stack: Stack) => number)[] = [
  ({ lines }) => lines[0]!.y,
  ({ top, bottom }) => (top + bottom) / 2,
  ({ lines }) => lines.at(-1)!.y,
];

/** Paragraphs in two columns may begin at one height by chance; rows are evenly spaced and aligned throughout. */
function areRows(run: readonly (readonly Stack[])[]): boolean {
  const { fontSize } = run[0]![0]!.lines[0]!;
  const gaps = run.slice(1).map((band, index) => topOf(band) - bottomOf(run[index]!));
  const usual = quantile(gaps, 0.5)!;
  const alike = gaps.filter((gap) => Math.abs(gap - usual) < fontSize * 0.3);
  // The head may be set apart.
  const others = gaps.length > 2 ? 1 : 0;
  if (alike.length < (gaps.length - others) * leastAlike) return false;
  if (haveFullLines(run)) return false;
  // Marks, terms or numbers with text next to them are read line by line.
  const [atFirstLines, ...elsewhere] = alignments;
  return (isLongInSeveral(run) ? [atFirstLines!, ...elsewhere] : elsewhere).some((place) => {
    const isRow = ([first, ...rest]: readonly Stack[]) =>
      rest.every((stack) => Math.abs(place(stack) - place(first!)) < fontSize * 0.3 && areOfOneSize(stack, first!));
    return run.filter(isRow).length >= run.length * leastAlike;
  });
}

/** True if the bands are groups of rows: their lines are next to each other in all columns. */
function haveFullLines(run: readonly (readonly Stack[])[]): boolean {
  let [lines, full] = [0, 0];
  for (const band of run) {
    if (isContinued(band)) continue;
    const heights = band.flatMap((stack) => stack.lines.slice(1).map(({ y }) => Math.round(y)));
    for (const together of Map.groupBy(heights, (height) => height).values()) {
      lines++;
      if (together.length === band.length) full++;
    }
  }
  return full > lines * mostFullLines;
}

function isContinued(band: readonly Stack[]): boolean {
  const texts = band.map(({ lines }) => lines.map(({ pieces }) => textOf(pieces).trim()));
  return continueTexts(
    texts.map(([first]) => first!),
    texts.flatMap((lines) => lines.slice(1)),
  );
}

/** True if more than one column has cells of several lines. */
function isLongInSeveral(run: readonly (readonly Stack[])[]): boolean {
  const long = run.flat().filter(({ lines }) => lines.length > 1);
  return long.some(({ left }) => long.some((other) => left >= other.right));
}

/** A cell of code may be a little smaller than the others; a heading beside text is larger. */
function areOfOneSize(one: Stack, other: Stack): boolean {
  const [size, otherSize] = [one.lines[0]!.fontSize, other.lines[0]!.fontSize];
  return Math.min(size, otherSize) >= Math.max(size, otherSize) * 0.75;
}

function topOf(band: readonly Stack[]): number {
  return band.reduce((least, { top }) => Math.min(least, top), Infinity);
}

function bottomOf(band: readonly Stack[]): number {
  return band.reduce((most, { bottom }) => Math.max(most, bottom), -Infinity);
}

/** The columns merged with those of another band; `undefined` if two of either would become one. */
function withColumns(columns: readonly Extent[], band: readonly Stack[]): Extent[] | undefined {
  const joined: { left: number; right: number; columns: number; stacks: number }[] = [];
  const all = [
    ...columns.map(({ left, right }) => ({ left, right, columns: 1, stacks: 0 })),
    ...band.map(({ left, right }) => ({ left, right, columns: 0, stacks: 1 })),
  ];
  for (const next of all.sort((one, other) => one.left - other.left)) {
    const last = joined.at(-1);
    if (last === undefined || next.left >= last.right) {
      joined.push(next);
      continue;
    }
    last.right = Math.max(last.right, next.right);
    last.columns += next.columns;
    last.stacks += next.stacks;
    if (last.columns > 1 || last.stacks > 1) return undefined;
  }
  return joined;
}

function rowOf(band: readonly Stack[]): Row {
  const first = band[0]!.lines[0]!;
  const cells = band.map(({ lines, left, right }) => {
    const pieces = joinedLines(rowsOf(lines).map(lineOf), noVocabulary);
    return { ...lines[0]!, pieces, left, right };
  });
  return {
    cells,
    y: band.reduce((least, { lines }) => Math.min(least, lines[0]!.y), Infinity),
    fontSize: first.fontSize,
  };
}
