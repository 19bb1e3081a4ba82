/** Keeps the title of simple pages and of manuals: the texts that the model learnt from are of two minds about titles. */
import { headingRank } from "./element-totals.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSimplePage } from "./simple-page.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Not more words than this between the title and what is kept: a site's name stands farther off. */
const REACH = 25;
/** In a manual a summary may stand between, and a table of contents, however long that is. */
const REACH_IN_MANUAL = 300;

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
  const isManual = pageType === "documentation";
  if (title === undefined || !(isSimple || isManual)) return;
  const first = keep.indexOf(1);
  if (first < 0) return;
  const whole = lettersOf(title);
  const heading =
    onlyHeading(table, keep.length, 1) ?? (isManual ? headingThatSays(table, keep.length, whole) : undefined);
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
  const isNear = isSimple && between <= REACH && (whole.includes(name) || saysMore);
  // A manual's own name is at the end of its titles.
  const isTitle = whole.startsWith(name) || saysMore;
  const isOfManual = isManual && unlinked <= REACH_IN_MANUAL && isTitle;
  if (isNear || isOfManual) keep[heading] = 1;
}

/** The block that is the only heading of a rank on the page. */
function onlyHeading(table: PageTable, blocks: number, rank: number): number | undefined {
  let heading: number | undefined;
  for (let block = 0; block < blocks; block++) {
    if (headingRank(table, block) !== rank) continue;
    if (heading !== undefined) return undefined;
    heading = block;
  }
  return heading;
}

/**
 * The first heading of the first rank, where others are those of sections, and without any the first heading: if it says
 * just what the page's head does. A page of a book may begin with the heading of a chapter.
 */
function headingThatSays(table: PageTable, blocks: number, whole: string): number | undefined {
  let first: number | undefined;
  for (let block = 0; block < blocks; block++) {
    const rank = headingRank(table, block);
    if (rank > 0) first ??= block;
    if (rank !== 1) continue;
    first = block;
    break;
  }
  return first !== undefined && lettersOf(textOf(table, first)) === whole ? first : undefined;
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
