// The parts of a footnote that only lead back to its place in the text: its number, and links.

import type { Element, Text } from "domhandler";
import { isElement, textContent, walkNodes } from "../html/walk.ts";
import type { MarkdownRule } from "./context.ts";
import { isInPage } from "./link.ts";
import { isNamedBackLink } from "./note-references.ts";
import { skip } from "./plain-rules.ts";

const backText = /^[\s↩↑^⬆⤴⏎←«↵[\]]*$|^(?:back|return|jump (?:up|back))\b/i;
/** Characters at the start of a note in which its number is searched for. */
const maxStart = 60;
/** Stands for an element that is the number. */
const numberElement = "\0";

/** A piece of text at the start of a note, or an element that is the number. */
interface Piece {
  readonly text: string;
  readonly node: Text | undefined;
}

/**
 * Leaves out the number of a note, which its label repeats, and the links back.
 *
 * @param rules receives rules for elements that are left out
 * @param texts receives what is left of texts that contain the number, or brackets or a full stop around it
 */
export function leaveOutMarks(
  note: Element,
  label: string,
  pageUrls: readonly string[] | undefined,
  rules: Map<Element, MarkdownRule>,
  texts: Map<Text, string>,
): void {
  const number = label.replace(/-\d+$/, "");
  const start: Piece[] = [];
  let seenText = false;
  let length = 0;
  walkNodes(note, (node) => {
    if (node.type === "text") {
      const { data } = node as Text;
      seenText ||= /[\p{L}\p{N}]/u.test(data);
      if (length < maxStart) start.push({ text: data, node: node as Text });
      length += data.length;
    }
    if (!isElement(node)) return true;
    const isBack = isBackLink(node, pageUrls);
    const isNumber = !seenText && numberElements.has(node.name) && isNumberIn(node, number);
    if (isBack || isNumber) rules.set(node, skip);
    if (isNumber) start.push({ text: numberElement, node: undefined });
    return !isBack && !isNumber;
  });
  cutStart(start, startOf(start, number), texts);
}

const numberElements: ReadonlySet<string> = new Set(["a", "sup", "span"]);

const isNumberIn = (element: Element, number: string): boolean =>
  textContent(element, 20).replace(/[^\p{L}\p{N}_-]/gu, "") === number;

/** How many characters at the start are the number. A bare number in the text may be the first word instead. */
function startOf(start: readonly Piece[], number: string): number {
  const text = start.map((piece) => piece.text).join("");
  const inBrackets = `[[(]\\s*(?:${numberElement}|${number})\\s*[\\])][.:]?`;
  const beforeSign = `(?:${numberElement}|${number})[.:)]`;
  const pattern = new RegExp(`^\\s*(?:(?:${inBrackets}|${beforeSign})(?=\\s|$)|${numberElement})`, "i");
  return pattern.exec(text)?.[0].length ?? 0;
}

function cutStart(start: readonly Piece[], length: number, texts: Map<Text, string>): void {
  let left = length;
  for (const { text, node } of start) {
    if (left <= 0) return;
    if (node !== undefined) texts.set(node, text.slice(left));
    left -= text.length;
  }
}

function isBackLink(link: Element, pageUrls: readonly string[] | undefined): boolean {
  const { name, attribs } = link;
  if (isNamedBackLink(link)) return true;
  const href = attribs["href"];
  if (name !== "a" || href === undefined || !isInPage(href, pageUrls)) return false;
  return (
    backText.test(textContent(link, 40).replace(/[\ufe0e\ufe0f]/g, "")) ||
    /(?:ref|back)/i.test(href.slice(href.indexOf("#")))
  );
}
