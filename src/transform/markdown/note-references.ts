// Recognises links that are marks of footnotes, and finds the note around the place that such a link leads to.

import type { ChildNode, Element } from "domhandler";
import { decodedText } from "../../shared/percent-decoding.ts";
import { closesParagraph, headingElements } from "../html/elements.ts";
import { isElement, isWrittenText, parentElement, textContent } from "../html/walk.ts";
import { isInPage } from "./link.ts";

const noteName =
  /^(?:_?_?(?:foot|end|side)?notes?|_?ftn|fn|cite_note|sdfootnote|sdendnote|easy-footnote|ref|r|en|n)(?:[-_:.]|\d|$)/i;
const noteClass = /(?:foot|end)[-_]?note|\bfn(?:ref)?\b|noteref|note-(?:tag|mark)\b|reference\b|\bref\b/i;
/** A number in the digits of any language, or a letter or sign; before it, some say what it is of: `Note 3`, `注1`. */
const labelText =
  /^[^\p{L}\p{N}]{0,2}(?:(?:n|note|nb)[ \u00a0]?|[\p{Script=Han}\p{Script=Hangul}]{1,2}[^\p{L}\p{N}]{0,2})?(?:\p{Nd}{1,4}|[a-z]|[ivx]{1,6}|[*†‡§¶])[^\p{L}\p{N}]{0,2}$/iu;

const backClass = /backlink|backref|back-ref|footnote-back|footnote-return|to-top/i;

interface NoteReference {
  readonly label: string;
  /** Name of the place that it leads to. */
  readonly target: string;
}

/** What a link refers to, if it is the mark of a note on the same page. */
export function readReference(link: Element, pageUrls: readonly string[] | undefined): NoteReference | undefined {
  const href = link.attribs["href"];
  if (href === undefined || !href.includes("#") || !isInPage(href, pageUrls)) return undefined;
  const label = textContent(link, 20).trim();
  if (!labelText.test(label) || isNamedBackLink(link)) return undefined;
  const target = decodedText(href.slice(href.indexOf("#") + 1));
  const isReference =
    parentElement(link)?.name === "sup" ||
    link.children.some((child) => isElement(child) && isRaised(child)) ||
    link.attribs["role"] === "doc-noteref" ||
    noteClass.test(link.attribs["class"] ?? "") ||
    noteName.test(target);
  return isReference ? { label, target } : undefined;
}

const isRaised = ({ name, attribs }: Element): boolean => name === "sup" || noteClass.test(attribs["class"] ?? "");

type Note = readonly Element[] | undefined;

/**
 * Creates a function, for one page, that returns the elements of a note from a place in it: the block around the place,
 * and, if that contains only the note's mark, the blocks after it. Undefined if the block cannot be a note.
 */
export function noteFinder(): (place: Element) => Note {
  // A heading may contain thousands of places.
  const found = new Map<Element, Note>();
  return (place) => {
    const block = blockAround(place);
    if (block === undefined) return undefined;
    if (!found.has(block)) found.set(block, noteOf(block));
    return found.get(block);
  };
}

function blockAround(place: Element): Element | undefined {
  let node: Element | undefined = place;
  while (node !== undefined && !closesParagraph.has(node.name)) {
    if (node.name === "td" || node.name === "body") return undefined;
    node = parentElement(node);
  }
  const around = node === undefined ? undefined : parentElement(node);
  return around?.name === "li" && around.children.find(isContent) === node ? around : node;
}

const isContent = (node: ChildNode): boolean => isElement(node) || isWrittenText(node);

function noteOf(node: Element): Note {
  if (headings.has(node.name)) return labelText.test(textContent(node, 20).trim()) ? withNext(node) : undefined;
  return /^(?:ul|ol|main|article|section)$/.test(node.name) ? undefined : [node];
}

/** Elements that end the content of a note whose mark is in a block of its own. */
const headings: ReadonlySet<string> = new Set([...headingElements, "dt"]);
/** Most nodes after the mark of such a note: elements, and the white space and comments between them. */
const mostNodes = 60;

function withNext(head: Element): Note {
  const note = [head];
  let steps = 0;
  for (let node = head.next; node !== null && steps++ < mostNodes; node = node.next) {
    if (!isElement(node)) continue;
    if (headings.has(node.name)) break;
    note.push(node);
  }
  return note.length > 1 ? note : undefined;
}

/** True for a link that is marked as leading from a note back to the text. */
export function isNamedBackLink({ attribs }: Element): boolean {
  return backClass.test(attribs["class"] ?? "") || attribs["role"] === "doc-backlink";
}
