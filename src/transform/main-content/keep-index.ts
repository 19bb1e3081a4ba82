/** Keeps the entries of an index, or of the contents of a manual: a page that is little but links reads like a menu. */
import { blockLine, blockText } from "./block-text.ts";
import { linksHere } from "./contents-list.ts";
import type { ElementTotals } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";
import { besideText } from "./side-parts.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** What an index or the contents of a manual are called. */
const name =
  "index|indexes|indices|site ?map|contents|stichwortverzeichnis|sachregister|inhaltsverzeichnis|índice alfabético|indice analitico|sommaire|указатель|содержание";
/** In languages that write the words before it without a space. */
const joinedName = "索引|目次|색인";
const indexHeading = new RegExp(
  `^(?:\\S+\\s+){0,4}(?:${name}|\\S*(?:${joinedName}))(?:\\s*[-–—:(¶#].*|\\s+of\\s.*)?$`,
  "i",
);
/** Of titles in lower case. */
const indexTitle = new RegExp(`(?<!\\p{L})(?:${name})(?!\\p{L})|${joinedName}`, "u");
const LONGEST_HEADING = 60;
/** An index has at least so many texts, and this share of linked words. */
const LEAST_BLOCKS = 10;
const LINK_SHARE = 0.4;
/** In words. A text without links that has so many is no entry; the largest share of such texts in the part. */
const LEAST_PROSE = 10;
const PROSE_SHARE = 0.2;
/** The heading of a part of an index, and how many of them make one. */
const letter = /^\p{L}\p{M}?$/u;
const LONGEST_LETTER = 4;
const LEAST_LETTERS = 8;
/** Links to the parts of an index: letters. */
const letters = /^(?:[^\s|·•,/-](?: ?[|·•,/-])?(?: |$)){5,}$/u;
const LONGEST_LETTERS = 200;
/** Elements after the beginning of a text that are searched for its links. */
const REACH = 100;
/** The share of the page's words that the part with the index has at least. */
const SHARE_OF_PAGE = 0.5;

/**
 * Adds to `keep`, in place, what follows the heading of an index in a page whose title says that it is one, or the first
 * letter of one whose headings are letters, in whatever language.
 */
export function keepIndex(table: PageTable, totals: ElementTotals, title: string | undefined, keep: Uint8Array): void {
  const isNamed = title !== undefined && indexTitle.test(title.toLowerCase());
  const named = isNamed ? findHeading(table) : -1;
  const heading = named >= 0 ? named : findLetters(table);
  if (heading < 0) return;
  const { blockElement, end } = table;
  const part = partAround(table, totals, blockElement[heading]!);
  if (part < 0 || totals.linkWords[part]! < LINK_SHARE * totals.words[part]!) return;
  const beside = besideText(table, part + 1, end[part]!);
  const entries: number[] = [];
  let prose = 0;
  for (let block = heading + 1; block < keep.length && blockElement[block]! < end[part]!; block++) {
    if (beside[blockElement[block]!] === 1 || leadsHere(table, block)) continue;
    entries.push(block);
    prose += proseIn(table, block);
  }
  if (entries.length < LEAST_BLOCKS || prose > PROSE_SHARE * totals.words[part]!) return;
  keep[heading] = 1;
  for (const block of entries) keep[block] = 1;
}

function findHeading(table: PageTable): number {
  return table.headingRanks.findIndex((rank, block) => {
    if (rank === 0) return false;
    const text = blockLine(table, block);
    return text.length <= LONGEST_HEADING && indexHeading.test(text);
  });
}

/** The first of many headings that are single letters, each a different one; -1 if there are none. */
function findLetters(table: PageTable): number {
  const seen = new Map<string, number>();
  for (let block = 0; block < table.headingRanks.length; block++) {
    if (table.headingRanks[block] === 0) continue;
    const text = blockText(table, block, LONGEST_LETTER).trim();
    if (text.length <= LONGEST_LETTER && letter.test(text) && !seen.has(text)) seen.set(text, block);
  }
  return seen.size < LEAST_LETTERS ? -1 : Math.min(...seen.values());
}

/** The innermost element around another one that has most of the page's words. */
function partAround({ end, parent }: PageTable, { words }: ElementTotals, inside: number): number {
  let all = 0;
  for (let element = 0; element < words.length; element = end[element]!) all += words[element]!;
  let part = parent[inside]!;
  while (part >= 0 && words[part]! < SHARE_OF_PAGE * all) part = parent[part]!;
  return part;
}

/** The words of a text without links, unless it is short. */
function proseIn({ statistics }: PageTable, block: number): number {
  const row = block * STATISTIC_COUNT;
  const words = statistics[row + STATISTIC.words]!;
  return words < LEAST_PROSE || statistics[row + STATISTIC.linkWords]! > 0 ? 0 : words;
}

/** Whether the links in a text lead to places in the page, like those to the letters of an index. */
function leadsHere(table: PageTable, block: number): boolean {
  const text = blockText(table, block, LONGEST_LETTERS);
  if (text.length <= LONGEST_LETTERS && letters.test(text.replace(/\s+/g, " ").trim())) return true;
  const around = table.blockElement[block]!;
  return linksHere(table, around, Math.min(table.end[around]!, around + REACH)) > 0;
}
