// Short texts that a style sheet shows next to each other, in a line: a name, its type, whether it is required.

import { type Element, isText } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { following, isElement, textContent } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";

/** Of utility style sheets, and of a field with its label in a content system. */
const rowClass = /(?:^|\s)(?:(?:d-|inline-)?flex|field--?label-inline)(?:\s|$)/;
const fieldLabel = classNamed("field__label|field-label");
const columnClass = /(?:^|\s)flex-col(?:umn)?(?:-reverse)?(?:\s|$)/;
/** Rows consist of these; anything else is a text of its own. */
const inRow: ReadonlySet<string> = new Set(
  "div span a b strong em i u small code kbd time abbr label sup sub svg path mark".split(" "),
);
const letter = /^\p{L}$/u;
/** In characters; longer texts may be columns. */
const longestPart = 40;
const longest = 120;
const mostNodes = 60;

/** Whether the parts of an element are shown in one line. */
export function isRow(element: Element, className: string): boolean {
  if (!rowClass.test(className) || columnClass.test(className)) return false;
  let nodes = 0;
  let length = 0;
  let enters = true;
  for (let node = element.children[0] ?? null; node !== null; node = following(node, element, enters)) {
    enters = true;
    if (isElement(node)) {
      if (!inRow.has(node.name) || columnClass.test(node.attribs["class"] ?? "")) return false;
      enters = node.name !== "svg";
    } else if (isText(node)) {
      const text = node.data.trim().length;
      length += text;
      if (text > longestPart) return false;
    }
    if (++nodes > mostNodes || length > longest) return false;
  }
  return length > 0;
}

/** Writes the parts with spaces between them. */
export function writeRow(context: MarkdownContext, row: Element): void {
  context.boundary();
  writeParts(context, row);
  context.boundary();
}

/** Whatever is in a row is a box of its own; the words within a box are not. */
function writeParts(context: MarkdownContext, element: Element): void {
  const holdsBoxes = rowClass.test(element.attribs["class"] ?? "");
  for (const child of element.children) {
    if (isElement(child) && child.name === "div" && !context.overrides.has(child)) {
      context.run.space();
      writeParts(context, child);
      // The style sheet writes the colon.
      if (fieldLabel.test(child.attribs["class"] ?? "") && !/[:：]\s*$/.test(textContent(child))) context.run.text(":");
      context.run.space();
    } else {
      context.children({ children: [child] });
      // Letters that move one by one make a word.
      if (holdsBoxes && isElement(child) && !letter.test(textContent(child, 3))) context.run.space();
    }
  }
}
