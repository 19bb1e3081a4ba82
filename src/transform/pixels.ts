// Pictures and frames of one pixel or less, which count visits.

import type { Element } from "domhandler";

const ofNoSize = /^\s*[01](?:px)?\s*$/;
const unseenStyle = /display:\s*none|visibility:\s*hidden/i;
const flatStyle = /(?:^|[;\s])(?:width|height):\s*[01](?:px)?\s*(?:;|$)/i;
/** Pictures that fill their frame may be flat except for this. */
const stretchedStyle = /min-(?:width|height):/i;

export function isPixel({ attribs: { width = "", height = "", style = "" } }: Element): boolean {
  if (ofNoSize.test(width) || ofNoSize.test(height) || unseenStyle.test(style)) return true;
  return flatStyle.test(style) && !stretchedStyle.test(style);
}
