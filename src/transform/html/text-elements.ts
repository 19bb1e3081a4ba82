// Elements that contain text instead of tags, and where that text ends.

import { ENDS_TAG_NAME, is } from "./characters.ts";
import { rawTextElements } from "./elements.ts";

/** How the text is read: literally, with entities, or up to the end of the page. */
export type TextReading = "raw" | "escapable" | "plain";

/** By the names of the elements. */
export const textReadings: ReadonlyMap<string, TextReading> = new Map<string, TextReading>([
  ...[...rawTextElements].map((name) => [name, "raw"] as const),
  ["title", "escapable"],
  ["textarea", "escapable"],
  ["plaintext", "plain"],
]);

/** Where the text of such an element, which begins at `start`, ends: at its end tag, or at the end of the page. */
export function endOfContent(html: string, name: string, reading: TextReading, start: number): number {
  if (reading === "plain") return html.length;
  return name === "script" ? endOfScript(html, start) : endOfText(html, name, start);
}

/** Where the end tag of an element with text begins, or the end of the page. */
function endOfText(html: string, name: string, start: number): number {
  for (let at = html.indexOf("</", start); at !== -1; at = html.indexOf("</", at + 2)) {
    const end = at + 2 + name.length;
    if (is(html.charCodeAt(end), ENDS_TAG_NAME) && html.slice(at + 2, end).toLowerCase() === name) return at;
  }
  return html.length;
}

/** The same for a script, which within `<!-- … -->` may contain scripts with end tags of their own. */
function endOfScript(html: string, start: number): number {
  const end = endOfText(html, "script", start);
  if (!html.slice(start, end).includes("<!--")) return end;
  const mark = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi;
  mark.lastIndex = start;
  let hidden = false;
  let written = false;
  for (let found = mark.exec(html); found !== null; found = mark.exec(html)) {
    if (found[0] === "<!--") {
      hidden = true;
      // Its dashes may also be those of its end.
      mark.lastIndex -= 2;
    } else if (found[0] === "-->") {
      hidden = false;
      written = false;
    } else if (found[1] === "") written = hidden;
    else if (written) written = false;
    else return found.index;
  }
  return html.length;
}
