/**
 * Finds the marks of list items that are drawn as shapes, as by Qt (and with it wkhtmltopdf), Chromium, and PDFKit (and
 * with it pdfmake). They are returned as text: a bullet before the line that each is next to.
 */

import { type DrawnPath, placedAt } from "./drawn-paths.ts";
import { isMostlyRightToLeft } from "./right-to-left.ts";
import type { TurnedItem } from "./upright.ts";

interface Shape {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
  readonly size: number;
}

/** By their own names: other programs write marks as characters. */
const drawsMarks = /\bQt\b|wkhtmltopdf|\bSkia\b|\bPDFKit\b|\bpdfmake\b/;

/** More small shapes are a drawing. */
const mostShapes = 300;
/** In font sizes: how large a mark is, how far before its line it is, and how high its middle is above the baseline. */
const sizes = { least: 0.15, most: 0.7 };
const gaps = { least: 0.2, most: 3 };
const heights = { least: 0.1, most: 0.6 };

/** @param programs the names of the programs that made the file */
export function mayDrawMarks(programs: readonly unknown[]): boolean {
  return programs.some((name) => typeof name === "string" && drawsMarks.test(name));
}

export function drawnMarks(paths: readonly DrawnPath[], items: readonly TurnedItem[]): TurnedItem[] {
  const shapes = paths.flatMap((path) => shapeOf(path) ?? []);
  if (shapes.length > mostShapes) return [];
  return shapes.flatMap((shape) => {
    const line = items.find((item) => isBeside(shape, item));
    // If tags name the items, the mark adds nothing.
    return line === undefined || line.part !== undefined
      ? []
      : [{ ...line, text: "•", x: shape.left, width: shape.right - shape.left }];
  });
}

function isBeside({ left, right, middle, size }: Shape, { text, x, y, width, fontSize, angle }: TurnedItem): boolean {
  const isWithin = (value: number, { least, most }: { least: number; most: number }) =>
    value >= least * fontSize && value <= most * fontSize;
  return (
    angle === 0 &&
    text.trim() !== "" &&
    isWithin(y - middle, heights) &&
    (isWithin(x - right, gaps) || (isWithin(left - x - width, gaps) && isMostlyRightToLeft(text))) &&
    isWithin(size, sizes)
  );
}

const largest = 12;

/** A shape that is about as wide as high, and no larger than a letter. */
function shapeOf({ matrix, extent }: DrawnPath): Shape | undefined {
  const [x0, y0] = placedAt(matrix, extent[0]!, extent[1]!);
  const [x1, y1] = placedAt(matrix, extent[2]!, extent[3]!);
  const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  const size = Math.max(width, height);
  if (Math.abs(width - height) > size * 0.2 || size >= largest) return undefined;
  return { left: Math.min(x0, x1), right: Math.max(x0, x1), middle: (y0 + y1) / 2, size };
}
