// Rules for elements whose class names, rather than their tag names, tell how they are written.

import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { elementBeside, parentElement, textContent } from "../html/walk.ts";
import { listingLines, writeListing, writePreformatted } from "./code.ts";
import { columnTable, writeColumnTable } from "./column-table.ts";
import type { MarkdownRule } from "./context.ts";
import { editorBlockRule } from "./editor-blocks.ts";
import { skip } from "./plain-rules.ts";
import { isRow, writeRow } from "./rows.ts";
import { isSpoken, writeSpoken } from "./spoken.ts";
import { boxRule } from "./tasks.ts";

/** Everything that is searched for below: nearly all elements have class names, and nearly all of these say nothing. */
const telling =
  /material-(?:icons|symbols)|mw-editsection|replylink-buttons|label-inline|notion-|CodeMirror-|cm-(?:gutters|content)|ace_|sr-only|hidden|reader|offscreen|visible-sr|checkbox|fa-(?:check-)?square|classifier|summary-table|fragment|flex/i;
/**
 * Left out: icon fonts that have words for pictures, the links of wikis for editing a section and for answering, and
 * line numbers of editors. In the group: the elements in which editors on a page show their text, line by line.
 */
const special =
  /(?:^|\s)(?:material-(?:icons|symbols)|(?:mw-editsection|ext-discussiontools-init-replylink-buttons|CodeMirror-(?:measure|gutters)|cm-gutters|ace_gutter|(CodeMirror-code|cm-content|ace_text-layer))(?:\s|$))/;

/** A listing with an element for each line. */
const listing = classNamed("fragment");
const listingLine = classNamed("line");

/** The rule for an element with these class names; undefined if the tag name decides. */
export function classRule(element: Element, className: string): MarkdownRule | undefined {
  if (!telling.test(className)) return undefined;
  const found = special.exec(className);
  if (found !== null) return found[1] === undefined ? skip : writePreformatted;
  if (element.name === "span" && isSpoken(className)) return writeSpoken;
  if (element.name === "div" && columnTable.test(className)) return writeColumnTable;
  if (element.name === "div" && listing.test(className) && holdsOnlyLines(element)) return writeListing;
  const editorBlock = element.name === "div" ? editorBlockRule(className) : undefined;
  if (editorBlock !== undefined) return editorBlock;
  if (element.name === "div" && isRow(element, className)) return writeRow;
  if (isClassifier(element, className)) return writeClassifier;
  return boxRule(element, className);
}

function holdsOnlyLines(element: Element): boolean {
  const lines = listingLines(element);
  return lines.length > 0 && lines.every(({ attribs }) => listingLine.test(attribs["class"] ?? ""));
}

/** The kind of thing that a term is, which style sheets separate from it with a colon. */
function isClassifier(element: Element, className: string): boolean {
  return className === "classifier" && parentElement(element)?.name === "dt";
}

const writeClassifier: MarkdownRule = (context, element) => {
  const before = elementBeside(element, "prev");
  const hasColon = before !== undefined && /:\s*$/.test(textContent(before));
  if (!hasColon && !context.run.isEmpty) context.run.text(" : ");
  context.children(element);
};
