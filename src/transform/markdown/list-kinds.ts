// What the markup of a list says of it: whether it is numbered and from where on, and whether it is a list at all.

import type { ChildNode, Element } from "domhandler";
import { headingElements } from "../html/elements.ts";
import { isElement, isWrittenText } from "../html/walk.ts";

/** Whether each item is nothing but a section with a heading of its own: no list, but the parts of a document. */
export function holdsSections({ children }: Element): boolean {
  let sections = 0;
  for (const item of children) {
    if (!isElement(item)) {
      if (isWrittenText(item)) return false;
      continue;
    }
    const section = item.children.find(isElement);
    if (section?.name !== "section" || !item.children.every((child) => child === section || isBlank(child)))
      return false;
    const first = section.children.find((child) => !isBlank(child));
    if (first === undefined || !isElement(first) || !headingElements.has(first.name)) return false;
    sections++;
  }
  return sections > 0;
}

const isBlank = (node: ChildNode): boolean => !isElement(node) && !isWrittenText(node);

/** Some editors write every list as `ul`, and number it, or its items, by their style. */
export function isNumbered(list: Element): boolean {
  if (list.name === "ol" || numbers.test(list.attribs["style"] ?? "")) return true;
  const first = list.children.find(isElement);
  return first?.name === "li" && numbers.test(first.attribs["style"] ?? "");
}

const numbers = /list-style(?:-type)?\s*:\s*decimal/i;

/** The number of the first item, if the page gives one. */
export function startOf(list: Element): number | undefined {
  return wholeNumber(list.attribs["start"]) ?? wholeNumber(list.children.find(isElement)?.attribs["value"]);
}

export function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : undefined;
}
