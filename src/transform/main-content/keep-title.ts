/** Keeps the title of a page: the texts that the model was trained on are inconsistent about titles. */
import { headingLevel } from "../html/elements.ts";
import { isSpoken } from "../markdown/spoken.ts";
import { blockText, lettersOf } from "./block-text.ts";
import { isDatedPage } from "./dated-page.ts";
import { isBlockIn } from "./element-blocks.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import type { PageType } from "./page-type.ts";
import { isSimplePage } from "./simple-page.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Most words between the title and what is kept: a site's name is farther away. */
const REACH = 25;
/** Most unlinked words between them on any page: a manual may have a summary there, a shop the ways to pay. */
const REACH_OF_LARGE = 300;
/**
 * The texts of dated articles and of threads are mostly expected without their titles, which are in the metadata. Such
 * a title is kept only if it is at most this share of the text.
 */
const MOST_SHARE: Partial<Record<PageType, number>> = {
  article: 0.008,
  forum: 0.009,
};
/** A heading among others of its rank is the title if it is at least this share of the title in the head. */
const LEAST_OF_TITLE = 0.4;
/** In words; a shorter heading may be a name. Those of products are short. */
const LEAST_WORDS = 3;
/** How far up from a text an element for screen readers is searched for: nesting has no limit. */
const REACH_OF_SPOKEN = 3;

/**
 * Adds the only heading of the first rank to `keep`, in place, if it matches the title in the page's head. If that
 * heading is the site's name, and a heading of the second rank is the rest of the title in the head, the latter is kept
 * instead. What is beside the name and is the rest of the title, but is no heading, is kept, too.
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
  if (isManual) keepNamedTitle(table, first, keep, sizes);
  const only = onlyHeading(table, keep.length);
  if (only !== undefined) keepRestBeside(table, only, title, keep);
  if (only !== undefined && keep[only] === 1 && !isSimple) return;
  const whole = lettersOf(title);
  const heading = only ?? headingThatSays(table, keep, whole, pageType);
  if (heading === undefined || (table.flags[table.blockElement[heading]!]! & IN_HIDDEN) !== 0) return;
  const name = lettersOf(shownText(table, heading));
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
  // The heading may add what kind of page it is.
  const saysMore = whole !== "" && name.startsWith(whole);
  const isNear = isSimple && only !== undefined && between <= REACH && (whole.includes(name) || saysMore);
  // The name of a site is at the end of its titles; that of a manual may be at the beginning.
  const isNamed = table.headingRanks[heading] === 0 && whole.endsWith(name) && name !== whole;
  const isOfKind = only !== undefined && whole.startsWith(lettersBehindKind(shownText(table, heading)) || "\0");
  const isTitle = unlinked <= REACH_OF_LARGE && (whole.startsWith(name) || saysMore || isNamed || isOfKind);
  const isExpected = (): boolean =>
    isNamed ||
    sizes[heading]! <= mostWords(pageType, keep, sizes) ||
    (pageType === "article" && !isDatedPage(table, heading));
  if (isNear || (isTitle && isExpected())) keep[heading] = 1;
}

/** Of a heading that says what kind of list it is of before its name, as in `Category: Boats`. */
function lettersBehindKind(heading: string): string {
  return lettersOf(/^\s*[\p{L}\p{M} ]{2,20}[:：](.+)$/u.exec(heading)?.[1] ?? "");
}

/** How many words a title may have to be kept on a page of a type. */
function mostWords(pageType: PageType, keep: Uint8Array, sizes: Float32Array): number {
  const share = MOST_SHARE[pageType];
  if (share === undefined) return Number.POSITIVE_INFINITY;
  let kept = 0;
  for (let block = 0; block < keep.length; block++) if (keep[block] === 1) kept += sizes[block]!;
  return share * kept;
}

/** Some systems write the title as a heading only by its role. */
function isOfFirstRank({ blockElement, elements, headingRanks }: PageTable, block: number): boolean {
  const { role, "aria-level": level } = elements[blockElement[block]!]!.attribs;
  return role === "heading" ? headingLevel(level) === 1 : headingRanks[block] === 1;
}

/** The only heading of the first rank on the page; of one with several blocks, the first. */
function onlyHeading(table: PageTable, blocks: number): number | undefined {
  let heading: number | undefined;
  for (let block = 0; block < blocks; block++) {
    if (!isOfFirstRank(table, block)) continue;
    if (heading !== undefined && !isBlockIn(table, block, table.blockElement[heading]!)) return undefined;
    heading ??= block;
  }
  return heading;
}

/**
 * Of several headings of the first rank, the first that begins the title and is a large part of it, because the name of
 * the site is at the end; if one of them is that name, a small part is enough. If another one, which is kept, is the rest
 * of the title, the name of the site is at the beginning. If there are none, the first heading of a manual's page if it
 * equals the title: a page of a book may begin with the heading of a chapter.
 */
