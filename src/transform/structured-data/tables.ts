// Reads data tables with one row of headers, and tables and lists that give each label one value.

import type { ChildNode, Document, Element } from "domhandler";
import type { StructuredTable } from "../../contract/structured-data.ts";
import { isElement, walkElements } from "../html/walk.ts";
import { type Budget, shortText } from "./bounds.ts";

const maxTables = 500;
const maxColumns = 50;
const maxPairs = 5000;
const maxLabelLength = 100;

interface TablesAndPairs {
  readonly tables: StructuredTable[];
  readonly pairs: (readonly [string, string])[];
}

export function readTables(document: Document, budget: Budget): TablesAndPairs {
  const textOf = (element: Element) => shortText(element, budget);
  const result: TablesAndPairs = { tables: [], pairs: [] };
  let tables = 0;
  let label: { list: Element; text: string } | undefined;
  walkElements(document, (element) => {
    if (element.name === "table" && isData(element)) {
      if (tables++ >= maxTables) {
        budget.isCut = true;
        return;
      }
      const foot = sectionsOf(element, /^tfoot$/);
      const rows = rowsOf([element, ...sectionsOf(element, /^t(?:head|body)$/)], budget);
      readTable(rows, rowsOf(foot, budget), result, textOf);
    } else if (result.pairs.length >= maxPairs) {
      return;
    } else if (element.name === "dt" && isElement(element.parent!)) {
      label = { list: element.parent, text: textOf(element) };
    } else if (element.name === "dd" && label !== undefined && label.list === element.parent) {
      // All values of a label: which of several is meant is not known here.
      addPair(result, label.text, textOf(element));
    }
  });
  return result;
}

function isData({ attribs }: Element): boolean {
  return attribs["role"] !== "presentation" && attribs["role"] !== "none";
}

function sectionsOf(table: Element, names: RegExp): Element[] {
  return table.children.filter((child: ChildNode): child is Element => isElement(child) && names.test(child.name));
}

/** The cells of each row; nested tables are not entered, and rows with spanning cells count as empty. */
function rowsOf(sections: readonly Element[], budget: Budget): Element[][] {
  const rows: Element[][] = [];
  for (const section of sections) {
    for (const row of section.children) {
      if (!isElement(row) || row.name !== "tr") continue;
      if (budget.cells <= 0) {
        budget.isCut = true;
        return rows;
      }
      const cells = row.children.filter(
        (child): child is Element => isElement(child) && (child.name === "td" || child.name === "th"),
      );
      budget.cells -= Math.max(1, cells.length);
      const isPlain =
        cells.length <= maxColumns &&
        cells.every(({ attribs }) => (attribs["colspan"] ?? "1") === "1" && (attribs["rowspan"] ?? "1") === "1");
      rows.push(isPlain ? cells : []);
    }
  }
  return rows;
}

type Rows = readonly (readonly Element[])[];

/** Sums and headers in a table's foot, or repeated between its rows, are no rows of data. */
function readTable(rows: Rows, foot: Rows, result: TablesAndPairs, textOf: (cell: Element) => string): void {
  const [head = [], ...body] = rows;
  if (head.length >= 2 && head.every(({ name }) => name === "th")) {
    const headers = head.map(textOf);
    const isDataRow = (row: readonly Element[]) =>
      row.length === headers.length && row.some(({ name }) => name === "td");
    const isWhole = body.length > 0 && body.every(isDataRow) && headers.every((text) => text !== "");
    if (isWhole) result.tables.push({ headers, rows: body.map((row) => row.map(textOf)) });
    return;
  }
  const labelled = [...rows, ...foot];
  if (!labelled.every((row) => row.length === 2 && row[0]!.name === "th" && row[1]!.name === "td")) return;
  for (const [label, value] of labelled) addPair(result, textOf(label!), textOf(value!));
}

function addPair({ pairs }: TablesAndPairs, label: string, value: string): void {
  const name = label.replace(/[:：]\s*$/, "").trim();
  if (name !== "" && name.length <= maxLabelLength && value !== "" && pairs.length < maxPairs)
    pairs.push([name, value]);
}
