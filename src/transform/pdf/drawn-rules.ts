/** Finds the horizontal and vertical lines on a page: the rules of tables. */

import { type DrawnPath, placedAt } from "./drawn-paths.ts";
import type { PdfRule } from "./page.ts";

/** Wider lines are boxes. */
const thickest = 3;
/** Shorter lines are parts of letters and of drawings. */
const shortest = 4;
/** A page with more is a drawing. */
const mostRules = 10_000;

/** Numbers that a step takes, by what it does: a move, a line, two kinds of curves. */
const lengths = [2, 2, 6, 4];
const [move, line, close] = [0, 1, 4];

export function drawnRules(paths: readonly DrawnPath[]): PdfRule[] {
  const rules: PdfRule[] = [];
  for (const path of paths) {
    if (path.isStroked) addLines(rules, path);
    else addBoxes(rules, path);
    if (rules.length > mostRules) return [];
  }
  return rules;
}

/** Adds each line that is stroked. */
function addLines(rules: PdfRule[], { matrix, steps }: DrawnPath): void {
  let [startX, startY, x, y] = [0, 0, 0, 0];
  const addLine = (toX: number, toY: number) => addRule(rules, placedAt(matrix, x, y), placedAt(matrix, toX, toY));
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]!;
    const length = lengths[step] ?? 0;
    const [toX, toY] = step === close ? [startX, startY] : [steps[at + length - 1]!, steps[at + length]!];
    if (step === line || step === close) addLine(toX, toY);
    if (step === move) [startX, startY] = [toX, toY];
    [x, y] = [toX, toY];
    at += length + 1;
  }
}

/** Adds each filled box that is so thin that it is a line. */
function addBoxes(rules: PdfRule[], { matrix, steps }: DrawnPath): void {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const addBox = () => {
    if (left <= right) addRule(rules, placedAt(matrix, left, top), placedAt(matrix, right, bottom));
    [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  };
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]!;
    const length = lengths[step] ?? 0;
    if (step === move) addBox();
    if (length > 0) {
      const [x, y] = [steps[at + length - 1]!, steps[at + length]!];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    at += length + 1;
  }
  addBox();
}

function addRule(rules: PdfRule[], [x0, y0]: [number, number], [x1, y1]: [number, number]): void {
  const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  if (Math.min(width, height) > thickest || Math.max(width, height) < shortest) return;
  rules.push({ left: Math.min(x0, x1), right: Math.max(x0, x1), top: Math.min(y0, y1), bottom: Math.max(y0, y1) });
}
