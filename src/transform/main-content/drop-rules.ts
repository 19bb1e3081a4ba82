/** Leaves out the rules that separate nothing: what was above or below them is gone. */
import type { ChildNode, Document, Element } from "domhandler";
import { following, isElement, removeNodes } from "../html/walk.ts";
import { isSeen } from "./seen-content.ts";

/** Removes from the tree each `hr` without content between it and the rule before it, the start, or the end. */
export function dropRules(document: Document): void {
  const alone: Element[] = [];
  let last: Element | undefined;
  let hasContent = false;
  let node: ChildNode | null = document.children[0] ?? null;
  for (; node !== null; node = following(node, document, !isElement(node) || node.name !== "head")) {
    if (isElement(node) && node.name === "hr") {
      if (hasContent) last = node;
      else alone.push(node);
      hasContent = false;
    } else if (isSeen(node)) {
      hasContent = true;
    }
  }
  if (!hasContent && last !== undefined) alone.push(last);
  removeNodes(new Set(alone));
}
