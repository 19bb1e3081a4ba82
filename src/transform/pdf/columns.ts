/** Finds the columns of a page and puts its regions in reading order. */

import { arePages, isDottedEntry, isIndexEntry, isLeader, textOfCells } from "./contents-lists.ts";
import type { Fragment } from "./fragments.ts";
import { withGrids } from "./grids.ts";
import { fewestLines, type Gutter, gutterOfPart } from "./gutters.ts";
import { extentOf, quantile } from "./measures.ts";
import { textOf } from "./pieces.ts";
import { rowsOf } from "./rows.ts";
import { isFigure } from "./tables.ts";

/** Regions nest no deeper: columns within columns within columns. */
const deepest = 5;

/** Text with a smaller share of the other column's lines is a marginal note, and is read with the text beside it. */
const leastShare = 0.2;

/** The regions in reading order; the content of a region is read row by row. */
export function regionsOf(fragments: readonly Fragment[]): Fragment[][] {
  const regions: Fragment[][] = [];
  addRegions(fragments, 0, regions);
  return regions;
}

function addRegions(given: readonly Fragment[], depth: number, regions: Fragment[][]): void {
  const fragments = withGrids(given);
  const gutter = depth < deepest && fragments.length >= fewestLines * 2 ? gutterOfPart(fragments) : undefined;
  if (gutter === undefined) {
    if (fragments.length > 0) regions.push([...fragments]);
    return;
  }
  let plain: Fragment[] = [];
  const closePlain = () => {
    // If there are no columns, searching again would find the same.
    addRegions(plain, plain.length < fragments.length ? depth + 1 : deepest, regions);
    plain = [];
  };
  for (const { band, isCrossing } of bandsOf(fragments, gutter)) {
    const middle = (gutter.left + gutter.right) / 2;
    const left = band.filter((fragment) => fragment.left + fragment.right <= middle * 2);
    const right = band.filter((fragment) => fragment.left + fragment.right > middle * 2);
    if (!isCrossing && areColumns(left, right, gutter)) {
      closePlain();
      addRegions(left, depth + 1, regions);
      addRegions(right, depth + 1, regions);
    } else for (const fragment of band) plain.push(fragment);
  }
  closePlain();
}

/** Cuts a region from top to bottom where fragments that cross the gutter begin and end. */
function bandsOf(fragments: readonly Fragment[], gutter: Gutter): { band: Fragment[]; isCrossing: boolean }[] {
  const bands: { band: Fragment[]; isCrossing: boolean }[] = [];
  const ofTables = inTableRows(fragments, gutter);
  let wasCrossing: boolean | undefined;
  for (const fragment of [...fragments].sort((one, other) => one.y - other.y)) {
    const isCrossing = ofTables.has(fragment) || crosses(fragment, gutter);
    if (isCrossing !== wasCrossing) bands.push({ band: [], isCrossing });
    bands.at(-1)!.band.push(fragment);
    wasCrossing = isCrossing;
  }
  return bands;
}

/** Rows of a table have at least this many cells, and none longer than this. */
const fewestCells = 3;
const longestCell = 30;
const fewestTableRows = 2;
const numbers = /^[\d\s.,–-]+$/;

/** Fragments in rows that begin with words on one side of the gutter and continue with figures on the other. */
function inTableRows(fragments: readonly Fragment[], gutter: Gutter): Set<Fragment> {
  const middle = (gutter.left + gutter.right) / 2;
  const textAt = (cell: Fragment | undefined) => (cell === undefined ? "" : textOf(cell.pieces).trim());
  const rows = rowsOf(fragments).filter(({ cells }) => {
    if (cells.length < fewestCells || cells.some((cell) => isLeader(cell) || isIndexEntry(cell))) return false;
    if (cells.some(({ pieces }) => textOf(pieces).length > longestCell)) return false;
    const first = cells.findIndex(({ left, right }) => left + right > middle * 2);
    // Figures on both sides belong to two tables next to each other, or to an index; before words they number a
    // section.
    return first > 0 && !numbers.test(textAt(cells[first - 1])) && isFigure(textAt(cells.at(-1)));
  });
  return new Set(rows.length < fewestTableRows ? [] : rows.flatMap(({ cells }) => cells));
}

/** Extends well into both sides; a long line of one column may overhang a little. */
function crosses({ left, right, fontSize }: Fragment, gutter: Gutter): boolean {
  return left < gutter.left - fontSize * 2 && right > gutter.right + fontSize * 2;
}

