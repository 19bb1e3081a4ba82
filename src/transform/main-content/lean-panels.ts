/** Favours what readers of a page about a service open with a click: answers to questions, panels behind tabs. */
import { linkShare } from "./link-share.ts";
import { bitsOfMeanings, meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { tagId } from "./tags.ts";

const PANEL = meaningBit("faq");
const DETAILS = tagId("details");
const BODY = tagId("body");
/** Meanings of names of parts that open, too, but are none of the page's text. */
const NO_TEXT = bitsOfMeanings(
  "navigation",
  "sidebar",
  "footer",
  "header",
  "overlay",
  "form",
  "related",
  "subscribe",
  "comments",
  "consent",
);
const LEANING = 1;
/** A text with a larger share of links leads elsewhere. */
const MOST_LINKED = 0.5;

/** Changes the model's sums, in place. */
export function leanPanels(table: PageTable, pageType: PageType, sums: Float32Array): void {
  if (pageType !== "service") return;
  const { arrays, blockElement, elements, meanings, parent, tag } = table;
  const inside = arrays.bytes(elements.length);
  for (let element = 1; element < elements.length; element++) {
    if (tag[element] === BODY || (meanings[element]! & NO_TEXT) !== 0) continue;
    const isPanel = (meanings[element]! & PANEL) !== 0 || tag[element] === DETAILS;
    inside[element] = isPanel || inside[parent[element]!] === 1 ? 1 : 0;
  }
  for (let block = 0; block < sums.length; block++) {
    if (inside[blockElement[block]!] === 1 && linkShare(table, block) <= MOST_LINKED) sums[block]! += LEANING;
  }
}
