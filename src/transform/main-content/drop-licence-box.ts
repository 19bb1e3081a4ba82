/** Leaves out the box that many sites add to each article: its title, author, date and address, and the licence. */
import { isTag } from "domhandler";
import { blockText, lettersOf } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import type { ElementTotals } from "./element-totals.ts";
import { isLicence } from "./licences.ts";
import type { PageTable } from "./page-table.ts";
import { tagId } from "./tags.ts";

/** In words, of a box. */
const LARGEST = 60;
/** The last ones on a page: one of the article, and some of the site. */
const MOST_LICENCES = 4;
/** A text that is this share of the title in the head, at whose end may be the name of the site. */
const LEAST_OF_TITLE = 0.4;
/** Of a line with the title or the address, in characters. */
const LONGEST_LINE = 400;
const address = /https?:\/\/\S+/i;

const LINK = tagId("a");

/** Changes `keep` in place. A box without the page's own title or address is a notice, which may be about a picture. */
export function dropLicenceBox(
  table: PageTable,
  { headings, words }: ElementTotals,
  title: string | undefined,
  keep: Uint8Array,
): void {
  const { elements, parent, tag } = table;
  const first = keep.indexOf(1);
  if (first < 0) return;
  let licences = 0;
  for (let link = elements.length - 1; link > 0 && licences < MOST_LICENCES; link--) {
    if (tag[link] !== LINK || !isLicence(elements[link]!.attribs["href"])) continue;
    licences++;
    let box = link;
    for (let around = parent[link]!; around > 0 && words[around]! <= LARGEST; around = parent[around]!) {
      if (headings[around]! > 0) break;
      box = around;
    }
    let block = first + 1;
    while (block < keep.length && !isBlockIn(table, block, box)) block++;
    const start = block;
    let isOwn = false;
    for (; isBlockIn(table, block, box); block++) isOwn ||= saysOwn(table, block, title);
    if (isOwn) keep.fill(0, start, block);
  }
}

/** Whether a line gives the title or the address of the page that it is on. */
function saysOwn(table: PageTable, block: number, title: string | undefined): boolean {
  const line = blockText(table, block, LONGEST_LINE);
  if (line.length > LONGEST_LINE) return false;
  const whole = lettersOf(title ?? "");
  const name = lettersOf(line.slice(line.search(/[:：]/) + 1));
  if (name !== "" && name.length >= LEAST_OF_TITLE * whole.length && whole.startsWith(name)) return true;
  const [said] = address.exec(line) ?? [];
  return said !== undefined && ownAddresses(table).some((own) => own === said);
}

function ownAddresses({ dropped }: PageTable): readonly (string | undefined)[] {
  return dropped.filter(isTag).map(({ attribs }) => {
    if (attribs["rel"] === "canonical") return attribs["href"];
    return attribs["property"] === "og:url" ? attribs["content"] : undefined;
  });
}
