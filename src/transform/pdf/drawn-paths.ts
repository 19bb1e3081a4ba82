/** Finds the paths in the operators with which pdf.js draws a page: lines, boxes and shapes. */

import type { OperatorNumbers } from "./drawing-messages.ts";

/** The operators with which pdf.js draws a page. */
export interface Operators {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

type Matrix = readonly number[];

export interface DrawnPath {
  /** Places it on the page, in points from the top left corner. */
  readonly matrix: Matrix;
  /** Its outline is drawn, whether or not it is filled, too. */
  readonly isStroked: boolean;
  /** Left, top, right, bottom before it is placed. */
  readonly extent: ArrayLike<number>;
  /** 0, x, y: moves there; 1, x, y: a line to there; 2 and 3: curves; 4: back to the start. */
  readonly steps: ArrayLike<number>;
}

const deepest = 100;
/** A page with more is a drawing. */
const mostPaths = 100_000;

/** @param view places what the page draws on the page */
export function drawnPaths({ fnArray, argsArray }: Operators, numbers: OperatorNumbers, view: Matrix): DrawnPath[] {
  const { stroke, closeStroke, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke } = numbers;
  const strokes = new Set([stroke, closeStroke, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke]);
  const paths: DrawnPath[] = [];
  const kept: Matrix[] = [];
  let current = view;
  for (const [index, number] of fnArray.entries()) {
    if ((number === numbers.save || number === numbers.paintFormXObjectBegin) && kept.length < deepest)
      kept.push(current);
    else if (number === numbers.restore || number === numbers.paintFormXObjectEnd) current = kept.pop() ?? view;
    else if (number === numbers.transform) current = product(current, argsArray[index] as Matrix);
    else if (number === numbers.constructPath) {
      const [drawn, data, extent] = argsArray[index] as [number, ArrayLike<number>[], ArrayLike<number> | null];
      if (drawn === numbers.endPath || extent == null) continue;
      paths.push({ matrix: current, isStroked: strokes.has(drawn), extent, steps: data?.[0] ?? [] });
      if (paths.length > mostPaths) return [];
    }
    if (number === numbers.paintFormXObjectBegin) {
      const [matrix] = (argsArray[index] ?? []) as [Matrix | null];
      if (matrix?.length === 6) current = product(current, matrix);
    }
  }
  return paths;
}

/** The position of a point of the path on the page. */
export function placedAt([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a! * x + c! * y + e!, b! * x + d! * y + f!];
}

function product(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one as [number, number, number, number, number, number];
  const [g, h, i, j, k, l] = other as [number, number, number, number, number, number];
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
