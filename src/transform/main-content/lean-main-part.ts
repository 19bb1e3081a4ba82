/** Favours what is in the part of a page that its author marks as the main one. */
import type { ElementTotals } from "./element-totals.ts";
import { linkShare } from "./link-share.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import { BESIDE_TEXT, isSideElement } from "./side-parts.ts";
import { FORMS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

const MAIN = tagId("main");
const mainIds = new Set("main content main-content maincontent page-content bodycontent article".split(" "));
/** As the only class. */
const mainClasses = new Set("main content contents".split(" "));
/** The share of the page's running text that the main part has at least: what is marked may be a part of it only. */
const LEAST_PROSE = 0.6;
/** A text with a larger share of links leads elsewhere. */
const MOST_LINKED = 0.8;

/** What is added to the model's sums in the main part, and around it. */
export interface MainPartLeaning {
  readonly inside: number;
  readonly around: number;
}

/** Changes the model's sums, in place, if the page marks its main part. */
export function leanMainPart(
  table: PageTable,
  totals: ElementTotals,
  sums: Float32Array,
  leaning: MainPartLeaning,
): void {
  const main = findMainPart(table, totals);
  if (main < 0) return;
  const { arrays, blockElement, end, flags, headingRanks, meanings, parent, tag } = table;
  const inside = arrays.bytes(tag.length);
  inside[main] = 1;
  for (let element = main + 1; element < end[main]!; element++) {
    const isBeside =
      (meanings[element]! & BESIDE_TEXT) !== 0 || FORMS.has(tag[element]!) || isSideElement(table, element);
    inside[element] = inside[parent[element]!] === 1 && !isBeside && (flags[element]! & IN_HIDDEN) === 0 ? 1 : 0;
  }
  // Some generators write the title above the main part, and between the two what the page is about.
  const first = blockElement.findIndex((element) => element >= main && element < end[main]!);
  const title = headingRanks.subarray(0, Math.max(0, first)).lastIndexOf(1);
  for (let block = 0; block < sums.length; block++) {
    const element = blockElement[block]!;
    const isLinked = linkShare(table, block) > MOST_LINKED;
    if (title >= 0 && block > title && block < first && !isLinked) continue;
    if (element < main || element >= end[main]!) sums[block]! += leaning.around;
    else if (inside[element] === 1 && !isLinked) sums[block]! += leaning.inside;
  }
}

/** The innermost element that is marked as the main part and contains most of the page's running text, or -1. */
function findMainPart({ elements, parent, tag }: PageTable, { proseWords }: ElementTotals): number {
  let all = 0;
  for (let element = 0; element < elements.length; element++) if (parent[element]! < 0) all += proseWords[element]!;
  for (let element = elements.length - 1; element >= 0 && all > 0; element--) {
    const { role, id = "", class: classes = "" } = elements[element]!.attribs;
    const isNamed = mainIds.has(id.toLowerCase()) || mainClasses.has(classes);
    const isMarked = tag[element] === MAIN || role === "main" || isNamed;
    if (isMarked && proseWords[element]! >= all * LEAST_PROSE) return element;
  }
  return -1;
}
