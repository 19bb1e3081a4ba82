/** Drops the line numbers beside code, which would otherwise turn it into a table. */

import type { PdfFonts, PdfItem } from "./page.ts";

/** Fewer numbers below each other may be a list's. */
const fewestNumbers = 3;
/** A line of code is drawn in fewer runs. */
const mostRuns = 200;
/** Tolerance for numbers that are aligned below each other, in points. */
const sameEdge = 1;
/** Tolerance for baselines on one line, in points. */
const sameHeight = 0.5;

/** A number at the start of a line, and the text after it on the line. */
interface NumberedLine {
  readonly item: PdfItem;
  readonly value: number;
  readonly code: string;
}

/** The runs of a page's text, in the order in which it is drawn, without the numbers of lines of code. */
export function withoutCodeNumbers(items: readonly PdfItem[], fonts: PdfFonts): readonly PdfItem[] {
  const lines = numberedLines(items, fonts);
  if (lines.length < fewestNumbers) return items;
  const found = new Set<PdfItem>();
  for (const edge of [rightOf, leftOf]) {
    for (const column of columnsOf(lines, edge)) {
      for (const run of runsOf(column)) if (areOfCode(run)) for (const { item } of run) found.add(item);
    }
  }
  return found.size === 0 ? items : items.filter((item) => !found.has(item));
}

const leftOf = ({ item }: NumberedLine) => item.x;
const rightOf = ({ item }: NumberedLine) => item.x + item.width;

/** The numbers that are followed only by code on their lines. */
function numberedLines(items: readonly PdfItem[], fonts: PdfFonts): NumberedLine[] {
  const lines: NumberedLine[] = [];
  for (const [index, item] of items.entries()) {
    if (!/^\d{1,5}$/.test(item.text)) continue;
    const code: string[] = [];
    let isCode = true;
    for (let at = index + 1; isCode && at < Math.min(items.length, index + mostRuns); at++) {
      const next = items[at]!;
      if (Math.abs(next.y - item.y) > sameHeight) break;
      if (next.text.trim() === "") continue;
      const isLikeNumber = next.fontName === item.fontName && next.fontSize === item.fontSize;
      isCode = next.x > item.x && !isLikeNumber && fonts.get(next.fontName)?.isMonospace === true;
      code.push(next.text);
    }
    if (isCode) lines.push({ item, value: Number(item.text), code: code.join("") });
  }
  return lines;
}

function columnsOf(lines: readonly NumberedLine[], edge: (line: NumberedLine) => number): NumberedLine[][] {
  const columns: NumberedLine[][] = [];
  for (const line of lines.toSorted((one, other) => edge(one) - edge(other))) {
    const column = columns.at(-1);
    if (column === undefined || edge(line) - edge(column[0]!) > sameEdge) columns.push([line]);
    else column.push(line);
  }
  return columns;
}

/** Numbers that count on from top to bottom, by one or by tens. */
function runsOf(column: readonly NumberedLine[]): NumberedLine[][] {
  const runs: NumberedLine[][] = [];
  let step: number | undefined;
  for (const line of column.toSorted((one, other) => one.item.y - other.item.y)) {
    const run = runs.at(-1);
    const more = run === undefined ? 0 : line.value - run.at(-1)!.value;
    if (run !== undefined && [1, 2, 5, 10].includes(more) && more === (step ?? more)) {
      run.push(line);
      step = more;
    } else {
      runs.push([line]);
      step = undefined;
    }
  }
  return runs;
}

/** Code has spaces and symbols; a numbered list of names has none. */
function areOfCode(run: readonly NumberedLine[]): boolean {
  const code = run.filter((line) => line.code !== "");
  const withSigns = code.filter((line) => /[^\w-]/.test(line.code.trim()));
  return run.length >= fewestNumbers && code.length * 2 >= run.length && withSigns.length * 2 >= code.length;
}
