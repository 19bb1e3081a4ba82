// Gaps that style sheets leave between words where the page has no white space.
//
// Markup alone does not tell a gap from a word in several colours. So words are only set apart where one that is written
// in one piece would hardly go on: at a capital letter, a number or a price, or at a badge.

import type { ChildNode, Element } from "domhandler";
import { following, isElement } from "../html/walk.ts";
import type { MarkdownRule } from "./context.ts";
import { isWord } from "./escape.ts";

/** Raised and lowered signs belong to the word before them. Pictures have no text that is written. */
const neverApart: ReadonlySet<string> = new Set("sub sup svg br wbr rt rp img math".split(" "));
/** Side by side, these are parts of one text. */
const emphasis: ReadonlySet<string> = new Set("b strong i em u s del ins mark small code kbd tt samp".split(" "));
const unwritten: ReadonlySet<string> = new Set("svg script style template select".split(" "));
const badge = /(?:^|[\s_-])(?:badge|label|tag|pill|chip)s?(?:$|[\s_-])/i;
const row = /(?:^|[\s:;_-])(?:flex|grid|gap|justify)(?:$|[\s:;_-])/i;
const brand = /logo|brand/i;
/** A module or an object, of which a name follows: `zipfile.ZipFile` in two colours. */
const path = /^[a-z_$][\w$.]*\.$/;
/** As many nodes are looked at for the beginning of a text. */
const mostNodes = 24;

/** For elements that a page shows with a gap on both sides, always. */
export const writeApart: MarkdownRule = (context, element) => {
  context.run.gap();
  context.children(element);
  context.run.gap();
};

/**
 * Whether a page shows a gap in front of an element.
 *
 * @param last the character before it
 */
export function hasGapBefore(element: Element, last: string): boolean {
  const before = previousShown(element);
  if (before === undefined || neverApart.has(element.name)) return false;
  const text = textStart(element);
  const first = text[0];
  if (first === undefined || text.length < 2 || isIdeograph(last) || isIdeograph(first)) return false;
  if (isWord(last) && isWord(first) && isBadge(element)) return true;
  if (!isElement(before) || neverApart.has(before.name) || !mayBegin(first, last)) return false;
  const textBefore = textStart(before);
  if (textBefore.length < 2 || (path.test(textBefore) && !text.includes(" "))) return false;
  const isPhrase = text.includes(" ") || textBefore.includes(" ");
  return (isPhrase && !(emphasis.has(before.name) && emphasis.has(element.name))) || areApart(before, element);
}

/** What is shown before an element: icons made of empty elements are passed over. */
function previousShown(element: Element): ChildNode | undefined {
  let before = element.prev;
  for (let step = 0; step < 3 && before !== null; step++) {
    if (!isElement(before) || (!unwritten.has(before.name) && textStart(before) !== "")) return before;
    before = before.prev;
  }
  return undefined;
}

/** Whether a text that begins so is a new one after what ends so. */
function mayBegin(first: string, last: string): boolean {
  if (isDigit(first)) return last === ")" || (isWord(last) && !isDigit(last));
  if (first !== first.toLowerCase()) return isWord(last) || ")!?%:.”*".includes(last);
  return /\p{Sc}/u.test(first) && (isWord(last) || last === ":" || last === ")");
}

/** Of single words, which could be one in two colours: whether both are styled, or stand in a row of boxes. */
function areApart(before: Element, element: Element): boolean {
  if (isText(before.prev) || isText(element.next)) return false;
  const { parent } = element;
  const attributes = parent !== null && isElement(parent) ? parent.attribs : {};
  const className = attributes["class"] ?? "";
  if (brand.test(className)) return false;
  if (before.attribs["class"] && element.attribs["class"]) return true;
  return row.test(className) || row.test(attributes["style"] ?? "");
}

const isBadge = ({ attribs: { class: className } }: Element): boolean =>
  className !== undefined && badge.test(className);

const isText = (node: ChildNode | null): boolean => node?.type === "text" && node.data.trim() !== "";

const isDigit = (character: string): boolean => character >= "0" && character <= "9";

/** From here on are the scripts that set no spaces. */
const isIdeograph = (character: string): boolean => character >= "\u2e80";

/** The beginning of the text that an element shows; not trimmed at the beginning, where a space is one already. */
function textStart(element: Element): string {
  let text = "";
  let node: ChildNode | null = element.children[0] ?? null;
  for (let step = 0; step < mostNodes && node !== null && text.length < 40; step++) {
    if (node.type === "text") text += text === "" && node.data.trim() === "" ? "" : node.data.slice(0, 40);
    node = following(node, element, !(isElement(node) && unwritten.has(node.name)));
  }
  return text.trimEnd();
}
