// What an element says about the line ends in its text, by its style or by the class names of utility style sheets.

import type { Element } from "domhandler";

const inStyle = /white-space(?:-collapse)?\s*:\s*(?:(pre|break-spaces)|normal|nowrap|collapse)/;
const inClass = /(?:^|\s)!?whitespace-(?:(pre|pre-line|pre-wrap|break-spaces)|normal|nowrap)!?(?:\s|$)/;

/** True where line ends are shown as such, false where they are spaces; undefined for what the parent says. */
export function keepsLines({ attribs }: Element): boolean | undefined {
  const { style, class: className } = attribs;
  if (style?.includes("white-space")) {
    const value = inStyle.exec(style);
    if (value !== null) return value[1] !== undefined;
  }
  if (className?.includes("whitespace-")) {
    const value = inClass.exec(className);
    if (value !== null) return value[1] !== undefined;
  }
  return undefined;
}
