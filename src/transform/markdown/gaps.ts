// Gaps that style sheets show between words although the page has no white space there.
//
// Markup alone does not distinguish a gap from a word in several colours. So words are separated only where a single
// word would hardly continue: at a capital letter, a number or a price, or at a badge.

import type { ChildNode, Element, Text } from "domhandler";
import { following, isElement, isWrittenText, parentElement } from "../html/walk.ts";
import type { MarkdownRule } from "./context.ts";
import { isWord } from "./escape.ts";

/** Superscripts and subscripts belong to the word before them. Pictures have no text. */
const neverApart: ReadonlySet<string> = new Set("sub sup svg br wbr rt rp img math".split(" "));
/** Adjacent elements of these kinds are parts of one text. */
const emphasis: ReadonlySet<string> = new Set("b strong i em u s del ins mark small code kbd tt samp".split(" "));
const neverLabels: ReadonlySet<string> = new Set("code kbd tt samp a".split(" "));
const unwritten: ReadonlySet<string> = new Set("svg script style template select".split(" "));
const badge = /(?:^|[\s_-])(?:badge|label|tag|pill|chip)s?(?:$|[\s_-])/i;
const row = /(?:^|[\s:;_-])(?:flex|grid|gap|justify)(?:$|[\s:;_-])/i;
const brand = /logo|brand/i;
/** A module or an object before the name of its member: `zipfile.ZipFile` in two colours. */
const path = /^[a-z_$][\w$.]*\.$/;
/** Words before a colon; a single letter may be a drive, and digits a time. */
const label = /^\p{L}[\p{L}\p{N} ’'()/&.-]*\p{L}\)?:$/u;
const startsValue = /^[\p{L}\p{N}\p{Sc}]/u;
const emoji = /^\p{Extended_Pictographic}/u;
const price = /^\p{Sc}\d/u;
/** At the end of a price; at its beginning the amount follows. */
const currency = /\p{Sc}/u;
const startsDigit = /^\d/;
/** A figure in large letters, and what it is of: `31%` and `less loss`, but not `3` and `rd`. */
const figure = /^\p{Sc}?\d[\d.,\s]*[%+]?$/u;
/** `Chapter 3` and `20 pages`: each says what its number is of. */
const endsWithNumber = /\p{L}\s+\d+$/u;
const startsWithNumber = /^\d+\s+\p{L}/u;
const startsLongWord = /^\p{L}{3}/u;
/** Most nodes that are examined for the beginning of a text. */
const mostNodes = 24;

/** For elements that a page always shows with a gap on both sides. */
export const writeApart: MarkdownRule = (context, element) => {
  context.run.gap();
  context.children(element);
  context.run.gap();
};

/**
 * Whether a page shows a gap before an element.
 *
 * @param last the character before it
 */
export function hasGapBefore(element: Element, last: string): boolean {
  const before = previousShown(element);
  if (before === undefined || neverApart.has(element.name)) return false;
  const text = textStart(element);
  const first = text[0];
  if (first === undefined || isIdeograph(last) || isIdeograph(first)) return false;
  // A value may be a single sign; an initial has the rest of its word beside it.
  if (text.length < 2)
    return isElement(before) && mayBegin(first, last) && hasWord(before) && areApart(before, element);
  if (isWord(last) && isWord(first) && isBadge(element)) return true;
  if (!isElement(before) || neverApart.has(before.name)) return false;
  if (last === ":" && isWord(first) && isLabel(before)) return true;
  if (isDigit(last) && price.test(text)) return true;
  if (isWord(first) && currency.test(last) && startsDigit.test(textStart(before))) return true;
  if (endsFigure(last) && startsLongWord.test(text) && figure.test(textStart(before))) return true;
  const textBefore = textStart(before);
  if (endsWithNumber.test(textBefore) && startsWithNumber.test(text)) return true;
  if (!mayBegin(first, last)) return false;
  if (textBefore.length < 2 || (path.test(textBefore) && !text.includes(" "))) return false;
  const isPhrase = text.includes(" ") || textBefore.includes(" ");
  return (isPhrase && !(emphasis.has(before.name) && emphasis.has(element.name))) || areApart(before, element);
}

/**
 * Whether a page shows a gap before a text that follows a label (`Length:` in bold, or who wrote what is quoted), a badge
 * or an emoji of its own.
 *
 * @param last the character before it
 */
export function hasGapBeforeText({ data, prev }: Text, last: string): boolean {
  if (prev === null || !isElement(prev) || neverApart.has(prev.name) || !startsValue.test(data)) return false;
  if (last === ":") return isLabel(prev);
  return isWord(last) ? isBadge(prev) && textStart(prev).length > 1 : emoji.test(textStart(prev));
}

const isLabel = (element: Element): boolean => !neverLabels.has(element.name) && label.test(textStart(element).trim());

/** The node that is shown before an element; icons made of empty elements are skipped. */
function previousShown(element: Element): ChildNode | undefined {
  let before = element.prev;
  for (let step = 0; step < 3 && before !== null; step++) {
    if (!isElement(before) || (!unwritten.has(before.name) && textStart(before) !== "")) return before;
    before = before.prev;
  }
  return undefined;
}

/** Whether a new word may begin with `first`, after a text that ends with `last`. */
function mayBegin(first: string, last: string): boolean {
  if (isDigit(first)) return last === ")" || (isWord(last) && !isDigit(last));
  if (first !== first.toLowerCase()) return isWord(last) || ")!?%:.”*".includes(last);
  return /\p{Sc}/u.test(first) && (isWord(last) || last === ":" || last === ")");
}

/** Single words could be one word in two colours: they are apart if both have classes, or are in a row of boxes. */
function areApart(before: Element, element: Element): boolean {
  if (isWrittenText(before.prev) || isWrittenText(element.next)) return false;
  const attributes = parentElement(element)?.attribs ?? {};
  const className = attributes["class"] ?? "";
  if (brand.test(className)) return false;
  if (before.attribs["class"] && element.attribs["class"]) return true;
  return row.test(className) || row.test(attributes["style"] ?? "");
}

/** Whether an element ends with a word of several lower-case letters, which an index or the like seldom follows. */
const hasWord = (element: Element): boolean => /\p{Ll}{4}$/u.test(textStart(element));

const isBadge = ({ attribs: { class: className } }: Element): boolean =>
  className !== undefined && badge.test(className);

const endsFigure = (character: string): boolean => character === "%" || character === "+" || isDigit(character);

const isDigit = (character: string): boolean =>
  (character >= "0" && character <= "9") || (character > "\u007f" && digit.test(character));

/** Also those of Arabic, Persian and the scripts of India. */
const digit = /^\p{Nd}/u;

/** From this character on are the scripts that do not use spaces. */
const isIdeograph = (character: string): boolean => character >= "\u2e80";

/** The beginning of the text that an element shows; not trimmed there, because a space is already a gap. */
function textStart(element: Element): string {
  let text = "";
  let node: ChildNode | null = element.children[0] ?? null;
  for (let step = 0; step < mostNodes && node !== null && text.length < 40; step++) {
    if (node.type === "text") text += text === "" && node.data.trim() === "" ? "" : node.data.slice(0, 40);
    node = following(node, element, !(isElement(node) && unwritten.has(node.name)));
  }
  return text.trimEnd();
}
