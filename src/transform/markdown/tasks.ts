// Task lists whose checkboxes are drawn by style sheets: their classes and attributes become GFM's `[x]` and `[ ]`.

import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { elementAround, isElement, textContent, walkElements } from "../html/walk.ts";
import { isDrawnBox } from "../task-boxes.ts";
import type { MarkdownContext, MarkdownRule } from "./context.ts";

const done = /(?:^|[\s_-])(?:on|checked|completed?|done)(?:\s|$)/i;
/** Some sites call all of their lists `task-list`, so one of the items must be done. */
const taskList = classNamed("(inline-)?task-list", "i");

/** Characters of a box that are looked at; one with text is a choice. */
const mostOfBox = 100;

/** Boxes of an icon font, which other lists have as bullets. */
const iconBox = classNamed("fa-(check-)?square(?:-o)?");
const checklist = classNamed("checklist");

/** Writes a checkbox at the beginning of a list item; elsewhere it is part of a form. */
export function writeBox({ run, output }: MarkdownContext, isChecked: boolean): void {
  if (!run.isEmpty || !output.atMarker) return;
  run.raw(isChecked ? "[x]" : "[ ]");
  run.space();
}

/** A checkbox only by its role, which browsers draw empty. */
export const isRoleBox = (element: Element): boolean =>
  element.attribs["role"] === "checkbox" && textContent(element, mostOfBox).trim() === "";

export const writeRoleBox: MarkdownRule = (context, element) =>
  writeBox(context, element.attribs["aria-checked"] === "true");

/** The rule for an empty element that is drawn as a checkbox; undefined for all others. */
export function boxRule(element: Element, className: string): MarkdownRule | undefined {
  if (element.children.length > 0) return undefined;
  if (isRoleBox(element)) return writeRoleBox;
  if (isDrawnBox(element)) return (context) => writeBox(context, done.test(className));
  const icon = iconBox.exec(className);
  return icon !== null && isInChecklist(element) ? (context) => writeBox(context, icon[1] !== undefined) : undefined;
}

function isInChecklist(element: Element): boolean {
  return checklist.test(elementAround(element, "ul")?.attribs["class"] ?? "");
}

/** Whether the items of a list are tasks without checkboxes of their own. */
export function listsTasks(list: Element): boolean {
  const named = taskList.exec(list.attribs["class"] ?? "");
  if (named === null) return false;
  if (named[1] === undefined && !list.children.some((item) => isElement(item) && isDone(item))) return false;
  let hasBoxes = false;
  walkElements(list, ({ name }) => {
    if (name === "input") hasBoxes = true;
    return name !== "ul" && name !== "ol";
  });
  return !hasBoxes;
}

export const isDone = (item: Element): boolean => done.test(item.attribs["class"] ?? "");
