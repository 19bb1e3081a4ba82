// Tables made of other elements, whose roles tell what they are.

import type { Element } from "domhandler";
import { isElement, isWrittenText, someElement } from "../html/walk.ts";
import { largeContent } from "./cell-content.ts";
import type { MarkdownRule } from "./context.ts";
import { writeApart } from "./gaps.ts";
import { block } from "./plain-rules.ts";
import { tableRule } from "./table.ts";
import { Row } from "./table-grid.ts";

const writeAriaTable = tableRule(rowsOf);

const roles: ReadonlyMap<string, MarkdownRule> = new Map<string, MarkdownRule>([
  ["table", writeAriaTable],
  ["grid", writeAriaTable],
  ["treegrid", writeAriaTable],
  ["row", block],
  ["cell", writeApart],
  ["gridcell", writeApart],
  ["columnheader", writeApart],
  ["rowheader", writeApart],
]);
const containers: ReadonlySet<string | undefined> = new Set([undefined, "rowgroup", "presentation", "none"]);
/** Elements that show something without text. */
const shown: ReadonlySet<string> = new Set("img video audio iframe embed math mjx-container".split(" "));

/** The rule for an element that is a table, or part of one, only by its role. Blocks are set apart without a rule. */
export function ariaTableRule({ name }: Element, role: string): MarkdownRule | undefined {
  const rule = roles.get(role);
  return rule === writeAriaTable || name === "span" ? rule : undefined;
}

/** Undefined unless the table consists of rows with short cells, in more than one column. */
function rowsOf(table: Element): Row[] | undefined {
  const rows: Row[] = [];
  for (const row of partsOf(table, (role) => role === "row") ?? []) {
    const cells = cellsOf(row);
    if (cells === undefined || cells.some(isLarge)) return undefined;
    const isHead = cells.every(({ attribs }) => attribs["role"] === "columnheader");
    if (cells.length > 0) rows.push(new Row(cells, isHead, table, rows.length));
  }
  return rows.length > 1 && rows.some(({ cells }) => cells.length > 1) ? rows : undefined;
}

function cellsOf(row: Element): Element[] | undefined {
  const cells = partsOf(row, isCell);
  if (cells !== undefined) return cells;
  // Some pages give roles to the rows only.
  const children = row.children.filter((child) => child.type !== "text" || isWrittenText(child));
  return children.every(
    (child): child is Element => isElement(child) && child.attribs["role"] === undefined && isPlain(child),
  )
    ? children
    : undefined;
}

const isCell = (role: string | undefined): boolean => role !== undefined && roles.get(role) === writeApart;

/** A table would keep only the content of other elements, such as links, but not what they are. */
const isPlain = ({ name }: Element): boolean => name === "div" || name === "span" || name === "td" || name === "th";

/** The parts inside, also those grouped by other elements; undefined if there is anything else. */
function partsOf(
  element: Element,
  isPart: (role: string | undefined) => boolean,
  parts: Element[] = [],
): Element[] | undefined {
  for (const child of element.children) {
    if (!isElement(child)) {
      if (isWrittenText(child)) return undefined;
      continue;
    }
    const { role } = child.attribs;
    if (isPart(role) && (isPlain(child) || child.name === "tr")) parts.push(child);
    else if (shown.has(child.name) || !containers.has(role) || partsOf(child, isPart, parts) === undefined) {
      return undefined;
    }
  }
  return parts;
}

function isLarge(cell: Element): boolean {
  return someElement(
    cell,
    ({ name, attribs: { role } }) => largeContent.has(name) || name === "ul" || name === "ol" || role === "row",
  );
}
