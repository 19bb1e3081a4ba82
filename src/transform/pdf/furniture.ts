/** Drops what pages repeat at their edges: running heads and footers, and page numbers. */

import type { Fragment } from "./fragments.ts";
import { textOf } from "./pieces.ts";
import type { Part } from "./structure.ts";
import { withinSentences } from "./within-sentences.ts";

export interface FragmentPage {
  /** Counted from 1; rotated text on a page is a page of its own with the same number. */
  readonly number: number;
  readonly height: number;
  /** Its text is slanted. */
  readonly isSlanted: boolean;
  readonly fragments: readonly Fragment[];
  readonly parts: readonly Part[];
}

/** How many rows at the top and at the bottom may be furniture. */
const edgeRows = 3;
/** They are within this share of the page's height. */
const edgeShare = 0.16;
/** Tolerance for the height of the same edge text on all its pages, in points. */
const sameHeight = 4;

/** Text that is so much larger than the body is a title. */
const titleGrowth = 1.15;
/** Slanted text that is so much larger is a stamp, if several pages have it. */
const stampGrowth = 1.5;

/** A page with fewer fragments may well contain nothing but edge text. */
const fullPage = 8;

interface EdgeText {
  readonly fragment: Fragment;
  readonly text: string;
  readonly page: number;
  readonly isTop: boolean;
}

/** The same pages without their furniture. */
export function withoutFurniture(pages: readonly FragmentPage[], bodySize: number): FragmentPage[] {
  const edges = pages.flatMap(edgeTexts);
  const furniture = new Set<Fragment>();
  // If lines stand alone on their pages, they are the content, however alike they are.
  if (mostHaveBody(pages)) {
    for (const fragment of repeated(edges, countPages(pages))) furniture.add(fragment);
    const numbers = new Set(pageNumbers(edges, bodySize, pages.at(-1)?.number ?? 0));
    for (const fragment of [...numbers, ...besideNumbers(edges, numbers, bodySize)]) furniture.add(fragment);
    for (const fragment of besideFurniture(edges, furniture, pages)) furniture.add(fragment);
    for (const { fragments } of pages) {
      for (const fragment of withinSentences(fragments, furniture)) furniture.delete(fragment);
    }
  }
  for (const fragment of stamps(pages, bodySize)) furniture.add(fragment);
  for (const { fragment } of edges) if (fragment.part === "artifact") furniture.add(fragment);
  for (const fragment of firstTitles(edges, furniture, bodySize)) furniture.delete(fragment);
  for (const fragment of firstHeads(edges, furniture)) furniture.delete(fragment);
  const rest = pages.map((page) => ({
    ...page,
    fragments: page.fragments.filter((fragment) => !furniture.has(fragment)),
  }));
  return rest.some(({ fragments }) => fragments.length > 0) ? rest : [...pages];
}

/** `DRAFT`, large and aslant over several pages. */
function stamps(pages: readonly FragmentPage[], bodySize: number): Fragment[] {
  const slanted = pages.flatMap(({ number, isSlanted, fragments }) =>
    (isSlanted ? fragments : [])
      .filter(({ fontSize }) => fontSize >= bodySize * stampGrowth)
      .map((fragment) => ({ fragment, number, text: normalised(fragment) })),
  );
  return [...Map.groupBy(slanted, ({ text }) => text).values()]
    .filter((some) => new Set(some.map(({ number }) => number)).size > 1)
    .flatMap((some) => some.map(({ fragment }) => fragment));
}

/**
 * Slides that are revealed step by step repeat their titles, and some programs put the title into the header of all
 * pages. The first occurrence is kept.
 */
function firstTitles(edges: readonly EdgeText[], furniture: ReadonlySet<Fragment>, bodySize: number): Fragment[] {
  const titles = edges.filter(({ fragment, isTop }) => isTop && fragment.fontSize >= bodySize * titleGrowth);
  const places = new Set(titles.map(({ text, page }) => `${page} ${text}`));
  return (
    titles
      .filter(({ fragment }) => furniture.has(fragment))
      // Left and right pages may differ.
      .filter(({ text, page }) => !places.has(`${page - 1} ${text}`) && !places.has(`${page - 2} ${text}`))
      .map(({ fragment }) => fragment)
  );
}

