// Recognises links that are useless in markdown: back to the top, between the sections of long pages, and those by which
// a script folds a quotation.

import type { Element } from "domhandler";
import { parentElement, textContent, walkElements } from "../html/walk.ts";

const words =
  /^[\s^↑⇑▲▴⬆]*(?:(?:(?:back|return|go|jump|scroll) )?to (?:the )?top|top)(?: of (?:the |this )?page)?[\s^↑⇑▲▴⬆]*$/iu;
const arrows = /^(?:[\s^↑⇑▲▴⬆]|\u{fe0f})+$/u;
const dots = /^(?:\.{3}|…)$/;
/** The target of such a link, if it consists of a picture without alternative text. */
const place = /#(?:_?top|page-?top|(?:page-?)?header)$/i;
const longest = 40;
/** Most nodes directly around such a link; among thousands of links, looking at all of them for each would take long. */
const mostBeside = 50;

/** Whether a link within its page is alone and leads back to the top, or has only dots for text. */
export function leadsNowhere(link: Element): boolean {
  const parent = parentElement(link);
  const text = textContent(link, longest + 1).trim();
  if (text.length > longest) return false;
  const says = text === "" ? showsTop(link) : words.test(text) || arrows.test(text) || dots.test(text);
  if (!says || parent === undefined || parent.children.length > mostBeside) return false;
  return textContent(parent, longest * 2).trim() === text;
}

/** Recognised by the picture that it has instead of text. */
function showsTop(link: Element): boolean {
  let alt: string | undefined;
  walkElements(link, ({ name, attribs }) => {
    if (name === "img") alt ??= attribs["alt"]?.trim() ?? "";
  });
  if (alt === undefined) return false;
  return alt === "" ? place.test(link.attribs["href"] ?? "") : words.test(alt) || arrows.test(alt);
}
