// Limits how much of a page's declared data is read. A page may contain any amount, but nobody needs more than this.

import type { ChildNode, ParentNode, Text } from "domhandler";

const maxItems = 2000;
export const maxValuesPerProperty = 500;
export const maxProperties = 200;
export const maxTypes = 50;
export const maxTextLength = 20_000;
export const maxNesting = 10;

/** Counts down what may still be read. */
export class Budget {
  items = maxItems;
  /** Values of properties in JSON; a thing that is referred to several times is read each time. */
  values = 100_000;
  /** Elements whose text is read. */
  texts = 10_000;
  /**
   * Characters of all texts together; a long text that is referred to, or occurs in elements, many times is read each
   * time.
   */
  characters = 5_000_000;
}

/** Most nodes visited for one text: the texts of nested elements must not add up to quadratic work. */
const maxTextNodes = 3000;

/** The text below an element in one line, within the limits. */
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

/** `https://schema.org/Product`, `schema:Product` and `Product` are the same. */
export function localName(name: string): string {
  return name
    .slice(0, 500)
    .replace(/[/#]+$/, "")
    .replace(/^.*[/#:]/s, "");
}
