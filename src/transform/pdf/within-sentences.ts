/** Finds the lines of a paragraph among what pages repeat at their edges: a letter to many people has them on each page. */

import type { Fragment } from "./fragments.ts";
import { textOf } from "./pieces.ts";

/** In font sizes: how far a line may be below the one that it continues. */
const nextLine = { least: 0.7, most: 1.6 };
/** In font sizes: how much that may differ from the spacing of the page, and how much longer or further left it may be. */
const otherSpacing = 0.1;
const longer = 8;
const indent = 4;

/** In characters; a shorter text above another is rather the head of a column. */
const shortestLine = 30;

/** A page with more repeated texts repeats no sentences, but a table or a drawing. */
const mostOnPage = 50;

/** Those of the repeated fragments that are in one sentence with a line that is not repeated. */
export function withinSentences(fragments: readonly Fragment[], repeated: ReadonlySet<Fragment>): Set<Fragment> {
  const found = new Set<Fragment>();
  const some = fragments.filter((fragment) => repeated.has(fragment));
  if (some.length === 0 || some.length > mostOnPage) return found;
  let lines = fragments.filter((fragment) => !repeated.has(fragment));
  const spacing = lineSpacing(lines);
  const { unfinished, continuing } = halfSentences(fragments);
  const isContinuedBy = (line: Fragment, next: Fragment) =>
    isAtNextLine(line, next, spacing) && unfinished.has(line) && continuing.has(next);
  // The outermost line alone, however close, may well be a running head. With other repeated lines it is a paragraph.
  let candidates = withoutOutermost(some, fragments);
  while (lines.length > 0) {
    lines = candidates.filter((line) =>
      lines.some((other) => isContinuedBy(line, other) || isContinuedBy(other, line)),
    );
    for (const line of lines) found.add(line);
    candidates = some.filter((line) => !found.has(line));
  }
  return found;
}

/** The usual distance of a line to the next, in font sizes; `NaN` if there are no lines below each other. */
function lineSpacing(lines: readonly Fragment[]): number {
  const steps: number[] = [];
  for (const column of Map.groupBy(lines, ({ left }) => Math.round(left)).values()) {
    column.sort((one, other) => one.y - other.y);
    for (const [index, next] of column.entries()) {
      const line = column[index - 1];
      if (line !== undefined && areOfOneSize(line, next) && isClose(below(line, next))) steps.push(below(line, next));
    }
  }
  return steps.sort((one, other) => one - other)[steps.length >> 1] ?? Number.NaN;
}

/** The fragments whose sentence goes on, and those that begin within one. Each text is joined only once. */
function halfSentences(fragments: readonly Fragment[]) {
  const [unfinished, continuing] = [new Set<Fragment>(), new Set<Fragment>()];
  for (const fragment of fragments) {
    const text = textOf(fragment.pieces).trim();
    if (text.length >= shortestLine && !/[.!?:;]\W?$/.test(text)) unfinished.add(fragment);
    // An address may well be all that a running foot consists of.
    if (/^\p{Ll}/u.test(text) && !/^(?:www\.|https?:)/.test(text)) continuing.add(fragment);
  }
  return { unfinished, continuing };
}

function withoutOutermost(some: readonly Fragment[], fragments: readonly Fragment[]): Fragment[] {
  let [top, bottom] = [Infinity, -Infinity];
  for (const { y } of fragments) [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  return some.filter(({ y, fontSize }) => Math.min(y - top, bottom - y) > fontSize / 2);
}

function isAtNextLine(line: Fragment, next: Fragment, spacing: number): boolean {
  const distance = below(line, next);
  if (!isClose(distance) || !(Math.abs(distance - spacing) <= otherSpacing) || !areOfOneSize(line, next)) return false;
  const size = line.fontSize;
  return next.right - line.right <= longer * size && Math.abs(next.left - line.left) <= indent * size;
}

const below = (line: Fragment, next: Fragment): number => (next.y - line.y) / line.fontSize;

const isClose = (distance: number): boolean => distance >= nextLine.least && distance <= nextLine.most;

const areOfOneSize = (line: Fragment, next: Fragment): boolean =>
  Math.abs(next.fontSize - line.fontSize) <= line.fontSize / 20;