/** A top row with at least this many parts may be a table's head, repeated on each page. The first one is kept. */
const fewestHeads = 3;

function firstHeads(edges: readonly EdgeText[], furniture: ReadonlySet<Fragment>): Fragment[] {
  const repeated = edges.filter(({ fragment, isTop }) => isTop && furniture.has(fragment));
  const [first] = repeated;
  const rows = Map.groupBy(
    repeated.filter(({ page }) => page === first!.page),
    ({ fragment }) => Math.round(fragment.y),
  );
  return [...rows.values()]
    .filter((row) => row.length >= fewestHeads)
    .flatMap((row) => row.map(({ fragment }) => fragment));
}

/** The rotated text of a page, which is a page of its own, is not counted again. */
function countPages(pages: readonly FragmentPage[]): number {
  return new Set(pages.map(({ number }) => number)).size;
}

/** Whether at least half of the pages with text have text between the edges. */
function mostHaveBody(pages: readonly FragmentPage[]): boolean {
  const written = pages.filter(({ fragments }) => fragments.length > 0);
  const full = written.filter((page) => page.fragments.length > edgeTexts(page).length);
  return countPages(full) * 2 >= countPages(written);
}

function edgeTexts({ number, height, fragments }: FragmentPage): EdgeText[] {
  const top = fragments.filter(({ y }) => y < height * edgeShare).sort((one, other) => one.y - other.y);
  const bottom = fragments.filter(({ y }) => y > height * (1 - edgeShare)).sort((one, other) => other.y - one.y);
  return [
    ...outermost(top).map((fragment) => ({ fragment, text: normalised(fragment), page: number, isTop: true })),
    ...outermost(bottom).map((fragment) => ({ fragment, text: normalised(fragment), page: number, isTop: false })),
  ];
}

/** The fragments of the first rows. */
function outermost(sorted: readonly Fragment[]): Fragment[] {
  let rows = 0;
  let rowY = Number.NaN;
  const end = sorted.findIndex(({ y, fontSize }) => {
    if (Math.abs(y - rowY) < fontSize * 0.5) return false;
    rowY = y;
    return ++rows > edgeRows;
  });
  return end < 0 ? [...sorted] : sorted.slice(0, end);
}

/** Text that is repeated word for word at the same height on at least three pages, or on both of two pages. */
function repeated(edges: readonly EdgeText[], pageCount: number): Fragment[] {
  const needed = pageCount === 2 ? 2 : 3;
  const sameText = Map.groupBy(edges, ({ text, isTop }) => `${isTop} ${text}`);
  return [...sameText.values()].flatMap((texts) => atOneHeight(texts, needed));
}

/** Text whose number counts along with the pages: `12`, `Page 12 of 96`, `A-12`, `12 The title of the chapter`. */
function pageNumbers(edges: readonly EdgeText[], bodySize: number, lastPage: number): Fragment[] {
  const numbered = edges.flatMap((edgeText) => {
    if (edgeText.fragment.fontSize > bodySize * 1.2) return [];
    const { text } = edgeText;
    return [...text.slice(0, 200).matchAll(/\d{1,5}/g)].slice(0, 4).map((found) => {
      const around = `${text.slice(0, found.index)}#${text.slice(found.index + found[0].length)}`;
      // A bare number counts anywhere; others must have the same words around them.
      return { ...edgeText, key: `${edgeText.isTop} ${around} ${Number(found[0]) - edgeText.page}` };
    });
  });
  const counting = Map.groupBy(numbered, ({ key }) => key);
  const counted = [...counting.values()].flatMap((texts) => atOneHeight(texts, 2));
  const roman = Map.groupBy(
    edges.filter(({ text }) => /^[ivxl]{1,8}$/i.test(text)),
    ({ isTop }) => isTop,
  );
  // "Page 3 of 12" on page 3 of 12 is recognised without a second page.
  const outOf = edges.filter(({ text, page }) => {
    const numbers = text.match(/(\d{1,5})\s?(?:\/|\p{L}{2,5})\s?(\d{1,5})\s?\W?$/u);
    return numbers !== null && Number(numbers[1]) === page && Number(numbers[2]) === lastPage;
  });
  return [
    ...counted,
    ...outOf.map(({ fragment }) => fragment),
    ...[...roman.values()].flatMap((texts) => atOneHeight(texts, 3)),
  ];
}

