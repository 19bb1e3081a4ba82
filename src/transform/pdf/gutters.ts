/** Finds the gaps between columns of text: on a page, or on a part of it. */

import { areLinesOfText } from "./continued-cells.ts";
import type { Fragment } from "./fragments.ts";
import { extentOf } from "./measures.ts";
import { textOf } from "./pieces.ts";

/** Pages are divided into this many vertical strips in search of a gap between columns. */
const strips = 400;
/** A column has at least this many lines. */
export const fewestLines = 4;

/** The gap between two columns. */
export interface Gutter {
  readonly left: number;
  readonly right: number;
  /** Many of the region's lines cross it, so it divides only text: tables have gaps as well. */
  readonly isOfPart?: boolean;
}

/**
 * The shares of a page's lines, from top to bottom, in which columns are searched for if the page as a whole has none.
 */
const parts = [
  [0.4, 1],
  [0, 0.6],
] as const;

/** Lines of text above and below columns, or a table, may leave them a small part in the middle. */
const smallPart = 0.3;
const startsOfSmallParts = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];

/** A title with a long summary, or a wide table, may take much of a page whose other lines are in columns. */
export function gutterOfPart(fragments: readonly Fragment[]): Gutter | undefined {
  const whole = gutterOf(fragments);
  if (whole !== undefined) return whole;
  const sorted = fragments.toSorted((one, other) => one.y - other.y);
  const partOf = (start: number, end: number) => sorted.slice(start * sorted.length, end * sorted.length);
  for (const [start, end] of parts) {
    const gutter = gutterOf(partOf(start, end));
    if (gutter !== undefined) return { ...gutter, isOfPart: true };
  }
  for (const start of startsOfSmallParts) {
    const part = partOf(start, start + smallPart);
    const gutter = gutterOf(part);
    if (gutter !== undefined && isBetweenText(gutter, part)) return { ...gutter, isOfPart: true };
  }
  return undefined;
}

/** Whether text goes on from line to line on both sides: where there are few lines, cells of a table may be as long. */
function isBetweenText({ left, right }: Gutter, fragments: readonly Fragment[]): boolean {
  const sides = Map.groupBy(fragments, (fragment) => fragment.left + fragment.right <= left + right);
  const textsOf = (isLeft: boolean) => (sides.get(isLeft) ?? []).map(({ pieces }) => textOf(pieces).trim());
  return areLinesOfText(textsOf(true)) && areLinesOfText(textsOf(false));
}

/**
 * Titles and wide figures cross the gap between columns; on a page with one column, text crosses it everywhere. At most
 * this share of the fragments may cross. Smaller shares are tried too, because all of a column that is much shorter
 * than the other, or all but the items of its lists, would be within the share.
 */
const crossingShares = [0.2, 0.1, 0.05, 0.02];

/** The widest vertical gap that few fragments cross. */
function gutterOf(fragments: readonly Fragment[]): Gutter | undefined {
  const { left, right } = extentOf(fragments);
  const stripWidth = (right - left) / strips;
  if (!(stripWidth > 0)) return undefined;
  const stripOf = (x: number) => Math.min(strips - 1, Math.max(0, Math.floor((x - left) / stripWidth)));

  const changes = new Int32Array(strips + 1);
  const startsAfter = new Int32Array(strips + 1);
  for (const fragment of fragments) {
    changes[stripOf(fragment.left)]!++;
    changes[stripOf(fragment.right) + 1]!--;
    startsAfter[stripOf(fragment.left)]!++;
  }
  for (let strip = strips - 1; strip >= 0; strip--) startsAfter[strip]! += startsAfter[strip + 1]!;

  let best: Gap | undefined;
  for (const mostCrossing of new Set(
    crossingShares.map((share) => Math.max(1, Math.floor(fragments.length * share))),
  )) {
    let start = -1;
    let crossing = 0;
    let covering = 0;
    for (let strip = 0; strip <= strips; strip++) {
      covering += changes[strip]!;
      const isGap = strip < strips && covering <= mostCrossing;
      if (isGap && start >= 0) crossing = Math.max(crossing, covering);
      else if (isGap) [start, crossing] = [strip, covering];
      else if (start >= 0) {
        const isInside = start > strips * 0.08 && strip < strips * 0.92;
        const before = fragments.length - startsAfter[start]!;
        const isBusy = startsAfter[strip]! >= fewestLines && before >= fewestLines;
        const gap = { start, end: strip, crossing, before };
        if (isInside && isBusy && (best === undefined || worthOf(gap) > worthOf(best))) best = gap;
        start = -1;
      }
    }
  }
  return best && withinLines({ left: left + best.start * stripWidth, right: left + best.end * stripWidth }, fragments);
}

/**
 * The gap without the ends of the lines that reach into it: where most pieces of a column are short, all its full lines
 * are within the share of fragments that may cross.
 */
function withinLines(gap: Gutter, fragments: readonly Fragment[]): Gutter {
  const ends = fragments.filter(({ left, right }) => left < gap.left && right > gap.left && right < gap.right);
  const begins = fragments.filter(({ left, right }) => right > gap.right && left < gap.right && left > gap.left);
  // A page may have more pieces than a function takes arguments.
  const left = ends.length < fewestLines ? gap.left : ends.reduce((most, { right }) => Math.max(most, right), gap.left);
  const right =
    begins.length < fewestLines ? gap.right : begins.reduce((least, { left }) => Math.min(least, left), gap.right);
  return left < right ? { left, right } : gap;
}

/** A row of strips without much text, how many fragments cross it, and how many begin before it. */
interface Gap {
  readonly start: number;
  readonly end: number;
  readonly crossing: number;
  readonly before: number;
}

/**
 * Where most of the lines before a gap cross it, they are rather the full lines of a column that has short ones too. Of
 * fewer nothing is said: a title crosses all gaps, with fewer lines before the first of them.
 */
function worthOf({ start, end, crossing, before }: Gap): number {
  return ((end - start) * Math.min(1, ((before - crossing) / before) * 2)) / (crossing + 3);
}