/** Two columns of text or of an index; not the columns of a table, whose cells are short and stand in rows. */
function areColumns(
  leftSide: readonly Fragment[],
  rightSide: readonly Fragment[],
  { isOfPart = false }: Gutter,
): boolean {
  // Marks are next to what they mark, and are no column by themselves.
  const [left, right] = [leftSide.filter(isNoMark), rightSide.filter(isNoMark)];
  const fewest = isOfPart ? fewestLines * 2 : 1;
  if (left.length < fewest || right.length < fewest) return false;
  if ((isProse(left) && isProse(right)) || (isIndex(left) && isIndex(right) && !areCut(left, right))) return true;
  if (isOfPart || Math.min(left.length, right.length) < Math.max(left.length, right.length) * leastShare) return false;
  return left.length >= fewestLines && right.length >= fewestLines && sharedRows(left, right) < 0.5;
}

/** The mark of a reference or of a list item, apart from its text. */
const mark = /^(?:\[\d{1,3}\]|\(?\d{1,3}[.)]|[•∙·▪–-])$/;

function isNoMark({ pieces }: Fragment): boolean {
  return !mark.test(textOf(pieces).trim());
}

/** A line of text has at least this many characters, and fills its column except for this share. */
const shortestLine = 25;
const leastFilled = 0.9;
const fewestFull = 8;

function isProse(fragments: readonly Fragment[]): boolean {
  if (fragments.length < 2) return false;
  const lengths = fragments.map(({ pieces }) => textOf(pieces).length);
  return quantile(lengths, 0.5)! >= shortestLine || areMostlyFullLines(fragments);
}

/** Most of the text is in lines that fill their column, however many words of a figure there are as well. */
function areMostlyFullLines(fragments: readonly Fragment[]): boolean {
  const { left, right } = extentOf(fragments);
  let [count, full, all] = [0, 0, 0];
  for (const fragment of fragments) {
    const { length } = textOf(fragment.pieces);
    all += length;
    if (length < shortestLine || fragment.right - fragment.left < (right - left) * leastFilled) continue;
    count++;
    full += length;
  }
  return count >= fewestFull && full * 2 > all;
}

/** Terms with page numbers: they are short and in rows, but read column by column. */
function isIndex(fragments: readonly Fragment[]): boolean {
  const entries = fragments.filter(isIndexEntry);
  return (fragments.length >= fewestLines && entries.length >= fragments.length * 0.6) || isDotted(fragments);
}

/** Entries with dots to their page numbers: few lines may have any where each entry takes several. */
const leastDotted = 0.2;

function isDotted(fragments: readonly Fragment[]): boolean {
  const texts = rowsOf(fragments).map(({ cells }) => textOfCells(cells));
  const dotted = texts.filter(isDottedEntry).length;
  // The second of two columns of figures has no words.
  const isOfWords = texts.filter((text) => /\p{L}/u.test(text)).length >= fewestLines;
  if (!isOfWords || dotted < fewestLines) return false;
  return dotted + texts.filter(arePages).length >= texts.length * leastDotted;
}

const fewestCut = 3;
/** Of the rows on the right. A few terms end so where their column does: dots had no room, and begin the next line. */
const leastCut = 0.25;

/** True if the gap is within a column, between short terms and the dots that lead to their page numbers. */
function areCut(left: readonly Fragment[], right: readonly Fragment[]): boolean {
  const ofLeft = new Set(left);
  let rows = 0;
  let cut = 0;
  for (const { cells } of rowsOf([...left, ...right])) {
    const at = cells.findIndex((cell) => !ofLeft.has(cell));
    if (at >= 0) rows++;
    if (at > 0 && /^\s*[.·]/.test(textOf(cells[at]!.pieces)) && !/[\d,]\s*$/.test(textOf(cells[at - 1]!.pieces))) cut++;
  }
  return cut >= Math.max(fewestCut, rows * leastCut);
}

/** The share of the shorter side's lines that have a line of the other side on the same baseline. */
function sharedRows(left: readonly Fragment[], right: readonly Fragment[]): number {
  const [few, many] = left.length < right.length ? [left, right] : [right, left];
  const baselines = new Set(many.flatMap(({ y }) => [Math.round(y) - 1, Math.round(y), Math.round(y) + 1]));
  return few.filter(({ y }) => baselines.has(Math.round(y))).length / few.length;
}
