// Links back to the top of a page, as they stand between the sections of long ones: they say nothing to a reader of markdown.

import type { Element } from "domhandler";
import { isElement, textContent, walkElements } from "../html/walk.ts";

const words =
  /^[\s^↑⇑▲▴⬆]*(?:(?:(?:back|return|go|jump|scroll) )?to (?:the )?top|top)(?: of (?:the |this )?page)?[\s^↑⇑▲▴⬆]*$/iu;
const arrows = /^(?:[\s^↑⇑▲▴⬆]|\u{fe0f})+$/u;
/** Where such links lead, on pages that have a picture without words for it. */
const place = /#(?:_?top|page-?top|(?:page-?)?header)$/i;
const longest = 40;

/** Whether a link within its page leads back to the top and stands by itself. */
export function leadsToTop(link: Element): boolean {
  const { parent } = link;
  const text = textContent(link, longest + 1).trim();
  if (text.length > longest) return false;
  const says = text === "" ? showsTop(link) : words.test(text) || arrows.test(text);
  return says && parent !== null && isElement(parent) && textContent(parent, longest * 2).trim() === text;
}

/** By the picture it holds instead of a text. */
function showsTop(link: Element): boolean {
  let alt: string | undefined;
  walkElements(link, ({ name, attribs }) => {
    if (name === "img") alt ??= attribs["alt"]?.trim() ?? "";
  });
  if (alt === undefined) return false;
  return alt === "" ? place.test(link.attribs["href"] ?? "") : words.test(alt) || arrows.test(alt);
}
