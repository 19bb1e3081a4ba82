// Footnotes: finds references and the notes they lead to, and writes both as `[^1]`.

import type { Element, ParentNode, Text } from "domhandler";
import { isElement, textContent, textLength, walkElements } from "../html/walk.ts";
import type { Content, MarkdownContext, MarkdownRule } from "./context.ts";
import { leaveOutMarks } from "./note-marks.ts";
import { noteFinder, readReference } from "./note-references.ts";
import { skip } from "./plain-rules.ts";

type PageUrls = readonly string[] | undefined;

interface Reference {
  /** The element that is replaced: the link, or the `sup` around it. */
  readonly element: Element;
  readonly label: string;
  /** Name of the place it leads to; for a number without a link, the number. */
  readonly target: string;
  readonly isLink: boolean;
  readonly position: number;
}

const maxNoteLength = 20_000;

/**
 * How references and notes of a page are written; empty when it has none.
 *
 * @param texts what texts in notes become, once the marks that their references repeat are gone; added to
 * @param taken how often each label is used; those used here are added
 * @param meet is called for each element of the page: others who look for something need no walk of their own
 */
export function footnoteRules(
  root: ParentNode,
  pageUrls: PageUrls,
  taken: Map<string, number>,
  texts: Map<Text, string>,
  meet: (element: Element) => void,
): Map<Element, MarkdownRule> {
  const rules = new Map<Element, MarkdownRule>();
  const references = findReferences(root, pageUrls, meet);
  if (references.length === 0) return rules;
  const { places, numbered } = findPlaces(root, references);
  const labels = new Map<Element, string>();
  const written: { reference: Reference; note: Element }[] = [];
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
    // The link back from a note looks like a reference.
    if (!rules.has(reference.element)) rules.set(reference.element, ({ run }) => run.raw(`[^${labels.get(note)}]`));
  }
  return rules;
}

function findReferences(root: ParentNode, pageUrls: PageUrls, meet: (element: Element) => void): Reference[] {
  const references: Reference[] = [];
  let position = 0;
  walkElements(root, (element) => {
    position++;
    meet(element);
    if (element.name === "a") {
      const reference = linkedReference(element, pageUrls, position);
      if (reference !== undefined) references.push(reference);
    } else if (element.name === "sup") {
      const text = textContent(element, 10).trim();
      if (/^\d{1,3}$/.test(text) && !element.children.some(isElement)) {
        references.push({ element, label: text, target: text, isLink: false, position });
      }
    }
  });
  return references;
}

function linkedReference(link: Element, pageUrls: PageUrls, position: number): Reference | undefined {
  const reference = readReference(link, pageUrls);
  if (reference === undefined) return undefined;
  const { parent } = link;
  const sup = parent !== null && isElement(parent) && parent.name === "sup" ? parent : undefined;
  const isAlone = sup !== undefined && sup.children.filter(isElement).length === 1;
  return { element: isAlone ? sup : link, ...reference, isLink: true, position };
}

interface Place {
  readonly name: string;
  /** Where it is written. */
  readonly note: Element;
  /** Its elements, without one that holds only its mark. */
  readonly content: readonly Element[];
  readonly position: number;
  /** Whether it is as long as notes are; not counted yet. */
  fits?: boolean;
  /** Two places in one element: the notes cannot be told apart. */
  shared: boolean;
}

/** The elements that references lead to, by name, and the paragraphs that begin with a raised number. */
function findPlaces(
  root: ParentNode,
  references: readonly Reference[],
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
    // A name and the number that it begins with are no two notes.
    const byNote = owners.get(map)!;
    const other = byNote.get(note);
    if (other !== undefined && other.name !== name) other.shared = place.shared = true;
    byNote.set(note, place);
    map.set(name, place);
  };
  walkElements(root, (element) => {
    position++;
    const { id, name } = element.attribs;
    if (id !== undefined && targets.has(id)) add(places, id, element);
    else if (name !== undefined && element.name === "a" && targets.has(name)) add(places, name, element);
    else if (element.name === "sup" && isFirstIn(element)) {
      const text = textContent(element, 10).trim();
      if (targets.has(text) && !element.children.some(isElement)) add(numbered, text, element);
    }
  });
  return { places, numbered };
}

function isFirstIn(element: Element): boolean {
  for (let node = element.prev; node !== null; node = node.prev) {
    if (isElement(node) || (node as Text).data?.trim()) return false;
  }
  const { parent } = element;
  return parent !== null && isElement(parent) && (parent.name === "p" || parent.name === "li" || parent.name === "div");
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

/** A label from the text of a mark, other than those that are taken. */
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
