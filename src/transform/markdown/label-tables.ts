// Tables that set a label or a number beside a text: notes and explanations of code, as the tools of manuals write them.

import { Element } from "domhandler";
import { isElement, textContent, walkElements } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { writeList } from "./list.ts";
import type { Row } from "./table-grid.ts";

interface LabelledText {
  readonly label: string;
  readonly content: Element;
}

/** Writes such a table: the label in bold above the text, or the texts as a list. False for any other table. */
export function writeLabelTable(context: MarkdownContext, table: Element, rows: readonly Row[]): boolean {
  const note = noteOf(rows);
  if (note !== undefined) {
    context.run.open("strong");
    context.run.text(note.label);
    context.run.close("strong");
    context.boundary();
    context.children(note.content);
    return true;
  }
  const explanations = isCalloutList(table) ? rows.map(explanationOf) : [];
  if (explanations.length === 0 || explanations.includes(undefined)) return false;
  const items = explanations.map((explanation) => new Element("li", {}, explanation!.content.children));
  writeList(context, new Element("ol", { start: explanations[0]!.label }, items));
  return true;
}

const maxLabel = 40;
const iconCell = /(?:^|\s)icon(?:\s|$)/;
/** Icon fonts are told by a class what they show. */
const iconName = /(?:^|\s)icon-([a-z]+)(?:\s|$)/;

function noteOf([first, second, third]: readonly Row[]): LabelledText | undefined {
  const [mark, beside, other] = first?.cells ?? [];
  if (mark === undefined || beside === undefined || other !== undefined || third !== undefined) return undefined;
  const label = labelOf(mark);
  if (second === undefined) {
    const isNote = label !== "" && label.length <= maxLabel && iconCell.test(mark.attribs["class"] ?? "");
    return isNote ? { label, content: beside } : undefined;
  }
  // A picture that reaches down beside the text, whose label is a heading.
  const isPicture = mark.attribs["rowspan"] === "2" && textContent(mark).trim() === "" && label !== "";
  const content = second.cells[0];
  if (!isPicture || beside.name !== "th" || content === undefined || second.cells.length > 1) return undefined;
  return { label: textContent(beside).trim(), content };
}

/** What a cell with a picture says: its text, or what the picture is called. */
function labelOf(cell: Element): string {
  const text = textContent(cell, maxLabel + 1).trim();
  if (text !== "") return text;
  let label = "";
  walkElements(cell, ({ attribs: { alt, title, class: className = "" } }) => {
    const name = iconName.exec(className)?.[1] ?? "";
    label ||= alt?.trim() || title?.trim() || name.charAt(0).toUpperCase() + name.slice(1);
  });
  return label;
}

const calloutList = /(?:^|\s)(?:colist|calloutlist)(?:\s|$)/;

const isCalloutList = ({ parent }: Element): boolean =>
  parent !== null && isElement(parent) && calloutList.test(parent.attribs["class"] ?? "");

function explanationOf({ cells: [mark, content, other] }: Row): LabelledText | undefined {
  if (mark === undefined || content === undefined || other !== undefined) return undefined;
  const label = labelOf(mark);
  return /^\d{1,3}$/.test(label) ? { label, content } : undefined;
}
