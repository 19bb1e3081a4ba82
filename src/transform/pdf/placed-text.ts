/** Places runs of text on the page, as pdf.js gives them. */

import type { RawItem } from "./form-fields.ts";
import { closedUp } from "./spread-letters.ts";
import type { TurnedItem } from "./upright.ts";

/** The six numbers of a transformation: scale and turn, then the shift. */
export type Matrix = readonly number[];

/** @param isVertical its letters stand below each other, and its lines run from right to left: it is turned text to us */
export function placed(
  { str, width, height, transform, fontName }: RawItem,
  view: Matrix,
  isVertical = false,
): TurnedItem {
  const [a, b, c, d, e, f] = transform.map(finite) as [number, number, number, number, number, number];
  const [x, y] = at(view, e, f);
  const [alongX, alongY] = at(view, e + a, f + b);
  const angle = finite(Math.atan2(alongY - y, alongX - x)) + (isVertical ? Math.PI / 2 : 0);
  const length = finite(isVertical ? (height ?? 0) : width);
  const fontSize = finite(Math.hypot(c, d) || Math.hypot(a, b));
  const text = closedUp(plainForm(str), length / fontSize);
  return { text, x: finite(x), y: finite(y), width: length, fontSize, fontName, angle };
}

/** A damaged file may place its text by what is no number. What has no place is still text. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

/**
 * Files of Arabic text name the shapes of letters; the letters are what is meant. A letter that a file calls U+0000 is
 * none, and neither markdown nor every database can hold it.
 */
function plainForm(drawn: string): string {
  // Marks have forms of their own in lines that run downwards.
  const text = drawn.replaceAll("\0", "").replace(/[\ufe10-\ufe19\ufe30-\ufe48]/g, (mark) => mark.normalize("NFKC"));
  if (!/[\ufb1d-\ufdff\ufe70-\ufefc]/.test(text)) return text;
  // A vowel sign that stands alone would be written over a space.
  return text.replace(/[\ufe70-\ufe7f]/g, (sign) => sign.normalize("NFKC").slice(-1)).normalize("NFKC");
}

export function at(view: Matrix, x: number, y: number): [number, number] {
  const [a, b, c, d, e, f] = view as [number, number, number, number, number, number];
  return [a * x + c * y + e, b * x + d * y + f];
}
