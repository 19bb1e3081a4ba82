// Definition lists.

import type { Element } from "domhandler";
import { closesParagraph } from "../html/elements.ts";
import { isElement, parentElement, someElement } from "../html/walk.ts";
import type { MarkdownContext } from "./context.ts";
import { boldLine } from "./plain-rules.ts";

/**
 * `dl`: terms in bold, each with its definitions as a list below; long definitions as plain blocks. In a definition of
 * another list, the terms are list items, because they would otherwise read like terms of that list.
 */
export function writeDefinitions(context: MarkdownContext, list: Element): void {
  context.boundary();
  // Wikis indent a text by making it the definition of nothing.
  if (!hasTerms(list)) context.children(list);
  else if (!context.flat && parentElement(list)?.name === "dd") writeTermItems(context, list);
  else writeGroups(context, list);
  context.boundary();
}

function hasTerms(list: Element): boolean {
  return list.children.some(
    (child) => isElement(child) && (child.name === "dt" || (child.name === "div" && hasTerms(child))),
  );
}

function writeGroups(context: MarkdownContext, list: Element): void {
  for (const child of list.children) {
    if (isElement(child) && child.name === "dd" && !context.overrides.has(child)) writeDefinition(context, child);
    else if (isElement(child) && child.name === "div") {
      context.boundary();
      writeGroups(context, child);
      context.boundary();
    } else context.children({ children: [child] });
  }
}

/** Terms that share a definition are one item, which ends before the next term. */
function writeTermItems(context: MarkdownContext, list: Element): void {
  const parts = list.children.flatMap((child) => (isElement(child) && child.name === "div" ? child.children : [child]));
  let isOpen = false;
  let isDefined = false;
  for (const part of parts) {
    const name = isElement(part) ? part.name : "";
    if (name === "dt" && (isDefined || !isOpen)) {
      if (isOpen) context.output.close();
      context.output.open("- ", "  ");
      isOpen = true;
    }
    isDefined = name === "dd" || (isDefined && name !== "dt");
    if (isElement(part) && name === "dd" && !context.overrides.has(part)) writeDefinition(context, part);
    else context.children({ children: [part] });
    context.boundary();
  }
  if (isOpen) context.output.close();
}

export function writeDefinitionTerm(context: MarkdownContext, term: Element): void {
  if (!context.flat) return boldLine(context, term);
  context.boundary();
  context.children(term);
  context.boundary();
}

function writeDefinition(context: MarkdownContext, definition: Element): void {
  context.boundary();
  const isShort = !context.flat && !hasBlocks(definition);
  if (isShort) context.output.open("- ", "  ", true);
  context.children(definition);
  context.boundary();
  if (isShort) context.output.close();
}

function hasBlocks(element: Element): boolean {
  return someElement(element, ({ name }) => name !== "p" && name !== "div" && closesParagraph.has(name));
}
