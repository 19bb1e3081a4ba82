/**
 * Finds the questions that a page answers: in lists of questions, answers read like content, but questions like menus.
 */
import type { Element } from "domhandler";
import { blockText } from "./block-text.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Questions in code and quotations are not the page's. */
const FOREIGN_TAGS = new Set(["pre", "blockquote"].map(tagId));
const LEAST_WORDS = 3;
const MOST_WORDS = 30;
const SUMMARY = tagId("summary");
const MOST_LETTERS = 100;
const tellsToOpen = /^\s*(?:(?:click|tap) to )?(?:expand|show|hide|view|read|see|open|toggle|more|details)\b/i;
/** Those of Greek, which is written as a semicolon, of Arabic and of Ethiopic; that of Armenian is within a word. */
const questionMark = /(?:[?？\u037e\u061f\u1367]|\p{Script=Greek};)\s*$|\u055e/u;
/** How far up from a question the control that opens its answer is searched for. */
const REACH = 3;

/** True for a short block that is a question and does not lead to another page. */
export function isQuestion(table: PageTable, block: number): boolean {
  const { blockElement, blockLeaf, elements, firstText, parent, statistics, tag, texts } = table;
  const row = block * STATISTIC_COUNT;
  // Two ideographs count as a word, but a question may consist of two.
  const words = statistics[row + STATISTIC.words]!;
  if (words + statistics[row + STATISTIC.ideographs]! < LEAST_WORDS || words > MOST_WORDS) return false;
  const isLink = statistics[row + STATISTIC.linkWords]! > 0;
  if (
    isLink &&
    !isNear(elements, parent, blockLeaf[block]!, ({ attribs }) => attribs["href"]?.startsWith("#") === true)
  ) {
    return false;
  }
  for (let element = blockElement[block]!; element >= 0; element = parent[element]!) {
    if (FOREIGN_TAGS.has(tag[element]!)) return false;
  }
  let last = firstText[block + 1]! - 1;
  // Icon fonts have words for their pictures.
  while (last > firstText[block]! && isIcon(texts[last]!.data)) last--;
  return questionMark.test(texts[last]!.data);
}

/** True for a short block that readers click to see what follows. */
export function opensPanel({ blockElement, elements, parent, statistics }: PageTable, block: number): boolean {
  if (statistics[block * STATISTIC_COUNT + STATISTIC.words]! > MOST_WORDS) return false;
  return isNear(elements, parent, blockElement[block]!, ({ name, attribs }) => {
    if (name === "summary") return true;
    return attribs["aria-expanded"] !== undefined && (name === "button" || attribs["role"] === "button");
  });
}

/** True for what a page shows of a folded text, unless it only tells to open it. */
export function isSummary(table: PageTable, block: number): boolean {
  const { tag, blockElement } = table;
  return tag[blockElement[block]!] === SUMMARY && !tellsToOpen.test(blockText(table, block, MOST_LETTERS));
}

const isIcon = (text: string): boolean => /^\s*[a-z]+(?:_[a-z]+)*\s*$/.test(text);

function isNear(
  elements: readonly Element[],
  parent: Int32Array,
  from: number,
  test: (element: Element) => boolean,
): boolean {
  let element = from;
  for (let step = 0; step < REACH && element >= 0; step++) {
    if (test(elements[element]!)) return true;
    element = parent[element]!;
  }
  return false;
}