function headingThatSays(table: PageTable, keep: Uint8Array, whole: string, pageType: PageType): number | undefined {
  const blocks = keep.length;
  const leastWords = pageType === "product" ? 1 : LEAST_WORDS;
  const firstRank: { readonly block: number; readonly name: string }[] = [];
  let first: number | undefined;
  for (let block = 0; block < blocks; block++) {
    const rank = table.headingRanks[block]!;
    if (rank > 0) first ??= block;
    if (rank === 1) firstRank.push({ block, name: lettersOf(blockText(table, block)) });
  }
  const isSite = (name: string): boolean => name !== "" && name !== whole && whole.endsWith(name);
  const hasSite = firstRank.some(({ name }) => isSite(name));
  const isSaid = (rest: string): boolean =>
    rest !== "" && firstRank.some(({ block, name }) => keep[block] === 1 && name.startsWith(rest));
  // A page may repeat one heading many thousand times.
  const seen = new Set<string>();
  for (const { block, name } of firstRank) {
    if (name === "" || !whole.startsWith(name) || seen.has(name)) continue;
    seen.add(name);
    if (isSaid(whole.slice(name.length))) continue;
    const isLong = table.statistics[block * STATISTIC_COUNT + STATISTIC.words]! >= leastWords;
    if ((hasSite && !isSite(name)) || (isLong && name.length >= LEAST_OF_TITLE * whole.length)) return block;
  }
  if (firstRank.length > 0) return undefined;
  if (pageType === "documentation" && first !== undefined && lettersOf(blockText(table, first)) === whole) return first;
  return blockNamedTitle(table, blocks, whole);
}

/** Adds to `keep`, in place, a title that is no heading, if it is right above what is kept: `first` is the beginning. */
function keepNamedTitle(table: PageTable, first: number, keep: Uint8Array, sizes: Float32Array): void {
  let between = 0;
  for (let block = first - 1; block >= 0 && between <= REACH; block--) {
    const element = table.blockElement[block]!;
    if (table.elements[element]!.attribs["class"] === "title") {
      if (table.headingRanks[block] === 0 && (table.flags[element]! & IN_HIDDEN) === 0) keep[block] = 1;
      return;
    }
    between += sizes[block]!;
  }
}

/** Some manuals have titles that are no headings: a block named as a title that is a large part of the head's title. */
function blockNamedTitle(table: PageTable, blocks: number, whole: string): number | undefined {
  for (let block = 0; block < blocks; block++) {
    if (table.elements[table.blockElement[block]!]!.attribs["class"] !== "title") continue;
    const name = lettersOf(blockText(table, block));
    const isTitle = whole.startsWith(name) || whole.endsWith(name);
    return isTitle && name.length >= LEAST_OF_TITLE * whole.length ? block : undefined;
  }
  return undefined;
}

/**
 * The heading of the second rank, after the linked name of the site, that equals the rest of the title. Next to the
 * name it would be the site's motto.
 */
function restOfTitle(table: PageTable, heading: number, whole: string, name: string): number | undefined {
  const { statistics, firstText, flags, parent, blockElement } = table;
  const row = heading * STATISTIC_COUNT;
  if (statistics[row + STATISTIC.linkWords]! < statistics[row + STATISTIC.words]!) return undefined;
  for (let block = heading + 1; block + 1 < firstText.length; block++) {
    if (table.headingRanks[block] !== 2) continue;
    const element = blockElement[block]!;
    if ((flags[element]! & IN_HIDDEN) !== 0 || parent[element] === parent[blockElement[heading]!]) return undefined;
    const rest = lettersOf(blockText(table, block));
    return rest !== "" && (whole === name + rest || whole === rest + name) ? block : undefined;
  }
  return undefined;
}

/** Adds to `keep`, in place, a text right behind the name of the site in the same element: the site's motto, at worst. */
function keepRestBeside(table: PageTable, heading: number, title: string, keep: Uint8Array): void {
  const { blockElement, flags, parent } = table;
  const beside = heading + 1;
  const element = blockElement[beside];
  const around = parent[blockElement[heading]!]!;
  if (element === undefined || (element !== around && parent[element] !== around)) return;
  if (table.headingRanks[beside]! > 0 || (flags[element]! & IN_HIDDEN) !== 0) return;
  const rest = lettersOf(blockText(table, beside));
  if (rest !== "" && lettersOf(title) === lettersOf(shownText(table, heading)) + rest) keep[beside] = 1;
}

/** Without what is only read out, as the kind of page is in shops: `Collection:` before its name. */
function shownText(table: PageTable, block: number): string {
  const { blockElement, elements, firstText, parent, textParent, texts } = table;
  const isShown = (text: number): boolean => {
    let element = textParent[text]!;
    for (let step = 0; step < REACH_OF_SPOKEN && element > blockElement[block]!; step++) {
      if (isSpoken(elements[element]!.attribs["class"] ?? "")) return false;
      element = parent[element]!;
    }
    return true;
  };
  let shown = "";
  for (let text = firstText[block]!; text < firstText[block + 1]!; text++)
    if (isShown(text)) shown += texts[text]!.data;
  return shown;
}
