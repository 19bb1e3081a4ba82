// Tables that hold code: lines with their numbers, diffs, two versions of a file beside each other.

import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { isElement, isWrittenText, parentElement, someElement, textContent } from "../html/walk.ts";
import { languageOf } from "./code-language.ts";
import { gutterClass, preformattedText } from "./code-text.ts";
import type { Row } from "./table-grid.ts";

interface CodeOfTable {
  /** The first row of code: those before name it. */
  readonly start: number;
  readonly code: string;
  readonly language: string;
}

/** A table that highlighters make of code: line numbers on the left, code on the right, perhaps its name above. */
export function codeOfTable(table: Element, rows: readonly Row[]): CodeOfTable | undefined {
  const start = rows.findIndex(({ cells }) => cells.length > 1);
  if (start < 0) return undefined;
  const codeRows = rows.slice(start);
  const codeCells: Element[] = [];
  for (const { cells } of codeRows) {
    const code = cells.at(-1)!;
    const numbers = cells.slice(0, -1);
    if (numbers.length === 0 || !numbers.every((cell) => isLineNumbers(cell))) return undefined;
    codeCells.push(code);
  }
  const isOneBlock = codeRows.length === 1 && someElement(codeCells[0]!, ({ name }) => name === "pre");
  const isNamed = codeCells.every((cell) => /(?:^|[\s_-])(?:code|line|blob)/i.test(cell.attribs["class"] ?? ""));
  // A row of numbers may stand beside anything, unless they are called numbers of lines.
  if (!isOneBlock && !isNamed && !codeRows.every(({ cells }) => gutterClass.test(cells[0]!.attribs["class"] ?? ""))) {
    return undefined;
  }
  const lines = codeCells.map((cell) => preformattedText(isOneBlock || isNamed ? cell : withoutFrames(cell)));
  const signs = isOneBlock ? [] : signsOfDiff(codeRows, lines);
  const code = lines.map((line, index) => `${signs[index] ?? ""}${line}`.trimEnd()).join("\n");
  if (code.trim() === "") return undefined;
  const language = signs.length > 0 ? "diff" : languageOf(isOneBlock ? codeCells[0]! : table);
  return { start, code, language };
}

const added = classNamed("add|added|addition|ins|insert|inserted|new|diff_in");
const removed = classNamed("del|delete|deleted|deletion|rem|removed|old|diff_out");

/** What tells by its colour which lines a diff adds and removes has classes for that; none if the lines say it themselves. */
function signsOfDiff(rows: readonly Row[], lines: readonly string[]): string[] {
  const signs = rows.map(({ cells }) => {
    const names = `${cells.at(-1)!.attribs["class"] ?? ""} ${parentElement(cells[0]!)?.attribs["class"] ?? ""}`;
    return added.test(names) ? "+" : removed.test(names) ? "-" : " ";
  });
  const isChange = (sign: string): boolean => sign !== " ";
  const isSigned = signs.every((sign, index) => !isChange(sign) || lines[index]!.startsWith(sign));
  return isSigned ? [] : signs;
}

/** Most elements around a line in its cell: its address, a frame for the notes on it. */
const mostFrames = 4;

/** The innermost element around the line in a cell: line ends around it are those of the HTML. */
function withoutFrames(cell: Element): Element {
  let line = cell;
  for (let frame = 0; frame < mostFrames; frame++) {
    const filled = line.children.filter((child) => isWrittenText(child) || (isElement(child) && holdsText(child)));
    const only = filled.length === 1 ? filled[0]! : undefined;
    if (only === undefined || !isElement(only)) break;
    const before = line.children.slice(0, line.children.indexOf(only));
    const margin = before.map((child) => (child.type === "text" ? child.data : "")).join("");
    if (margin !== "" && !margin.includes("\n")) break;
    line = only;
  }
  return line;
}

const holdsText = (element: Element): boolean => /\S/.test(textContent(element));

function isLineNumbers(cell: Element): boolean {
  const { attribs } = cell;
  if (attribs["data-line-number"] !== undefined) return true;
  const text = textContent(cell, 100_000);
  return /^[\s\d]*$/.test(text) && (/\d/.test(text) || /(?:num|gutter|line)/i.test(attribs["class"] ?? ""));
}

/** The cells of a row without those that hold only what is beside several lines of code in another. */
export function withoutMargins(cells: readonly Element[]): readonly Element[] {
  const isCode = cells.some((cell) => isColumn(cell) && !isMargin(cell));
  return isCode ? cells.filter((cell) => !isColumn(cell) || !isMargin(cell)) : cells;
}

/** A cell that holds several lines of code, or of what is beside code. */
const isColumn = ({ children }: Element): boolean => {
  const [only, other] = children.filter((child) => isElement(child) || isWrittenText(child));
  return only !== undefined && other === undefined && isElement(only) && only.name === "pre";
};

/** The numbers of lines beside code, or the bars and arrows between two versions of it. */
const isMargin = (cell: Element): boolean => /^(?=.*\n)[\s\d|<>]*$/s.test(textContent(cell));
