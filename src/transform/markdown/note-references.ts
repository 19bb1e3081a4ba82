// Which links are marks of footnotes, and which element around the place that one leads to is the note.

import type { Element } from "domhandler";
import { closesParagraph, headingElements } from "../html/elements.ts";
import { isElement, textContent } from "../html/walk.ts";
import { isInPage } from "./link.ts";

const noteName =
  /^(?:_?_?(?:foot|end|side)?notes?|_?ftn|fn|cite_note|sdfootnote|sdendnote|easy-footnote|ref|r|en|n)(?:[-_:.]|\d|$)/i;
const noteClass = /(?:foot|end)[-_]?note|\bfn(?:ref)?\b|noteref|reference\b|\bref\b/i;
const labelText = /^\W{0,2}(?:(?:n|note|nb)[ \u00a0]?)?(?:\d{1,4}|[a-z]|[ivx]{1,6}|[*†‡§¶])\W{0,2}$/i;

const backClass = /backlink|backref|back-ref|footnote-back|footnote-return|to-top/i;

export interface NoteReference {
  readonly label: string;
  /** Name of the place it leads to. */
  readonly target: string;
}

/** What a link refers to, if it is the mark of a note on the same page. */
export function readReference(link: Element, pageUrls: readonly string[] | undefined): NoteReference | undefined {
  const href = link.attribs["href"];
  if (href === undefined || !href.includes("#") || !isInPage(href, pageUrls)) return undefined;
  const label = textContent(link, 20).trim();
  if (!labelText.test(label) || isNamedBackLink(link)) return undefined;
  const target = decode(href.slice(href.indexOf("#") + 1));
  const { parent } = link;
  const isReference =
    (parent !== null && isElement(parent) && parent.name === "sup") ||
    link.children.some((child) => isElement(child) && child.name === "sup") ||
    link.attribs["role"] === "doc-noteref" ||
    noteClass.test(link.attribs["class"] ?? "") ||
    noteName.test(target);
  return isReference ? { label, target } : undefined;
}

/**
 * The elements of a note, from a place in it: the block around the place, or, where that holds nothing but the note's
 * mark, it and those behind it. Nothing where the block cannot be a note.
 */
export function noteAround(element: Element): readonly Element[] | undefined {
  let node: Element = element;
  while (!closesParagraph.has(node.name)) {
    if (node.parent === null || !isElement(node.parent) || node.name === "td" || node.name === "body") return undefined;
    node = node.parent;
  }
  if (headings.has(node.name)) return labelText.test(textContent(node, 20).trim()) ? withNext(node) : undefined;
  return /^(?:ul|ol|main|article|section)$/.test(node.name) ? undefined : [node];
}

/** What ends the content of a note whose mark stands in a block of its own. */
const headings: ReadonlySet<string> = new Set([...headingElements, "dt"]);
/** Blocks of such a note. */
const most = 20;

function withNext(head: Element): readonly Element[] | undefined {
  const note = [head];
  for (let node = head.next; node !== null && note.length < most; node = node.next) {
    if (!isElement(node)) continue;
    if (headings.has(node.name)) break;
    note.push(node);
  }
  return note.length > 1 ? note : undefined;
}

/** True for a link that is called one from a note back to the text. */
export function isNamedBackLink({ attribs }: Element): boolean {
  return backClass.test(attribs["class"] ?? "") || attribs["role"] === "doc-backlink";
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
