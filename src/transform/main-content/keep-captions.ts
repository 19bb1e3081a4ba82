/** Keeps captions in manuals and simple pages: a short line or a credit in a caption reads like a note of the site. */
import { blockText } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import { classOf } from "./element-names.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSimplePage } from "./simple-page.ts";
import { FIGURES } from "./tag-sets.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const className = /(?:^|\s)figure(?:\s|$)/;
/** How far up a text looks for the figure that it is in. */
const REACH = 8;
/** How far above a figure an element around it and the kept text before it is searched for. */
const NEAR = 3;
const NONE = -1;

/**
 * Adds to `keep`, in place, captions below kept text: those of figures beside it, or that kept text follows. In a manual
 * the headings right above them come along.
 */
export function keepCaptions(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  const isManual = pageType === "documentation";
  if (!isManual && !isSimplePage(table)) {
    keepNumbered(table, keep);
    return;
  }
  for (let block = 1; block < keep.length; block++) {
    if (keep[block] === 1 || keep[block - 1] === 0) continue;
    const first = block;
    let figure = NONE;
    for (; block < keep.length && keep[block] === 0; block++) {
      const around = figureOf(table, block);
      if (around !== NONE) figure = around;
      else if (!isManual || table.headingRanks[block] === 0 || figureOf(table, block + 1) === NONE) break;
    }
    if (figure === NONE) continue;
    const isBetween = keep[block] === 1;
    if (isBetween || (isNear(table, figure, first - 1) && !isMostlyLinks(table, first, block)))
      keep.fill(1, first, block);
  }
}

/** A caption with a number, in any language: `Figure 3.2. The lamp`. */
const numbered = /^\s{0,9}\p{L}{1,20}[\s.]{0,3}\p{N}{1,4}(?:[.\u2013-]\p{N}{1,4}){0,3}\s{0,3}[.:：．\s]/u;
const LONGEST_NUMBER = 60;

/** Captions on other pages are often credits; those between kept texts that have a number are not. */
function keepNumbered(table: PageTable, keep: Uint8Array): void {
  for (let block = 1; block < keep.length; block++) {
    if (keep[block] === 1 || keep[block - 1] === 0) continue;
    const first = block;
    while (block < keep.length && keep[block] === 0 && isNumbered(table, block)) block++;
    if (keep[block] === 1) keep.fill(1, first, block);
  }
}

function isNumbered(table: PageTable, block: number): boolean {
  return figureOf(table, block) !== NONE && numbered.test(blockText(table, block, LONGEST_NUMBER));
}

/** The outermost figure that a text is the caption of. */
function figureOf({ blockElement, elements, tag, parent }: PageTable, block: number): number {
  let figure = NONE;
  let element = blockElement[block] ?? NONE;
  for (let step = 0; step < REACH && element >= 0; step++) {
    if (FIGURES.has(tag[element]!) || className.test(classOf(elements[element]!))) figure = element;
    element = parent[element]!;
  }
  return figure;
}

function isNear(table: PageTable, figure: number, block: number): boolean {
  let around = figure;
  for (let step = 0; step < NEAR && around > 0; step++) around = table.parent[around]!;
  return isBlockIn(table, block, around);
}

/** As the cards of other pages are. */
function isMostlyLinks({ statistics }: PageTable, first: number, behind: number): boolean {
  let words = 0;
  let linkWords = 0;
  for (let block = first; block < behind; block++) {
    words += statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
    linkWords += statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]!;
  }
  return linkWords * 2 > words;
}
