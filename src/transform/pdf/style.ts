/** The style of most of a document's text, from which headings and code differ. */

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

/** A manual may contain more code than text: if at least this share is text, that is the body. */
const leastText = 0.08;

/** The size and font in which most characters are set. */
export function bodyStyleOf(fragments: Iterable<Fragment>, fonts: PdfFonts): BodyStyle {
  const [text, code] = [new Map<number, number>(), new Map<number, number>()];
  let bold = 0;
  for (const { pieces, fontSize, fontName } of fragments) {
    const length = textOf(pieces).length;
    const size = roundedSize(fontSize);
    const font = fonts.get(fontName);
    const sizes = font?.isMonospace ? code : text;
    sizes.set(size, (sizes.get(size) ?? 0) + length);
    if (font?.isBold) bold += length;
  }
  const all = lengthOf(text) + lengthOf(code);
  const isMonospace = lengthOf(text) < all * leastText;
  const [size] = [...(isMonospace ? code : text)].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0]);
  return { size, isBold: bold * 2 > all, isMonospace };
}

function lengthOf(sizes: ReadonlyMap<number, number>): number {
  return [...sizes.values()].reduce((sum, length) => sum + length, 0);
}
