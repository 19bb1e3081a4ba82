// Tables that put the marker of an item next to its text, as laws and old pages do instead of lists.

import { type ChildNode, Element } from "domhandler";
import { isElement, isWrittenText, textContent } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { writeFurtherItems } from "./list.ts";
import type { Row } from "./table-grid.ts";

const bullet = /^[•·◦▪–—-]$/;
const number = /^(\d{1,4})\.$/;
/** With a sign that sets it apart from the text: a cell with nothing but a number or a letter may be a fact. */
const other = /^(?:\((?:\d{1,4}|[a-z]{1,2}|[ivxlc]{1,6})\)|\[\d{1,4}\]|(?:\d{1,4}|[a-z]|[ivxlc]{1,6})[.)])$/i;
const longestMarker = 10;
/** One more would be needed for a table of facts. */
const mostColumns = 3;

interface MarkedText {
  readonly marker: string;
  readonly content: Element;
}

/** Writes such a table as the items that it consists of. False for any other table. */
export function writeMarkerTable(context: MarkdownContext, rows: readonly Row[]): boolean {
  const items: MarkedText[] = [];
  for (const row of rows) {
    const item = itemOf(row);
    if (item === undefined) return false;
    items.push(item);
  }
  for (const { marker, content } of items) {
    const start = number.exec(marker)?.[1];
    const item = new Element("li", {}, content.children);
    if (bullet.test(marker)) writeFurtherItems(context, new Element("ul", {}, [item]));
    else if (start !== undefined) writeFurtherItems(context, new Element("ol", { start }, [item]));
    else writeMarked(context, marker, content.children);
  }
  return items.length > 0;
}

/** The last two cells of a row; empty ones before them indent it. */
function itemOf({ cells, inHead }: Row): MarkedText | undefined {
  const content = cells.at(-1);
  const mark = cells.at(-2);
  if (inHead || mark === undefined || content === undefined || cells.length > mostColumns) return undefined;
  const marker = textContent(mark, longestMarker + 40).trim();
  if (marker.length > longestMarker || !(bullet.test(marker) || other.test(marker))) return undefined;
  if (cells.some(({ name }) => name === "th") || textContent(content, 1000).trim().length <= longestMarker)
    return undefined;
  return cells.slice(0, -2).every((cell) => textContent(cell, 100).trim() === "") ? { marker, content } : undefined;
}

/** Writes the marker in the line in which the text begins. */
function writeMarked(context: MarkdownContext, marker: string, nodes: readonly ChildNode[]): void {
  context.boundary();
  context.run.text(`${marker} `);
  const first = nodes.findIndex((node) => isElement(node) || isWrittenText(node));
  const start = nodes[first];
  const isParagraph = start !== undefined && isElement(start) && start.name === "p";
  context.children(isParagraph ? start : { children: nodes.slice(first) as ChildNode[] });
  context.boundary();
  if (isParagraph) context.children({ children: nodes.slice(first + 1) as ChildNode[] });
  context.boundary();
}
