/** Finds the lines of a paragraph among what pages repeat at their edges: a letter to many people has them on each page. */

import type { Fragment } from "./fragments.ts";
import { textOf } from "./pieces.ts";

/** In font sizes: how far a line is below the one that it continues, and how much longer or further left it may be. */
const nextLine = { least: 0.7, most: 1.6 };
const longer = 8;
const indent = 4;

/** In characters; a shorter text above another is rather the head of a column. */
const shortestLine = 30;

/** A page with more repeated texts repeats no sentences, but a table or a drawing. */
const mostOnPage = 50;
/** How many lines of a paragraph are at the edge. */
const rounds = 3;

/** Those of the repeated fragments that are in one sentence with a line that is not repeated. */
export function withinSentences(fragments: readonly Fragment[], repeated: ReadonlySet<Fragment>): Set<Fragment> {
  const found = new Set<Fragment>();
  const some = fragments.filter((fragment) => repeated.has(fragment));
  if (some.length > mostOnPage) return found;
  for (let round = 0, before = -1; round < rounds && found.size > before; round++) {
    before = found.size;
    for (const line of some) {
      const isPart = fragments.some(
        (other) =>
          (!repeated.has(other) || found.has(other)) && (isContinuedBy(line, other) || isContinuedBy(other, line)),
      );
      if (isPart) found.add(line);
    }
  }
  return found;
}

function isContinuedBy(line: Fragment, next: Fragment): boolean {
  const size = line.fontSize;
  const below = (next.y - line.y) / size;
  if (below < nextLine.least || below > nextLine.most || Math.abs(next.fontSize - size) > size / 20) return false;
  if (next.right - line.right > longer * size || Math.abs(next.left - line.left) > indent * size) return false;
  const text = textOf(line.pieces).trim();
  return text.length >= shortestLine && !/[.!?:;]\W?$/.test(text) && /^\p{Ll}/u.test(textOf(next.pieces).trim());
}
