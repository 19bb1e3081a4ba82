/** Drops what pages repeat at their edges: running headers and footers, and page numbers. */

import { type Fragment, textOf } from "./fragments.ts";

export interface FragmentPage {
  /** Counted from 1; text that stands turned on a page is a page of its own with the same number. */
  readonly number: number;
  readonly height: number;
  readonly fragments: readonly Fragment[];
}

/** So many rows at the top and at the bottom may be furniture. */
const edgeRows = 3;
/** They lie within this share of the page's height. */
const edgeShare = 0.16;
/** The same edge text is at the same height on all its pages, give or take these points. */
const sameHeight = 4;

interface EdgeText {
  readonly fragment: Fragment;
  readonly page: number;
  readonly isTop: boolean;
}

/** The same pages without their furniture. */
export function withoutFurniture(pages: readonly FragmentPage[], bodySize: number): FragmentPage[] {
  const edges = pages.flatMap(edgeTexts);
  const furniture = new Set([...repeated(edges, pages.length), ...pageNumbers(edges, bodySize)]);
  for (const fragment of besideFurniture(edges, furniture)) furniture.add(fragment);
  return pages.map((page) => ({
    ...page,
    fragments: page.fragments.filter((fragment) => !furniture.has(fragment)),
  }));
}

function edgeTexts({ number, height, fragments }: FragmentPage): EdgeText[] {
  const sorted = [...fragments].sort((one, other) => one.y - other.y);
  const top = edge(sorted, ({ y }) => y < height * edgeShare);
  const bottom = edge(sorted.reverse(), ({ y }) => y > height * (1 - edgeShare));
  return [
    ...top.map((fragment) => ({ fragment, page: number, isTop: true })),
    ...bottom.map((fragment) => ({ fragment, page: number, isTop: false })),
  ];
}

/** The fragments of the outermost rows. */
function edge(sorted: readonly Fragment[], isNear: (fragment: Fragment) => boolean): Fragment[] {
  let rows = 0;
  let rowY = Number.NaN;
  const found: Fragment[] = [];
  for (const fragment of sorted) {
    if (!isNear(fragment)) break;
    if (!(Math.abs(fragment.y - rowY) < fragment.fontSize * 0.5)) {
      rowY = fragment.y;
      if (++rows > edgeRows) break;
    }
    found.push(fragment);
  }
  return found;
}

/** Text that stands word for word at the same height of at least three pages, or of both pages of two. */
function repeated(edges: readonly EdgeText[], pageCount: number): Fragment[] {
  const needed = pageCount === 2 ? 2 : 3;
  const sameText = Map.groupBy(edges, ({ fragment, isTop }) => `${isTop} ${normalised(fragment)}`);
  return [...sameText.values()].flatMap((texts) => atOneHeight(texts, needed));
}

/** Text whose number counts along with the pages: `12`, `Page 12 of 96`, `A-12`, `12 The title of the chapter`. */
function pageNumbers(edges: readonly EdgeText[], bodySize: number): Fragment[] {
  const numbered = edges.flatMap((edgeText) => {
    if (edgeText.fragment.fontSize > bodySize * 1.2) return [];
    const text = normalised(edgeText.fragment);
    return [...text.slice(0, 200).matchAll(/\d{1,5}/g)].slice(0, 4).map((found) => {
      const around = `${text.slice(0, found.index)}#${text.slice(found.index + found[0].length)}`;
      // A bare number counts wherever it stands; others must have the same words around it.
      return { ...edgeText, key: `${edgeText.isTop} ${around} ${Number(found[0]) - edgeText.page}` };
    });
  });
  const counting = Map.groupBy(numbered, ({ key }) => key);
  const counted = [...counting.values()].flatMap((texts) => atOneHeight(texts, 2));
  const roman = Map.groupBy(
    edges.filter(({ fragment }) => /^[ivxl]{1,8}$/i.test(normalised(fragment))),
    ({ isTop }) => isTop,
  );
  return [...counted, ...[...roman.values()].flatMap((texts) => atOneHeight(texts, 3))];
}

/** Text at a height where many pages have furniture of its size: the title of a chapter of two pages. */
function besideFurniture(edges: readonly EdgeText[], furniture: ReadonlySet<Fragment>): Fragment[] {
  const heightOf = ({ fragment, isTop }: EdgeText, shift: number) =>
    `${isTop} ${Math.round(fragment.y / 2) + shift} ${Math.round(fragment.fontSize)}`;
  const pagesAt = Map.groupBy(
    edges.filter(({ fragment }) => furniture.has(fragment)),
    (edgeText) => heightOf(edgeText, 0),
  );
  return edges
    .filter((edgeText) => [-1, 0, 1].some((shift) => (pagesAt.get(heightOf(edgeText, shift))?.length ?? 0) >= 4))
    .map(({ fragment }) => fragment);
}

/** Those that share their height with enough others on other pages. */
function atOneHeight(texts: readonly EdgeText[], needed: number): Fragment[] {
  const sorted = [...texts].sort((one, other) => one.fragment.y - other.fragment.y);
  const found: Fragment[] = [];
  let group: EdgeText[] = [];
  const close = () => {
    if (new Set(group.map(({ page }) => page)).size >= needed) for (const { fragment } of group) found.push(fragment);
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
