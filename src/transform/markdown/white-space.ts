// Reads how an element treats the line ends in its text, from its style, the class names of utility style sheets or those
// of archives of letters.

import type { Element } from "domhandler";
import { classNamed } from "../html/class-names.ts";
import { parentElement } from "../html/walk.ts";

const inStyle = /white-space(?:-collapse)?\s*:\s*(?:(pre|break-spaces)|normal|nowrap|collapse)/;
const inClass = /(?:^|\s)!?whitespace-(?:(pre|pre-line|pre-wrap|break-spaces)|normal|nowrap)!?(?:\s|$)/;

/** In archives of mailing lists, a letter and its text; the latter name alone is also that of letters made of HTML. */
const letter = classNamed("email");
const letterText = classNamed("email-body");

/** True if line ends are shown as such, false if they become spaces; undefined if the parent decides. */
export function keepsLines(element: Element): boolean | undefined {
  const { style, class: className } = element.attribs;
  if (style?.includes("white-space")) {
    const value = inStyle.exec(style);
    if (value !== null) return value[1] !== undefined;
  }
  if (className?.includes("whitespace-")) {
    const value = inClass.exec(className);
    if (value !== null) return value[1] !== undefined;
  }
  if (className?.includes("email-body") && isTextOfLetter(element, className)) return true;
  return undefined;
}

const isTextOfLetter = (element: Element, className: string): boolean =>
  letterText.test(className) && letter.test(parentElement(element)?.attribs["class"] ?? "");
