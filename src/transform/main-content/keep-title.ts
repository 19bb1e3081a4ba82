/** Keeps the title of a page: the texts that the model learnt from are of two minds about titles. */
import { headingRank } from "./element-totals.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSimplePage } from "./simple-page.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Not more words than this between the title and what is kept: a site's name stands farther off. */
const REACH = 25;
/** In a manual a summary may stand between, and a table of contents, however long that is; in a shop the ways to pay. */
const REACH_OF_LARGE = 300;
/**
 * Articles and threads are mostly taken without their titles, which metadata has: theirs is kept where it is no more than
 * this share of the text.
 */
const MOST_SHARE: Partial<Record<PageType, number>> = {
  article: 0.008,
  forum: 0.009,
};
/** A heading beside others of its rank is the title if it is so much of what the head says. */
const LEAST_OF_TITLE = 0.4;
/** In words: a shorter one may be a name. */
const LEAST_WORDS = 3;

/**
 * Adds the only heading of the first rank to `keep`, in place, if the page's head calls the page so. Where that is the
 * site's name, and a heading of the second rank the rest of what the head says, that one is the title instead.
 * @param title the title in the page's head
 * @param sizes the blocks' sizes in words
 */
export function keepTitle(
  table: PageTable,
  pageType: PageType,
  title: string | undefined,
  keep: Uint8Array,
  sizes: Float32Array,
): void {
  const isSimple = isSimplePage(table);
  if (title === undefined) return;
  const first = keep.indexOf(1);
  if (first < 0) return;
  const isManual = pageType === "documentation";
  const only = onlyHeading(table, keep.length);
  if (only !== undefined && keep[only] === 1 && !isSimple) return;
  const whole = lettersOf(title);
  const heading = only ?? headingThatSays(table, keep.length, whole, isManual);
  if (heading === undefined || (table.flags[table.blockElement[heading]!]! & IN_HIDDEN) !== 0) return;
  const name = lettersOf(textOf(table, heading));
  if (name === "") return;
  const second = isSimple ? restOfTitle(table, heading, whole, name) : undefined;
  if (second !== undefined) {
    keep[second] = 1;
    keep[heading] = 0;
    return;
  }
  let between = 0;
  let unlinked = 0;
  for (let block = heading + 1; block < first; block++) {
    between += sizes[block]!;
    unlinked += sizes[block]! - table.statistics[block * STATISTIC_COUNT + STATISTIC.linkWords]!;
  }
  // What kind of page it is, only the heading may say.
  const saysMore = whole !== "" && name.startsWith(whole);
  const isNear = isSimple && only !== undefined && between <= REACH && (whole.includes(name) || saysMore);
  // The name of the site is at the end of its titles, that of a manual may be before them.
  const isNamed = headingRank(table, heading) === 0 && whole.endsWith(name) && name !== whole;
  const isTitle = unlinked <= REACH_OF_LARGE && (whole.startsWith(name) || saysMore || isNamed);
  if (isNear || (isTitle && (isNamed || sizes[heading]! <= mostWords(pageType, keep, sizes)))) keep[heading] = 1;
}

/** How many words a title may have to be kept on a page of a type. */
function mostWords(pageType: PageType, keep: Uint8Array, sizes: Float32Array): number {
  const share = MOST_SHARE[pageType];
  if (share === undefined) return Number.POSITIVE_INFINITY;
  let kept = 0;
  for (let block = 0; block < keep.length; block++) if (keep[block] === 1) kept += sizes[block]!;
  return share * kept;
}

/** The block that is the only heading of the first rank on the page. */
function onlyHeading(table: PageTable, blocks: number): number | undefined {
  let heading: number | undefined;
  for (let block = 0; block < blocks; block++) {
    if (headingRank(table, block) !== 1) continue;
    if (heading !== undefined) return undefined;
    heading = block;
  }
  return heading;
}

/**
 * Of several headings of the first rank the first that the title begins with, if that is much of it: the name of the site
 * is at its end. Without any, the first heading if it says just what the title does. A page of a book may begin with the
 * heading of a chapter.
 */
function headingThatSays(table: PageTable, blocks: number, whole: string, isManual: boolean): number | undefined {
  let hasFirst = false;
  let first: number | undefined;
  for (let block = 0; block < blocks; block++) {
    const rank = headingRank(table, block);
    if (rank > 0) first ??= block;
    if (rank !== 1) continue;
    hasFirst = true;
    if (table.statistics[block * STATISTIC_COUNT + STATISTIC.words]! < LEAST_WORDS) continue;
    const name = lettersOf(textOf(table, block));
    if (whole.startsWith(name) && name.length >= LEAST_OF_TITLE * whole.length) return block;
  }
  if (hasFirst) return undefined;
  if (isManual && first !== undefined && lettersOf(textOf(table, first)) === whole) return first;
  return blockNamedTitle(table, blocks, whole);
}

/** Some manuals write their titles without a heading: what is called a title, and is much of what the head says. */
function blockNamedTitle(table: PageTable, blocks: number, whole: string): number | undefined {
  for (let block = 0; block < blocks; block++) {
    if (table.elements[table.blockElement[block]!]!.attribs["class"] !== "title") continue;
    const name = lettersOf(textOf(table, block));
    const isTitle = whole.startsWith(name) || whole.endsWith(name);
    return isTitle && name.length >= LEAST_OF_TITLE * whole.length ? block : undefined;
  }
  return undefined;
}

/**
 * After the site's name, which is linked: the heading of the second rank that says all else that the title does. Beside
 * the name it is the site's motto.
 */
function restOfTitle(table: PageTable, heading: number, whole: string, name: string): number | undefined {
  const { statistics, firstText, flags, parent, blockElement } = table;
  const row = heading * STATISTIC_COUNT;
  if (statistics[row + STATISTIC.linkWords]! < statistics[row + STATISTIC.words]!) return undefined;
  for (let block = heading + 1; block + 1 < firstText.length; block++) {
    if (headingRank(table, block) !== 2) continue;
    const element = blockElement[block]!;
    if ((flags[element]! & IN_HIDDEN) !== 0 || parent[element] === parent[blockElement[heading]!]) return undefined;
    const rest = lettersOf(textOf(table, block));
    return rest !== "" && (whole === name + rest || whole === rest + name) ? block : undefined;
  }
  return undefined;
}

function textOf({ firstText, texts }: PageTable, block: number): string {
  let text = "";
  for (let index = firstText[block]!; index < firstText[block + 1]!; index++) text += texts[index]!.data;
  return text;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
