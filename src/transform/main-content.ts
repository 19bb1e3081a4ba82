// Keeps the main content of a page: a first, plain version that removes what is boilerplate by its element.

import type { Document, Element } from "domhandler";
import { removeNodes, textLength, walkElements } from "./walk.ts";

const boilerplate: ReadonlySet<string> = new Set(["nav", "footer", "aside", "script", "style", "header"]);

/** Removes from the tree, in place, what is not main content. `kept` is false when nothing was left. */
export function keepMainContent(document: Document, _context: { url: string }): { kept: boolean; pageType: string } {
  const removed = new Set<Element>();
  let inArticle: Element | undefined;
  walkElements(document, (element) => {
    if (element.name === "article" || element.name === "main") inArticle ??= element;
    if (!boilerplate.has(element.name) || (element.name === "header" && isInside(element, inArticle))) return true;
    removed.add(element);
    return false;
  });
  removeNodes(removed);
  return { kept: textLength(document) > 0, pageType: "unknown" };
}

function isInside(element: Element, ancestor: Element | undefined): boolean {
  for (let node = element.parent; node !== null && ancestor !== undefined; node = node.parent) {
    if (node === ancestor) return true;
  }
  return false;
}
