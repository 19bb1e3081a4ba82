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
/** In words, of what is kept above a box: on the page of a picture, such a box is what there is to read. */
const LEAST_ABOVE = 100;
/** The last ones on a page: one of the article, and some of the site. */
const MOST_LICENCES = 4;
/** A text that is this share of the title in the head, at whose end may be the name of the site. */
const LEAST_OF_TITLE = 0.4;
/** Of the title in the head, and of a line with the title or the address, in characters. */
const LONGEST_TITLE = 400;
const LONGEST_LINE = 400;
const address = /https?:\/\/\S+/i;

const LINK = tagId("a");

/**
 * Changes `keep` in place. A box without the page's own title or address is a notice, which may be about a picture.
 * `sizes` are the blocks' sizes in words.
 */
export function dropLicenceBox(
  table: PageTable,
  { headings, words }: ElementTotals,
  title: string | undefined,
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  const { elements, parent, tag } = table;
  const whole = lettersOf(title?.slice(0, LONGEST_TITLE) ?? "");
  let licences = 0;
  for (let link = elements.length - 1; link > 0 && licences < MOST_LICENCES; link--) {
    if (tag[link] !== LINK || !isLicence(elements[link]!.attribs["href"])) continue;
    licences++;
    let box = link;
    for (let around = parent[link]!; around > 0 && words[around]! <= LARGEST; around = parent[around]!) {
      if (headings[around]! > 0) break;
      box = around;
    }
    let above = 0;
    let block = 0;
    for (; block < keep.length && !isBlockIn(table, block, box); block++) if (keep[block] === 1) above += sizes[block]!;
    if (above < LEAST_ABOVE) continue;
    const start = block;
    const lines: string[] = [];
    for (; isBlockIn(table, block, box); block++) lines.push(blockText(table, block, LONGEST_LINE));
    if (lines.some((line) => saysTitle(line, whole)) || sayAddress(table, lines)) keep.fill(0, start, block);
  }
}

/** Whether a line is a title that the one in the head, of which these are the letters, begins with; or has it as a fact. */
function saysTitle(line: string, whole: string): boolean {
  if (line.length > LONGEST_LINE) return false;
  return [line, line.slice(line.search(/[:：]/) + 1)].map(lettersOf).some((name) => {
    return name !== "" && name.length >= LEAST_OF_TITLE * whole.length && whole.startsWith(name);
  });
}

/** Whether one of the lines gives the page's own address. */
function sayAddress({ dropped }: PageTable, lines: readonly string[]): boolean {
  const said = new Set(lines.map((line) => address.exec(line)?.[0]).filter((url) => url !== undefined));
  return dropped.some((node) => {
    const { rel, href, property, content } = isTag(node) ? node.attribs : {};
    const own = rel === "canonical" ? href : property === "og:url" ? content : undefined;
    return own !== undefined && said.has(own);
  });
}
