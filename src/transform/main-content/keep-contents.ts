/** Keeps the contents of a manual's chapter, which read like a menu: a page of its own may be little else. */
import { classNamed } from "../html/class-names.ts";
import { blockLine } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import { classOf } from "./element-names.ts";
import type { ElementTotals } from "./element-totals.ts";
import { meaningBit } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { LISTS_AND_TERMS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";

const BODY = tagId("body");
const LINK = tagId("a");
/** The least share of linked words in the list of a page of contents. */
const LINK_SHARE = 0.8;
/** How many texts may stand between the title of such a page and its list. */
const MOST_BETWEEN = 3;
/** How far up from the text above contents the element that both are in is searched for. */
const REACH = 10;
const contentsTitle =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|(?:tabla de )?contenidos?|índice|indice|sommario|inhoud(?:sopgave)?|innehåll|spis treści|оглавление|содержание|目次|目录|目錄|차례|목차)$/i;
/** What converters of manuals call them. */
const className = classNamed("toc|toctree-wrapper");
const CONTENTS = meaningBit("toc");
/** What DocBook sets above the contents of a book. */
const titlePage = classNamed("titlepage");

/** Adds to `keep`, in place, the contents of a chapter between two kept texts, or at the end of the text they are in. */
export function keepContents(table: PageTable, keep: Uint8Array): void {
  const { blockElement, elements, end, meanings, tag } = table;
  let block = 0;
  let last = -1;
  for (let element = 0; element < tag.length; element++) {
    if ((meanings[element]! & CONTENTS) === 0 || !className.test(elements[element]!.attribs["class"] ?? "")) continue;
    for (; block < keep.length && blockElement[block]! < element; block++) if (keep[block] === 1) last = block;
    const first = block;
    while (isBlockIn(table, block, element)) block++;
    const isInText = (): boolean =>
      (last === first - 1 && keep[block] === 1) || isBelow(table, keep, element, last, first);
    if (first < block && last >= 0 && isInText() && leadsOn(table, element)) keep.fill(1, first, block);
    if (keep[block - 1] === 1) last = block - 1;
    // Those in it are parts of it.
    element = end[element]! - 1;
  }
}

/**
 * Whether an element is at the end of a text: a block of the text is right beside it, or in something in which not all
 * of the text before it is, as would be in a column of the page. The last lines of a title page (a date, a copyright)
 * may be left out.
 *
 * @param block the last kept block before the element
 * @param first the first block in it
 */
function isBelow(table: PageTable, keep: Uint8Array, element: number, block: number, first: number): boolean {
  const { blockElement, elements, end, parent, tag } = table;
  const around = parent[element]!;
  if (around < 0 || tag[around] === BODY) return false;
  const text = blockElement[block]!;
  let beside = text;
  for (let step = 1; step < REACH && parent[beside]! > around; step++) beside = parent[beside]!;
  if (parent[beside] === around && titlePage.test(classOf(elements[beside]!)))
    return blockElement[first - 1]! < end[beside]!;
  if (block < first - 1) return false;
  if (text === around || (beside === text && parent[text] === around)) return true;
  if (parent[beside] !== around) return false;
  let before = block;
  while (before >= 0 && blockElement[before]! >= beside) before--;
  while (before >= 0 && blockElement[before]! >= around && keep[before] === 0) before--;
  return before >= 0 && blockElement[before]! >= around;
}

/** Adds to `keep`, in place, the list of a page whose title says that it is the contents of a manual. */
export function keepContentsPage(
  table: PageTable,
  { words, linkWords }: ElementTotals,
  title: string | undefined,
  keep: Uint8Array,
): void {
  const heading = keep.indexOf(1);
  if (heading < 0 || table.headingRanks[heading] === 0) return;
  const text = blockLine(table, heading);
  if (!contentsTitle.test(text) || title?.toLowerCase().includes(text.toLowerCase()) !== true) return;
  const { blockElement, tag } = table;
  const list = tag.findIndex((id, element) => element > blockElement[heading]! && LISTS_AND_TERMS.has(id));
  if (list < 0 || linkWords[list]! < LINK_SHARE * words[list]! || !leadsOn(table, list)) return;
  const first = blockElement.findIndex((_, block) => isBlockIn(table, block, list));
  if (first < 0 || first - heading > MOST_BETWEEN + 1) return;
  for (let block = first; isBlockIn(table, block, list); block++) keep[block] = 1;
}

/** Whether all links in an element lead to other pages. */
function leadsOn({ elements, end, tag }: PageTable, around: number): boolean {
  for (let element = around + 1; element < end[around]!; element++) {
    if (tag[element] === LINK && elements[element]!.attribs["href"]?.startsWith("#")) return false;
  }
  return true;
}
