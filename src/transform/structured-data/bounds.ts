// How much of a page's declared data is read. A page may hold any amount of it; nobody needs more than this.

import type { ChildNode, ParentNode, Text } from "domhandler";

export const maxItems = 2000;
export const maxValuesPerProperty = 500;
export const maxProperties = 200;
export const maxTypes = 50;
export const maxTextLength = 20_000;
export const maxNesting = 10;

/** Counts down what may still be read. */
export class Budget {
  items = maxItems;
  /** Texts and numbers in JSON: what many refer to is read for each of them. */
  values = 100_000;
  /** Elements whose text is read. */
  texts = 10_000;
  /** Characters of all texts together: a long one that many refer to, or that stands in many elements, is read each time. */
  characters = 5_000_000;
}

/** Nodes that are looked at for one text: texts of nested elements must not add up to a square. */
const maxTextNodes = 3000;

/** The text below an element in one line, as far as the bounds reach. */
export function shortText(root: ParentNode): string {
  let text = "";
  let looked = 0;
  const open: ChildNode[] = [...root.children].slice(0, maxTextNodes).reverse();
  while (open.length > 0 && looked++ < maxTextNodes && text.length < maxTextLength) {
    const node = open.pop()!;
    if (node.type === "text") text += (node as Text).data.slice(0, maxTextLength);
    else if ("children" in node && node.type !== "script" && node.type !== "style") {
      const { children } = node;
      for (let index = Math.min(children.length, maxTextNodes) - 1; index >= 0; index--) open.push(children[index]!);
    }
  }
  return text.slice(0, maxTextLength).replace(/\s+/g, " ").trim();
}

/** `https://schema.org/Product`, `schema:Product` and `Product` are one. */
export function localName(name: string): string {
  return name
    .slice(0, 500)
    .replace(/[/#]+$/, "")
    .replace(/^.*[/#:]/s, "");
}
