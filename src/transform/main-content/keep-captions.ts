/** Keeps captions in manuals and simple pages: a short line or a credit in a caption reads like a note of the site. */
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSimplePage } from "./simple-page.ts";
import { tagId } from "./tags.ts";

const FIGURES = new Set(["figure", "figcaption"].map(tagId));
const className = /(?:^|\s)figure(?:\s|$)/;
/** How far up a text looks for the figure it is in. */
const REACH = 5;

/** Adds to `keep`, in place, what lies between two kept texts and consists of captions. */
export function keepCaptions(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  if (pageType !== "documentation" && !isSimplePage(table)) return;
  for (let block = 1; block < keep.length; block++) {
    if (keep[block] === 1 || keep[block - 1] === 0) continue;
    const first = block;
    while (block < keep.length && keep[block] === 0 && isInFigure(table, block)) block++;
    if (keep[block] === 1) keep.fill(1, first, block);
  }
}

function isInFigure({ blockElement, elements, tag, parent }: PageTable, block: number): boolean {
  let element = blockElement[block]!;
  for (let step = 0; step < REACH && element >= 0; step++) {
    if (FIGURES.has(tag[element]!) || className.test(elements[element]!.attribs["class"] ?? "")) return true;
    element = parent[element]!;
  }
  return false;
}
