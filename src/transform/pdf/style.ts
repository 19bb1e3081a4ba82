/** What most of a document's text looks like, against which headings and code stand out. */

import type { Fragment } from "./fragments.ts";
import type { PdfFonts } from "./page.ts";
import { textOf } from "./pieces.ts";

export interface BodyStyle {
  /** In points, rounded to halves. */
  readonly size: number;
  readonly isBold: boolean;
  readonly isMonospace: boolean;
}

export function roundedSize(size: number): number {
  return Math.round(size * 2) / 2;
}

/** The size and font in which most characters are set. */
export function bodyStyleOf(fragments: Iterable<Fragment>, fonts: PdfFonts): BodyStyle {
  const sizes = new Map<number, number>();
  let all = 0;
  let bold = 0;
  let monospace = 0;
  for (const { pieces, fontSize, fontName } of fragments) {
    const length = textOf(pieces).length;
    const size = roundedSize(fontSize);
    sizes.set(size, (sizes.get(size) ?? 0) + length);
    all += length;
    if (fonts.get(fontName)?.isBold) bold += length;
    if (fonts.get(fontName)?.isMonospace) monospace += length;
  }
  const [size] = [...sizes].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0]);
  return { size, isBold: bold * 2 > all, isMonospace: monospace * 2 > all };
}
