/** Leaves out references to other pages between the paragraphs of an article ("Read also: …"), and to other products. */
import { blockLine, blockText } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import { linkShare } from "./link-share.ts";
import type { PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { RELATED_ARTICLES, RELATED_PRODUCTS } from "./related-phrases.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

const SIGNS = String.raw`[\s:：.…!?？>»→-]`;
const phrase = `^[\\s>»→•*–-]*(?:${RELATED_ARTICLES.join("|")})`;
// Of texts in lower case: to prepare a search without regard to case takes twice as long.
/** A label, or a label before a link in the same block: then with a group. */
const label = new RegExp(`${phrase}(?:${SIGNS}*$|\\s*([:：>»→–|-]))`);
const productLabel = new RegExp(`^\\s*(?:${[...RELATED_ARTICLES, ...RELATED_PRODUCTS].join("|")})${SIGNS}*$`);
/** Characters of a block that can be such a label. */
const LONGEST_LABEL = 50;
/** Words of a block that can be a label: words have a letter and a space at least. */
const MOST_LABEL_WORDS = LONGEST_LABEL / 2 + 1;
/** Words of a block that can be a label and a link. */
const MOST_WORDS = 50;
/** From this share of linked words on, a block counts as a link; with a label in it, from the second. */
const LINK_SHARE = 0.8;
const LABELLED_LINK_SHARE = 0.5;
/** Most links below one label: more are what the page is for. */
const MOST_LINKS = 8;

interface PartRule {
  /** If less than this is kept besides, in words, the part with such a label is what the page is for. */
  readonly besides: number;
  /** The share of the part's words that must be in links. */
  readonly linked: number;
}
const ARTICLES: PartRule = { besides: 60, linked: 0 };
const OTHERS: PartRule = { besides: 60, linked: 0.25 };
/** Without links, a label that is no heading may be about the product: what it needs, and what is recommended. */
const PRODUCTS: PartRule = { besides: 20, linked: 0.25 };
/** Of a product's page, the first kept card is at most so many blocks below a label that was left out. */
const REACH = 12;
/** A part with more than so many times the words besides it contains the article, too. */
const MOST_TIMES = 4;
/** Pages have a few such labels; more are not looked at, each of which takes time. */
const MOST_LABELS = 50;
const NO_BREAK_SPACE = 0xa0;

/** Changes `keep` in place. `sizes` are the blocks' sizes in words. */
export function dropRelated(table: PageTable, pageType: PageType, keep: Uint8Array, sizes: Float32Array): void {
  const isProduct = pageType === "product";
  const isOther = !isProduct && pageType !== "article";
  const isText = pageType === "article" || pageType === "documentation";
  if (pageType === "forum") return;
  const mostWords = pageType === "article" ? MOST_WORDS : MOST_LABEL_WORDS;
  const reach = isProduct ? REACH : isText ? 1 : 0;
  let labels = 0;
  let next = 0;
  for (let block = 0; block < keep.length && labels < MOST_LABELS; block++) {
    if (sizes[block]! > mostWords) continue;
    if (keep[block] === 0) {
      // Most of what is left out is far from what is kept, and need not be read.
      next = Math.max(next, block + 1);
      while (next < keep.length && keep[next] === 0) next++;
      if (next === keep.length || next > block + reach) continue;
      if (sizes[block]! > MOST_LABEL_WORDS || !isLabel(blockLine(table, block).toLowerCase(), isProduct)) continue;
      labels++;
      // Without its label, a link between paragraphs may read like a part of them, and a card like a product's name.
      if (isProduct) dropPart(table, block, keep, sizes, PRODUCTS);
      else dropLinks(table, block, keep);
      continue;
    }
    const isLinked = pageType === "article" && linkShare(table, block) >= LABELLED_LINK_SHARE;
    // To write most texts in one line, only to see that they are too long, would take most of the time.
    if (!isLinked && hasMoreSigns(blockText(table, block), LONGEST_LABEL)) continue;
    const text = blockLine(table, block).toLowerCase();
    if (isLabel(text, isProduct)) {
      labels++;
      const isHeading = table.headingRanks[block]! > 0;
      if (isOther) {
        if (isHeading) dropPart(table, block, keep, sizes, OTHERS);
      } else if (!isProduct) {
        // A single word may be about the text's own matter: `Recommended` beside `Minimum`, `Read` beside `Write`.
        const rule = table.statistics[block * STATISTIC_COUNT + STATISTIC.words] === 1 ? OTHERS : ARTICLES;
        if (!isHeading || dropPart(table, block, keep, sizes, rule) === "none") dropLinks(table, block, keep);
      } else if (isHeading) dropSection(table, block, keep, sizes);
      else dropPart(table, block, keep, sizes, PRODUCTS);
    } else if (isLinked && label.exec(text)?.[1] !== undefined) keep[block] = 0;
  }
}

/** Whether a text has more characters than that, apart from spaces. */
function hasMoreSigns(text: string, most: number): boolean {
  let signs = 0;
  for (let index = 0; index < text.length && signs <= most; index++) {
    const code = text.charCodeAt(index);
    if (code > 32 && code !== NO_BREAK_SPACE) signs++;
  }
  return signs > most;
}

function isLabel(text: string, isProduct: boolean): boolean {
  if (text.length > LONGEST_LABEL) return false;
  if (isProduct) return productLabel.test(text);
  const found = label.exec(text);
  return found !== null && found[1] === undefined;
}

/**
 * Drops the part of the page that begins with a label; "left" if there is too little besides it, or it is about
 * something else. "none" if no part begins with it, or the article is in it, too.
 */
function dropPart(
  table: PageTable,
  label: number,
  keep: Uint8Array,
  sizes: Float32Array,
  rule: PartRule,
): "dropped" | "left" | "none" {
  const part = table.parent[table.blockElement[label]!]!;
  if (part <= 0 || (label > 0 && isBlockIn(table, label - 1, part))) return "none";
  let next = label;
  while (isBlockIn(table, next, part)) next++;
  const { inside, linked, besides } = weigh(table, label, next, keep, sizes);
  if (inside > MOST_TIMES * besides) return "none";
  if (besides < rule.besides || linked < rule.linked * inside) return "left";
  keep.fill(0, label, next);
  return "dropped";
}

/** How many words are kept of some blocks, how many of these are linked, and how many are kept besides. */
function weigh(
  table: PageTable,
  first: number,
  behind: number,
  keep: Uint8Array,
  sizes: Float32Array,
): { readonly inside: number; readonly linked: number; readonly besides: number } {
  let inside = 0;
  let linked = 0;
  let besides = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 0) continue;
    if (block < first || block >= behind) besides += sizes[block]!;
    else {
      inside += sizes[block]!;
      linked += sizes[block]! * linkShare(table, block);
    }
  }
  return { inside, linked, besides };
}

/** Drops a label and the links that follow it, if any do. */
function dropLinks(table: PageTable, block: number, keep: Uint8Array): void {
  let next = block + 1;
  while (next < keep.length && (keep[next] === 0 || linkShare(table, next) >= LINK_SHARE)) next++;
  let links = 0;
  for (let one = block + 1; one < next; one++) links += keep[one]!;
  if (links > MOST_LINKS || next === block + 1 || linkShare(table, block + 1) < LINK_SHARE) return;
  keep.fill(0, block, next);
}

/** Drops the heading of other products with all of them, up to the next heading of that rank. */
function dropSection(table: PageTable, heading: number, keep: Uint8Array, sizes: Float32Array): void {
  const { headingRanks } = table;
  const rank = headingRanks[heading]!;
  // The first rank is that of the product.
  if (rank < 2) return;
  let next = heading + 1;
  while (next < keep.length && (headingRanks[next] === 0 || headingRanks[next]! > rank)) next++;
  const { inside, linked, besides } = weigh(table, heading, next, keep, sizes);
  if (besides >= PRODUCTS.besides && linked >= PRODUCTS.linked * inside) keep.fill(0, heading, next);
}
