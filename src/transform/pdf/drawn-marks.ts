/**
 * Finds the marks of list items that are drawn as shapes: Qt, and with it wkhtmltopdf, does so. They come back as text, a
 * bullet before the line that each stands beside.
 */

import type { TurnedItem } from "./upright.ts";

/** What pdf.js draws a page with. */
export interface Operators {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

/** The numbers of the operators that are looked at. */
export interface OperatorNumbers {
  readonly save: number;
  readonly restore: number;
  readonly transform: number;
  readonly constructPath: number;
  readonly endPath: number;
}

type Matrix = readonly number[];

interface Shape {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
  readonly size: number;
}

/** Other programs set marks as letters; looking through all that is drawn takes half as long as reading a page. */
const drawsMarks = /\bQt\b|wkhtmltopdf/;

/** More small shapes are a drawing. */
const mostShapes = 300;
const deepest = 100;
/** In font sizes: how large a mark is, how far before its line it stands, and how high above the baseline its middle is. */
const sizes = { least: 0.15, most: 0.7 };
const gaps = { least: 0.2, most: 3 };
const heights = { least: 0.1, most: 0.6 };

/** @param programs the names of those that made the file */
export function mayDrawMarks(programs: readonly unknown[]): boolean {
  return programs.some((name) => typeof name === "string" && drawsMarks.test(name));
}

export function drawnMarks(
  operators: Operators,
  numbers: OperatorNumbers,
  view: Matrix,
  items: readonly TurnedItem[],
): TurnedItem[] {
  const shapes = smallShapes(operators, numbers, view);
  if (shapes.length > mostShapes) return [];
  return shapes.flatMap((shape) => {
    const line = items.find((item) => isBeside(shape, item));
    return line === undefined ? [] : [{ ...line, text: "•", x: shape.left, width: shape.right - shape.left }];
  });
}

function isBeside({ right, middle, size }: Shape, { text, x, y, fontSize, angle }: TurnedItem): boolean {
  const isWithin = (value: number, { least, most }: { least: number; most: number }) =>
    value >= least * fontSize && value <= most * fontSize;
  return (
    angle === 0 &&
    text.trim() !== "" &&
    isWithin(y - middle, heights) &&
    isWithin(x - right, gaps) &&
    isWithin(size, sizes)
  );
}

/** The shapes that are about as wide as high, and no larger than letters. */
function smallShapes({ fnArray, argsArray }: Operators, numbers: OperatorNumbers, view: Matrix): Shape[] {
  const shapes: Shape[] = [];
  const kept: Matrix[] = [];
  let current = view;
  for (const [index, number] of fnArray.entries()) {
    if (number === numbers.save && kept.length < deepest) kept.push(current);
    else if (number === numbers.restore) current = kept.pop() ?? view;
    else if (number === numbers.transform) current = product(current, argsArray[index] as Matrix);
    else if (number === numbers.constructPath) {
      const [drawn, , extent] = argsArray[index] as [number, unknown, ArrayLike<number> | undefined];
      const shape = drawn === numbers.endPath || extent == null ? undefined : shapeOf(current, extent);
      if (shape !== undefined && shape.size < 12) shapes.push(shape);
    }
  }
  return shapes;
}

function shapeOf(matrix: Matrix, extent: ArrayLike<number>): Shape | undefined {
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number];
  const [x0, x1] = [a * extent[0]! + c * extent[1]! + e, a * extent[2]! + c * extent[3]! + e];
  const [y0, y1] = [b * extent[0]! + d * extent[1]! + f, b * extent[2]! + d * extent[3]! + f];
  const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  if (Math.abs(width - height) > Math.max(width, height) * 0.2) return undefined;
  return { left: Math.min(x0, x1), right: Math.max(x0, x1), middle: (y0 + y1) / 2, size: Math.max(width, height) };
}

function product(one: Matrix, other: Matrix): Matrix {
  const [a, b, c, d, e, f] = one as [number, number, number, number, number, number];
  const [g, h, i, j, k, l] = other as [number, number, number, number, number, number];
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
