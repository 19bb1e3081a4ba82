// Reads how an element treats the line ends in its text, from its style or the class names of utility style sheets.

import type { Element } from "domhandler";

const inStyle = /white-space(?:-collapse)?\s*:\s*(?:(pre|break-spaces)|normal|nowrap|collapse)/;
const inClass = /(?:^|\s)!?whitespace-(?:(pre|pre-line|pre-wrap|break-spaces)|normal|nowrap)!?(?:\s|$)/;

/** True if line ends are shown as such, false if they become spaces; undefined if the parent decides. */
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
