/**
 * Leaves out whose a page is: the notice of copyright, and a licence as the last thing that is said. And, apart from all
 * that is kept, that nothing on the site is advice.
 */
import { isTag } from "domhandler";
import { blockText } from "./block-text.ts";
import { isLicence } from "./licences.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** In words: longer texts are about it. */
const LONGEST = 60;
const LONGEST_TEXT = 500;
/** In words, of those that are apart from the text. */
const LONGEST_APART = 120;
const beginning = /^\s*(?:©|\(c\)(?=\s)|copyright\s*(?:©|\(c\)|\d|by\b))/i;
const proof =
  /\b(?:19|20)\d\d\b|(?:rights reserved|rechte vorbehalten|droits réservés|derechos reservados|direitos reservados|diritti riservati|rechten voorbehouden|prawa zastrzeżone|права защищены)/i;
const disclaimer =
  /\b(?:construed as|constitutes?|intended (?:as|to be)|relied up?on (?:as|in))\b[^.]{0,80}\b(?:investment|financial|legal|tax|medical|professional)\b[^.]{0,40}\badvice\b/i;
/** How far up from a text its link is searched for. */
const REACH = 3;

/** Changes `keep` in place. Manuals have such notices as parts of their text, but not in a part of its own at its end. */
export function dropNotices(table: PageTable, pageType: PageType, keep: Uint8Array): void {
  const last = keep.lastIndexOf(1);
  if (pageType === "documentation") {
    if (last > 0 && isApart(table, keep, last) && isNotice(blockText(table, last, LONGEST_TEXT))) keep[last] = 0;
    return;
  }
  for (let block = 0; block <= last; block++) {
    const words = table.statistics[block * STATISTIC_COUNT + STATISTIC.words]!;
    if (keep[block] === 0 || words > LONGEST_APART) continue;
    const text = blockText(table, block, LONGEST_TEXT);
    if (keep[block - 1] === 0 && keep[block + 1] !== 1 && disclaimer.test(text)) keep[block] = 0;
    if (words > LONGEST) continue;
    if (block === last && namesLicence(table, block)) keep[block] = 0;
    else if (isNotice(text) && !isSection(table, keep, block, last)) keep[block] = 0;
  }
}

/** Whether a text that is not too long is in a part of the page where nothing before it is kept. */
function isApart({ blockElement, parent, statistics }: PageTable, keep: Uint8Array, block: number): boolean {
  const before = keep.lastIndexOf(1, block - 1);
  const isShort = statistics[block * STATISTIC_COUNT + STATISTIC.words]! <= LONGEST_APART;
  return isShort && before >= 0 && blockElement[before]! < parent[blockElement[block]!]!;
}

/** Terms have the notice as a section among others, licences below their title. */
const isSection = ({ headingRanks }: PageTable, keep: Uint8Array, block: number, last: number): boolean =>
  headingRanks[block - 1]! > 0 && keep[block - 1] === 1 && block < last;

const isNotice = (text: string): boolean => beginning.test(text) && proof.test(text);

function namesLicence({ firstText, texts }: PageTable, block: number): boolean {
  for (let index = firstText[block]!; index < firstText[block + 1]!; index++) {
    let node = texts[index]!.parent;
    for (let step = 0; step < REACH && node !== null && isTag(node); step++) {
      if (node.name === "a" && isLicence(node.attribs["href"])) return true;
      node = node.parent;
    }
  }
  return false;
}
