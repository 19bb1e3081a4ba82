/** Keeps the entries of an index, or of the contents of a manual: a page that is little but links reads like a menu. */
import { blockLine } from "./block-text.ts";
import type { ElementTotals } from "./element-totals.ts";
import { bitsOfMeanings } from "./name-words.ts";
import type { PageTable } from "./page-table.ts";
import { isSideElement } from "./side-parts.ts";
import { tagId } from "./tags.ts";

const LINK = tagId("a");
/** What an index or the contents of a manual are called. */
const name =
  "index|indexes|indices|site ?map|contents|stichwortverzeichnis|sachregister|inhaltsverzeichnis|índice alfabético|indice analitico|sommaire|указатель|содержание|索引|目次|색인";
const indexHeading = new RegExp(`^(?:\\S+\\s+){0,4}(?:${name})(?:\\s*[-–—:(¶#].*|\\s+of\\s.*)?$`, "i");
const indexTitle = new RegExp(`(?<!\\p{L})(?:${name})(?!\\p{L})`, "iu");
const LONGEST_HEADING = 60;
/** An index has at least so many texts, and this share of linked words. */
const LEAST_BLOCKS = 10;
const LINK_SHARE = 0.4;
/** Elements after the beginning of a text that are searched for its links. */
const REACH = 100;
/** The share of the page's words that the part with the index has at least. */
const SHARE_OF_PAGE = 0.5;
/** Meanings of names of parts around an index. */
const BESIDE = bitsOfMeanings("navigation", "sidebar", "footer", "breadcrumb", "pagination", "advert", "consent");

/** Adds to `keep`, in place, what follows the heading of an index in a page whose title says that it is one. */
export function keepIndex(table: PageTable, totals: ElementTotals, title: string | undefined, keep: Uint8Array): void {
  if (title === undefined || !indexTitle.test(title)) return;
  const heading = findHeading(table);
  if (heading < 0) return;
  const { arrays, blockElement, end, meanings, parent, tag } = table;
  const part = partAround(table, totals, blockElement[heading]!);
  if (part < 0 || totals.linkWords[part]! < LINK_SHARE * totals.words[part]!) return;
  const beside = arrays.bytes(tag.length);
  for (let element = part + 1; element < end[part]!; element++) {
    const isBeside = (meanings[element]! & BESIDE) !== 0 || isSideElement(table, element);
    beside[element] = isBeside || beside[parent[element]!] === 1 ? 1 : 0;
  }
  const entries: number[] = [];
  for (let block = heading + 1; block < keep.length && blockElement[block]! < end[part]!; block++) {
    if (beside[blockElement[block]!] === 0 && !leadsHere(table, block)) entries.push(block);
  }
  if (entries.length < LEAST_BLOCKS) return;
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

/** The innermost element around another one that has most of the page's words. */
function partAround({ end, parent }: PageTable, { words }: ElementTotals, inside: number): number {
  let all = 0;
  for (let element = 0; element < words.length; element = end[element]!) all += words[element]!;
  let part = parent[inside]!;
  while (part >= 0 && words[part]! < SHARE_OF_PAGE * all) part = parent[part]!;
  return part;
}

/** Whether the links in a text lead to places in the page, like those to the letters of an index. */
function leadsHere({ blockElement, elements, end, tag }: PageTable, block: number): boolean {
  const around = blockElement[block]!;
  const until = Math.min(end[around]!, around + REACH);
  let links = 0;
  for (let element = around; element < until; element++) {
    if (tag[element] !== LINK) continue;
    const { href } = elements[element]!.attribs;
    if (href === undefined) continue;
    if (!href.startsWith("#")) return false;
    links++;
  }
  return links > 0;
}
