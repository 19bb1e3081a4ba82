// Moves the content of shadow trees that a page declares in its HTML to where readers see it.

import type { ChildNode, Element, ParentNode, Text } from "domhandler";
import type { HtmlPage } from "./read-html.ts";
import { isElement, setChildren, walkElements } from "./walk.ts";

/**
 * Content for a slot deeper than this is put after the slot, so that the tree does not become much deeper than it was.
 */
const deepestSlot = 100;

/** Makes each declared shadow tree a part of its host, with the host's own content in its slots. */
export function openShadowRoots(page: HtmlPage): void {
  const opened = new Set<ParentNode>();
  for (const template of page.listed("template")) {
    const host = template.parent;
    if (template.attribs["shadowrootmode"] === undefined || host === null || opened.has(host)) continue;
    // If there are several, browsers take the first.
    opened.add(host);
    template.name = "div";
    template.attribs = {};
    const own = host.children.filter((child) => child !== template);
    const bySlot = Map.groupBy(own, slotOf);
    const placed = new Set<ChildNode>();
    for (const slot of slotsIn(template)) {
      const name = slot.attribs["name"] ?? "";
      const content = bySlot.get(name);
      if (content === undefined || content.every(isBlank) || isDeep(slot)) continue;
      bySlot.delete(name);
      setChildren(slot, content);
      for (const node of content) placed.add(node);
    }
    setChildren(host, [template, ...own.filter((child) => !placed.has(child))]);
  }
}

const slotOf = (node: ChildNode): string => (isElement(node) ? (node.attribs["slot"] ?? "") : "");

const isBlank = (node: ChildNode): boolean =>
  node.type === "comment" || (node.type === "text" && (node as Text).data.trim() === "");

function slotsIn(template: Element): Element[] {
  const slots: Element[] = [];
  walkElements(template, (element) => {
    if (element.name === "slot") slots.push(element);
    // A template inside belongs to another host.
    return element.name !== "template";
  });
  return slots;
}

function isDeep(slot: Element): boolean {
  let depth = 0;
  for (let around = slot.parent; around !== null && depth <= deepestSlot; around = around.parent) depth++;
  return depth > deepestSlot;
}
