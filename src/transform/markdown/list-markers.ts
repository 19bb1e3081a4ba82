// List items that contain their marker as text, in lists without markers of their own.

import type { Element, Text } from "domhandler";
import { isElement, parentElement, textContent } from "../html/walk.ts";

const noMarkers = /list-style(?:-type)?\s*:\s*none/i;
const bullet = /^[•·◦▪▫‣–—*∙●○■□-]$/;
const number = /^[([]?(\d{1,6})([.)\]:]{0,2})$/;
const letter = /^[([]?(?:[a-z]|[ivxlc]{1,6})[.)\]]{1,2}$/i;
const maxMarker = 10;
/** Elements with a purpose of their own. */
const notMarkers: ReadonlySet<string> = new Set("a button input img label code".split(" "));

interface WrittenMarker {
  readonly element: Element;
  /** The number of the item according to the marker. */
  readonly number: number | undefined;
}

/**
 * The first element of an item, if it is only a marker.
 *
 * @param next the number that the item would have in its list; undefined if the list has no numbers
 */
export function writtenMarker(item: Element, next: number | undefined): WrittenMarker | undefined {
  if (!noMarkers.test(item.attribs["style"] ?? "") && !noMarkers.test(styleAround(item))) return undefined;
  const element = firstElement(item);
  if (element === undefined || element.next === null || notMarkers.has(element.name)) return undefined;
  const text = textContent(element, maxMarker).trim();
  if (next === undefined) return bullet.test(text) ? { element, number: undefined } : undefined;
  const [, digits, end] = number.exec(text) ?? [];
  // A number without a full stop may be the first word of the item.
  if (digits !== undefined) return end || Number(digits) === next ? { element, number: Number(digits) } : undefined;
  return letter.test(text) ? { element, number: undefined } : undefined;
}

const styleAround = (item: Element): string => parentElement(item)?.attribs["style"] ?? "";

function firstElement(item: Element): Element | undefined {
  for (const child of item.children) {
    if (isElement(child)) return child;
    if ((child as Text).data.trim() !== "") return undefined;
  }
  return undefined;
}
