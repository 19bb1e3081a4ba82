/** Finds the areas of a page that open an address. */

import type { PdfLink } from "./page.ts";
import { at, type Matrix } from "./placed-text.ts";

/** A link, as pdf.js returns it. */
interface RawLink {
  readonly subtype?: string;
  readonly url?: string;
  readonly rect?: readonly number[];
  /** Eight numbers for each area of a link over several lines: its upper corners, and then the lower ones. */
  readonly quadPoints?: ArrayLike<number>;
}

/** Many links may share one long list of areas, or one long address, which is then written for each. */
const mostAreas = 10_000;
const mostCharacters = 1_000_000;

/** @param view places the areas on the page */
export function linkAreas(annotations: readonly unknown[], view: Matrix): PdfLink[] {
  const links: PdfLink[] = [];
  let room = mostCharacters;
  for (const annotation of annotations) {
    const { subtype, url, rect, quadPoints } = annotation as RawLink;
    if (subtype !== "Link" || typeof url !== "string" || rect === undefined) continue;
    for (const [left, bottom, right, top] of quadPoints === undefined ? [rect] : boxesOf(quadPoints)) {
      room -= url.length;
      if (links.length === mostAreas || room < 0) return links;
      const [x0, y0] = at(view, left!, bottom!);
      const [x1, y1] = at(view, right!, top!);
      links.push({
        url,
        left: Math.min(x0, x1),
        right: Math.max(x0, x1),
        top: Math.min(y0, y1),
        bottom: Math.max(y0, y1),
      });
    }
  }
  return links;
}

function* boxesOf(points: ArrayLike<number>): Generator<readonly number[]> {
  for (let first = 0; first < points.length; first += 8) {
    yield [points[first]!, points[first + 7]!, points[first + 2]!, points[first + 1]!];
  }
}
