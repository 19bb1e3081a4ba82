// Numbers that a script counts up to when they come into view; until then, their text is 0.

import type { Text } from "domhandler";
import { parentElement } from "../html/walk.ts";

const ends = [
  "data-to-value",
  "data-to",
  "data-count",
  "data-count-to",
  "data-target",
  "data-end",
  "data-end-value",
  "data-stop",
  "data-number",
  "data-final",
  "data-counter",
] as const;
const number = /^\d{1,3}(?:[ ,.]?\d{3}){0,4}(?:[.,]\d{1,3})?$/;

/** The text that will be shown in the end. */
export function shownText(text: Text): string {
  const { data } = text;
  // Quick, because nearly all texts are something else.
  if (data.length > 12 || !data.includes("0") || data.trim() !== "0") return data;
  const parent = parentElement(text);
  if (parent === undefined || parent.children.length > 1) return data;
  for (const name of ends) {
    const end = parent.attribs[name]?.trim();
    if (end !== undefined && number.test(end)) return end;
  }
  return data;
}