/** Text next to page numbers is furniture, too, only if at least this many pages have numbers in an outermost row. */
const fewestNumbered = 3;
const longestHead = 120;

/** Text in the same outermost row as the page number: the title of the chapter, on however few pages. */
function besideNumbers(edges: readonly EdgeText[], numbers: ReadonlySet<Fragment>, bodySize: number): Fragment[] {
  const outer = [...Map.groupBy(edges, ({ page, isTop }) => `${page} ${isTop}`).values()].map((some) => {
    // They are ordered from the edge of the page inwards.
    const [{ fragment: first }] = some as [EdgeText];
    return some.filter(({ fragment }) => Math.abs(fragment.y - first.y) < first.fontSize * 0.5);
  });
  const numbered = outer.filter((row) => row.some(({ fragment }) => numbers.has(fragment)));
  return [...Map.groupBy(numbered, ([first]) => first!.isTop).values()]
    .filter(({ length }) => length >= fewestNumbered)
    .flatMap((rows) => rows.flat())
    .filter(({ text, fragment }) => text.length <= longestHead && fragment.fontSize <= bodySize * titleGrowth)
    .map(({ fragment }) => fragment);
}

/** Text at a height at which most pages have furniture of its size: the title of a chapter of two pages. */
function besideFurniture(
  edges: readonly EdgeText[],
  furniture: ReadonlySet<Fragment>,
  pages: readonly FragmentPage[],
): Fragment[] {
  const needed = Math.max(4, countPages(pages) / 2);
  const fewText = new Set(pages.filter(({ fragments }) => fragments.length < fullPage).map(({ number }) => number));
  const heightOf = ({ fragment, isTop }: EdgeText, shift: number) =>
    `${isTop} ${Math.round(fragment.y / 2) + shift} ${Math.round(fragment.fontSize)}`;
  const pagesAt = Map.groupBy(
    edges.filter(({ fragment }) => furniture.has(fragment)),
    (edgeText) => heightOf(edgeText, 0),
  );
  return edges
    .filter(({ page }) => !fewText.has(page))
    .filter((edgeText) => [-1, 0, 1].some((shift) => (pagesAt.get(heightOf(edgeText, shift))?.length ?? 0) >= needed))
    .map(({ fragment }) => fragment);
}

/** The texts that share their height with enough others on other pages, with few pages missing in between. */
function atOneHeight(texts: readonly EdgeText[], needed: number): Fragment[] {
  const sorted = [...texts].sort((one, other) => one.fragment.y - other.fragment.y);
  const found: Fragment[] = [];
  let group: EdgeText[] = [];
  const close = () => {
    const numbers = [...new Set(group.map(({ page }) => page))].sort((one, other) => one - other);
    const span = (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 1;
    // Left and right pages may differ. Two pages far apart may have rows of a table that count along by chance.
    const isNear = numbers.length > 2 ? numbers.length >= span * 0.4 : span <= 3;
    if (numbers.length >= needed && isNear) for (const { fragment } of group) found.push(fragment);
    group = [];
  };
  for (const text of sorted) {
    if (group.length > 0 && text.fragment.y - group[0]!.fragment.y > sameHeight) close();
    group.push(text);
  }
  close();
  return found;
}

function normalised({ pieces }: Fragment): string {
  return textOf(pieces).replace(/\s+/g, " ").trim().slice(0, 300);
}
