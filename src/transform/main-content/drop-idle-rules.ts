/** Removes rules that separate nothing any more, because what was between them, or around them, is gone. */
import { type ChildNode, type Document, type Element, isTag } from "domhandler";
import { isWrittenText, removeNodes, walkNodes } from "../html/walk.ts";
import type { PageTable } from "./page-table.ts";
import { MEDIA, tagId, tagKind } from "./tags.ts";

const RULE = tagId("hr");

export function dropIdleRules(document: Document, table: PageTable): void {
  if (!table.tag.includes(RULE)) return;
  const idle = new Set<Element>();
  /** The last rule, as long as nothing follows it. */
  let last: Element | undefined;
  let isBegun = false;
  walkNodes(document, (node) => {
    if (isTag(node) && node.name === "hr") {
      if (last !== undefined || !isBegun) idle.add(node);
      else last = node;
    } else if (showsAnything(node)) {
      isBegun = true;
      last = undefined;
    }
  });
  if (last !== undefined) idle.add(last);
  removeNodes(idle);
}

const showsAnything = (node: ChildNode): boolean =>
  isTag(node) ? (tagKind(node.name).flags & MEDIA) !== 0 : isWrittenText(node);
