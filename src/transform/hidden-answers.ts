// Texts that a page hides until a reader clicks what is before them: the answers to questions, parts that unfold.

import type { ChildNode, Element } from "domhandler";
import { following, isElement, parentElement, someElement, textContent, textLength } from "./html/walk.ts";

/** Menus and boxes are opened by clicks, too. */
const menus: ReadonlySet<string> = new Set(["nav", "header", "dialog", "form", "ul", "ol", "menu"]);
const menuRole = /^(?:navigation|menu|menubar|banner|dialog|alertdialog|tooltip|listbox|search)$/;
/** How far around such a text a menu is searched for, and what opens it. */
const reachOfMenu = 8;
const reachOfOpener = 2;
/** In characters, of what is clicked. */
const longestOpener = 200;
const shortestQuestion = 8;
/** Most elements in which a control is searched for. */
const mostElements = 20;
/** Most nodes of such a text whose links are counted. */
const mostNodes = 300;
const question = /[?？]\s*$/;

/** Whether a hidden element is such a text. */
export function isHiddenAnswer(element: Element): boolean {
  const opener = openerOf(element);
  return opener !== undefined && opens(opener) && !isMenu(element) && !isMostlyLinks(element);
}

/** The element before it, or before the element around it if nothing else precedes it there. */
function openerOf(element: Element): Element | undefined {
  let around: Element | undefined = element;
  for (let level = 0; level < reachOfOpener && around !== undefined; level++) {
    let before = around.prev;
    while (before !== null && !isElement(before)) {
      if (before.type === "text" && before.data.trim() !== "") return undefined;
      before = before.prev;
    }
    if (before !== null) return before;
    around = parentElement(around);
  }
  return undefined;
}

function opens(before: Element): boolean {
  const text = textContent(before, longestOpener + 1).trim();
  if (text === "" || text.length > longestOpener) return false;
  if (text.length >= shortestQuestion && question.test(text)) return true;
  let elements = 0;
  let isControl = isUnfolding(before);
  someElement(before, (inner) => {
    isControl ||= isUnfolding(inner);
    return isControl || ++elements > mostElements;
  });
  return isControl;
}

const isUnfolding = ({ attribs }: Element): boolean =>
  attribs["aria-expanded"] !== undefined && attribs["aria-haspopup"] === undefined;

function isMenu(element: Element): boolean {
  let around: Element | undefined = element;
  for (let level = 0; level < reachOfMenu && around !== undefined; level++) {
    if (menuRole.test(around.attribs["role"] ?? "")) return true;
    if (menus.has(around.name) && (around === element || (around.name !== "ul" && around.name !== "ol"))) return true;
    around = parentElement(around);
  }
  return false;
}

function isMostlyLinks(element: Element): boolean {
  let linked = 0;
  let total = 0;
  let node: ChildNode | null = element.children[0] ?? null;
  for (let nodes = 0; node !== null && nodes < mostNodes; nodes++) {
    const isLink = isElement(node) && node.name === "a";
    const length: number = isLink ? textLength(node as Element) : node.type === "text" ? node.data.trim().length : 0;
    total += length;
    if (isLink) linked += length;
    node = following(node, element, !isLink);
  }
  return linked * 2 > total;
}
