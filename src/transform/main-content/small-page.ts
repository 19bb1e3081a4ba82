/** Small pages: the model has seen few, and a single lost title or link is a large part of their text. */
import { bitsOfMeanings, meaningBit } from "./name-words.ts";
import { IN_HIDDEN, type PageTable } from "./page-table.ts";
import { opensPanel } from "./questions.ts";
import { isInCard, isSideElement, isSiteFooter } from "./side-parts.ts";
import { FORMS } from "./tag-sets.ts";
import { tagId } from "./tags.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** A page with fewer words is small. */
const SMALL_PAGE = 150;

/** Above the title, a text of which this share is linked is a menu: what leads nowhere is in it, too. */
const MENU_SHARE = 0.6;

const MAIN = tagId("main");
const BODY = tagId("body");
/** Meanings of names that speak against a part; other names do not. */
const AGAINST = bitsOfMeanings(
  ...["navigation", "sidebar", "footer", "header", "related", "share", "advert", "consent", "overlay", "subscribe"],
  ...["breadcrumb", "pagination", "comments", "hidden", "form"],
);
/** A name with this rating in the lexicon, or a lower one, speaks against a part; ratings are not below -4. */
const BAD_RATING = -3;
const HEADER = meaningBit("header");
const FRAMES = new Set(["header", "footer", "aside"].map(tagId));

export interface SmallPage {
  /** By element: 1 in the page's main part, unless a tag, a name, or being hidden speaks against it. */
  readonly plain: Uint8Array;
  /** By element: 1 in what HTML marks as a side part of the page, and after its footer. */
  readonly side: Uint8Array;
  /** By element: 1 in the page's main part, whatever speaks against it. */
  readonly inMain: Uint8Array;
  /** The page marks its main part, which is not empty. */
  readonly namesMain: boolean;
  /** There is something plain: text, pictures or players. */
  readonly hasPlain: boolean;
}

const add = (sum: number, size: number): number => sum + size;

/** Reads a small page; undefined for a larger one. `sizes` are the blocks' sizes in words. */
export function readSmallPage(table: PageTable, sizes: Float32Array): SmallPage | undefined {
  if (sizes.reduce(add, 0) >= SMALL_PAGE) return undefined;
  const { arrays, elements, flags, parent, tag } = table;
  const side = arrays.bytes(elements.length);
  const inMain = arrays.bytes(elements.length);
  for (let element = 0; element < elements.length; element++) {
    side[element] = side[parent[element]!] === 1 || isSideElement(table, element) ? 1 : 0;
  }
  const isMain = (element: number) =>
    (tag[element] === MAIN || elements[element]!.attribs["role"] === "main") && (flags[element]! & IN_HIDDEN) === 0;
  for (let element = 0; element < elements.length; element++) {
    inMain[element] = inMain[parent[element]!] === 1 || isMain(element) ? 1 : 0;
  }
  const named = findPlain(table, side, isMain);
  const namesMain = holdsSomething(table, named);
  const plain = namesMain ? named : findPlain(table, side, (element) => tag[element] === BODY);
  if (!namesMain) {
    const end = elements.findIndex((_, element) => isSiteFooter(table, element));
    if (end >= 0) {
      plain.fill(0, end);
      side.fill(1, end);
    }
  }
  return { plain, side, inMain, namesMain, hasPlain: namesMain || holdsSomething(table, plain) };
}

/**
 * Adds everything plain to `keep`, in place, and the buttons that open parts of it; but no links above the title, nor
 * headings of these, which are a menu whatever they are named.
 */
export function keepSmallPage(table: PageTable, { plain, side, namesMain }: SmallPage, keep: Uint8Array) {
  const { blockElement, parent } = table;
  const isElsewhere = (element: number, block: number) =>
    keep[block] === 1 && plain[element] === 0 && side[element] === 0;
  const isFound = blockElement.some((element, block) => keep[block] === 1 && plain[element] === 1);
  // If the model finds nothing plain but something else, that is the content.
  if (!namesMain && !isFound && blockElement.some(isElsewhere)) return;
  const title = isFound ? table.headingRanks.findIndex((rank, block) => rank === 1 && keep[block] === 1) : -1;
  let isMenu = false;
  for (let block = keep.length - 1; block >= 0; block--) {
    isMenu = block < title && (isLinked(table, block) || (isMenu && table.headingRanks[block]! > 0));
    if (isMenu) continue;
    const element = blockElement[block]!;
    const opens = plain[parent[element]!] === 1 && keep[block + 1] === 1 && opensPanel(table, block);
    if (plain[element] === 1 || opens) keep[block] = 1;
  }
}

function isLinked({ statistics }: PageTable, block: number): boolean {
  const row = block * STATISTIC_COUNT;
  return statistics[row + STATISTIC.linkWords]! >= MENU_SHARE * statistics[row + STATISTIC.words]!;
}

/** True if only parts of the page's header, navigation or footer are kept: then it has no main content. */
export function isFrameOnly({ blockElement }: PageTable, { side, hasPlain }: SmallPage, keep: Uint8Array): boolean {
  return !hasPlain && blockElement.every((element, block) => keep[block] === 0 || side[element] === 1);
}

/** By element: 1 in the parts that `isPart` names, except for what does not belong there. */
function findPlain(table: PageTable, side: Uint8Array, isPart: (element: number) => boolean): Uint8Array {
  const { arrays, flags, meanings, parent, ratings, tag } = table;
  const plain = arrays.bytes(tag.length);
  for (let element = 0; element < tag.length; element++) {
    if (side[element] === 1) continue;
    if (isPart(element)) plain[element] = 1;
    else if (plain[parent[element]!] === 1) {
      const against = (meanings[element]! & HEADER) !== 0 && isInCard(table, element) ? AGAINST & ~HEADER : AGAINST;
      // Whether headers, footers and asides are side parts has already been decided.
      const isRated = ratings[element]! <= BAD_RATING && !FRAMES.has(tag[element]!);
      const isNamed = (meanings[element]! & against) !== 0 || isRated;
      plain[element] = isNamed || FORMS.has(tag[element]!) || (flags[element]! & IN_HIDDEN) !== 0 ? 0 : 1;
    }
  }
  return plain;
}

function holdsSomething({ blockElement, media }: PageTable, plain: Uint8Array): boolean {
  return blockElement.some((element) => plain[element] === 1) || media.some((element) => plain[element] === 1);
}
