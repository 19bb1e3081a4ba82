// Notes that are in the text at the place they refer to, and are written as footnotes below the page.

import type { Element, Text } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { isElement, textContent, walkNodes } from "../html/walk.ts";
import type { MarkdownRule } from "./context.ts";
import { freeLabel } from "./footnotes.ts";
import { skip } from "./plain-rules.ts";

/** The class names of a note with its mark, of its content, and of the mark as repeated in the content. */
interface NoteNames {
  readonly note: RegExp;
  readonly mark: RegExp;
  readonly content: RegExp;
  readonly repeated: RegExp;
}

const latexml: NoteNames = {
  note: classNamed("ltx_note"),
  mark: classNamed("ltx_note_mark"),
  content: classNamed("ltx_note_content"),
  repeated: classNamed("ltx_note_mark|ltx_tag_note|ltx_note_type"),
};
const kinds: readonly NoteNames[] = [latexml];

export interface PlacedNote {
  readonly content: Element;
  readonly label: string;
}

export const isPlacedNote = ({ name, attribs }: Element): boolean =>
  name === "span" &&
  attribs["class"]?.includes("note") === true &&
  kinds.some(({ note }) => note.test(attribs["class"]!));

/**
 * Adds rules that leave only a reference in the place of a note; the notes themselves are to be written at the end.
 *
 * @param elements in the order of the page
 */
export function placedNotes(
  elements: readonly Element[],
  rules: Map<Element, MarkdownRule>,
  labels: Map<string, number>,
): PlacedNote[] {
  const notes: PlacedNote[] = [];
  const labelOf = new Map<string, string>();
  for (const element of elements) {
    const names = kinds.find(({ note }) => hasClass(element, note));
    const mark = element.children.find((child): child is Element => isElement(child) && hasClass(child, names?.mark));
    if (names === undefined || mark === undefined) continue;
    const content = contentOf(element, names);
    const text = textContent(mark, 20).trim();
    if (content === undefined || text === "") continue;
    if (markRepeated(content, names, rules)) {
      const label = freeLabel(text, labels);
      labelOf.set(text, label);
      notes.push({ content, label });
      rules.set(element, ({ run }) => run.raw(`[^${label}]`));
      continue;
    }
    // A mark without a text refers to an earlier note.
    const label = labelOf.get(text);
    rules.set(element, (context) => {
      if (label !== undefined) return context.run.raw(`[^${label}]`);
      // The number is separated by a space, because there may be a name before it.
      context.run.space();
      context.children({ children: [mark] });
    });
  }
  return notes;
}

const hasClass = ({ attribs }: Element, names: RegExp | undefined): boolean =>
  names?.test(attribs["class"] ?? "") === true;

function contentOf(note: Element, names: NoteNames): Element | undefined {
  let content: Element | undefined;
  walkNodes(note, (node) => {
    if (isElement(node) && hasClass(node, names.content)) content ??= node;
    return content === undefined;
  });
  return content;
}

/** Leaves out the marks in a note; false if it contains nothing else. */
function markRepeated(content: Element, names: NoteNames, rules: Map<Element, MarkdownRule>): boolean {
  let saysMore = false;
  for (const child of content.children) {
    if (isElement(child) && hasClass(child, names.repeated)) rules.set(child, skip);
    else saysMore ||= isElement(child) || (child as Text).data.trim() !== "";
  }
  return saysMore;
}
