/** Places the runs of text from pdf.js on the page. */

import { plainForm } from "./plain-form.ts";
import { closedUp } from "./spread-letters.ts";
import type { TurnedItem } from "./upright.ts";

/** A run of text, as pdf.js returns it. */
export interface RawItem {
  readonly str: string;
  readonly width: number;
  /** The length of a vertical run. */
  readonly height?: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

/** The six numbers of a transformation: scale and turn, then the shift. */
export type Matrix = readonly number[];

/**
 * @param isVertical its characters are below each other, and its lines run from right to left; it is treated as rotated
 * text
 */
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

/** A damaged file may have positions that are no numbers; the text is kept all the same. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

export function at(view: Matrix, x: number, y: number): [number, number] {
  const [a, b, c, d, e, f] = view as [number, number, number, number, number, number];
  return [a * x + c * y + e, b * x + d * y + f];
}
