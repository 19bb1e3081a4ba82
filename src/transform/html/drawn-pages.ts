// Takes pages out of pictures: slides are HTML in a drawing, which scales with the window.

import type { Element } from "domhandler";
import type { HtmlPage } from "./read-html.ts";
import { isElement, parentElement, setChildren } from "./walk.ts";

/** The labels of diagrams are HTML in a drawing as well, but none of these. */
const pageParts: ReadonlySet<string> = new Set("article section main h1 h2 h3 h4 h5 h6".split(" "));

/** Makes a drawing in which there are pages a box of them; what else is drawn there surrounds or decorates them. */
export function openDrawnPages(page: HtmlPage): void {
  for (const [drawing, boxes] of Map.groupBy(page.listed("foreignobject").filter(isPage), parentElement)) {
    if (drawing?.name !== "svg") continue;
    // With their attributes: they may say that it is hidden.
    for (const box of [drawing, ...boxes]) box.name = "div";
    setChildren(drawing, boxes);
  }
}

const isPage = ({ children }: Element): boolean =>
  children.some((child) => isElement(child) && pageParts.has(child.name));
