// Lists of things to do whose boxes style sheets draw: what classes and attributes say becomes GFM's `[x]` and `[ ]`.

import type { Element } from "domhandler";
import { walkElements } from "../html/walk.ts";
import type { MarkdownContext, MarkdownRule } from "./context.ts";

const done = /(?:^|[\s_-])(?:on|checked|completed?|done)(?:\s|$)/i;
const box = /(?:^|\s)(?:checkbox|checkbox-(?:on|off))(?:\s|$)/i;
const taskList = /(?:^|\s)(?:inline-)?task-list(?:\s|$)/i;

/** Writes a box to tick where a list item begins; elsewhere it is a part of a form. */
export function writeBox({ run, output }: MarkdownContext, isChecked: boolean): void {
  if (!run.isEmpty || !output.atMarker) return;
  run.raw(isChecked ? "[x]" : "[ ]");
  run.space();
}

/** The rule for an empty element that is drawn as a box; undefined for all others. */
export function boxRule(element: Element, className: string): MarkdownRule | undefined {
  return !box.test(className) || element.children.length > 0
    ? undefined
    : (context) => writeBox(context, done.test(className));
}

/** Whether the items of a list are tasks without boxes of their own. */
export function listsTasks(list: Element): boolean {
  if (!taskList.test(list.attribs["class"] ?? "")) return false;
  let hasBoxes = false;
  walkElements(list, ({ name }) => {
    if (name === "input") hasBoxes = true;
    return name !== "ul" && name !== "ol";
  });
  return !hasBoxes;
}

export const isDone = (item: Element): boolean => done.test(item.attribs["class"] ?? "");
