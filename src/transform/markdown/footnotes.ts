// Footnotes: finds references and the notes they lead to, and writes both as `[^1]`.

import type { Element, ParentNode, Text } from "domhandler";
import { isElement, nextElement, parentElement, textContent, textLength } from "../html/walk.ts";
import type { Content, MarkdownContext, MarkdownRule } from "./context.ts";
import { leaveOutMarks } from "./note-marks.ts";
import { noteFinder, readReference } from "./note-references.ts";
import { skip } from "./plain-rules.ts";

type PageUrls = readonly string[] | undefined;

export interface FootnoteReference {
  /** The element that is replaced: the link, or the `sup` around it. */
  readonly element: Element;
  readonly label: string;
  /** Name of the place that it leads to; for a number without a link, the number. */
  readonly target: string;
  readonly isLink: boolean;
  readonly position: number;
}

const maxNoteLength = 20_000;

/**
 * The rules for the references and notes of a page; empty if it has none.
 *
 * @param texts receives what remains of texts in notes once the marks that the references repeat are removed
 * @param taken how often each label is used; labels used here are added
 * @param references in order, as returned by {@link readFootnoteReference}
 */
export function footnoteRules(
  root: ParentNode,
  references: readonly FootnoteReference[],
  pageUrls: PageUrls,
  taken: Map<string, number>,
  texts: Map<Text, string>,
): Map<Element, MarkdownRule> {
  const rules = new Map<Element, MarkdownRule>();
  if (references.length === 0) return rules;
  const { places, numbered } = findPlaces(root, references);
  const labels = new Map<Element, string>();
  const written: { reference: FootnoteReference; note: Element }[] = [];
  for (const reference of references) {
    const place = (reference.isLink ? places : numbered).get(reference.target);
    if (place === undefined || place.shared || place.position <= reference.position) continue;
    const { note } = place;
    if (!labels.has(note)) {
      if (!isNote(place, reference.element)) continue;
      const label = freeLabel(reference.label, taken);
      labels.set(note, label);
      addNoteRules(place, label, pageUrls, rules, texts);
    }
    written.push({ reference, note });
  }
  for (const { reference, note } of written) {
    // A link back from a note looks like a reference, but already has a rule.
    if (!rules.has(reference.element)) rules.set(reference.element, ({ run }) => run.raw(`[^${labels.get(note)}]`));
  }
  return rules;
}

/** What a link or a raised number refers to, if it looks like a reference to a note; `position` counts elements. */
export function readFootnoteReference(
  element: Element,
  pageUrls: PageUrls,
  position: number,
): FootnoteReference | undefined {
  if (element.name === "a") return linkedReference(element, pageUrls, position);
  if (element.name !== "sup") return undefined;
  const text = textContent(element, 10).trim();
  if (!/^\p{Nd}{1,3}$/u.test(text) || element.children.some(isElement)) return undefined;
  return { element, label: text, target: text, isLink: false, position };
}

function linkedReference(link: Element, pageUrls: PageUrls, position: number): FootnoteReference | undefined {
  const reference = readReference(link, pageUrls);
  if (reference === undefined) return undefined;
  const parent = parentElement(link);
  const sup = parent?.name === "sup" ? parent : undefined;
  const isAlone = sup !== undefined && sup.children.filter(isElement).length === 1;
  return { element: isAlone ? sup : link, ...reference, isLink: true, position };
}

interface Place {
  readonly name: string;
  /** The element in whose place the note is written. */
  readonly note: Element;
  /** Its elements, without one that contains only its mark. */
  readonly content: readonly Element[];
  readonly position: number;
  /** Whether it is short enough for a note; undefined until counted. */
  fits?: boolean;
  /** There are two places in one element, so that the notes cannot be distinguished. */
  shared: boolean;
}

/** The elements that references lead to, by name, and the paragraphs that begin with a raised number. */
function findPlaces(
  root: ParentNode,
  references: readonly FootnoteReference[],
): { places: Map<string, Place>; numbered: Map<string, Place> } {
  const targets = new Set(references.map(({ target }) => target));
  const places = new Map<string, Place>();
  const numbered = new Map<string, Place>();
  const owners = new Map([
    [places, new Map<Element, Place>()],
    [numbered, new Map<Element, Place>()],
  ]);
  const noteAround = noteFinder();
  let position = 0;
  const add = (map: Map<string, Place>, name: string, from: Element) => {
    const elements = noteAround(from);
    const note = elements?.[0];
    if (elements === undefined || note === undefined || map.has(name)) return;
    const place: Place = {
      name,
      note,
      content: elements.length > 1 ? elements.slice(1) : elements,
      position,
      shared: false,
    };
    // A named place and the number at its beginning do not count as two notes.
    const byNote = owners.get(map)!;
    const other = byNote.get(note);
    if (other !== undefined && other.name !== name) other.shared = place.shared = true;
    byNote.set(note, place);
    map.set(name, place);
  };
  for (let element = nextElement(root, root); element !== null; element = nextElement(element, root)) {
    position++;
    const { id, name } = element.attribs;
    if (id !== undefined && targets.has(id)) add(places, id, element);
    else if (name !== undefined && element.name === "a" && targets.has(name)) add(places, name, element);
    else if (element.name === "sup" && isFirstIn(element)) {
      const text = textContent(element, 10).trim();
      if (targets.has(text) && !element.children.some(isElement)) add(numbered, text, element);
    }
  }
  return { places, numbered };
}

function isFirstIn(element: Element): boolean {
  for (let node = element.prev; node !== null; node = node.prev) {
    if (isElement(node) || (node as Text).data?.trim()) return false;
  }
  const name = parentElement(element)?.name;
  return name === "p" || name === "li" || name === "div";
}

function isNote(place: Place, reference: Element): boolean {
  place.fits ??= hasLengthOfNote(place.content);
  if (!place.fits) return false;
  for (let node = reference.parent; node !== null; node = node.parent) {
    if (place.content.includes(node as Element)) return false;
  }
  return true;
}

function hasLengthOfNote(content: readonly Element[]): boolean {
  const length = content.reduce((sum, element) => sum + textLength(element), 0);
  return length > 2 && length <= maxNoteLength;
}

function addNoteRules(
  { note, content }: Place,
  label: string,
  pageUrls: PageUrls,
  rules: Map<Element, MarkdownRule>,
  texts: Map<Text, string>,
): void {
  for (const element of content) leaveOutMarks(element, label, pageUrls, rules, texts);
  if (content[0] === note) {
    rules.set(note, (context) => writeNote(context, note, label));
    return;
  }
  rules.set(note, (context) => {
    writeNote(context, { children: content }, label);
    for (const element of content) context.overrides.set(element, skip);
  });
}

/** A label made from the text of a mark, different from those already taken. */
export function freeLabel(text: string, taken: Map<string, number>): string {
  const base = text.replace(/[^\p{L}\p{N}_-]/gu, "") || "note";
  let count = taken.get(base) ?? 0;
  let label: string;
  do {
    count++;
    label = count === 1 ? base : `${base}-${count}`;
  } while (count > 1 && taken.has(label));
  taken.set(base, count);
  if (count > 1) taken.set(label, 1);
  return label;
}

export function writeNote(context: MarkdownContext, note: Content, label: string): void {
  context.boundary();
  if (!context.flat) context.output.open(`[^${label}]: `, "    ");
  context.children(note);
  context.boundary();
  if (!context.flat) context.output.close();
}
