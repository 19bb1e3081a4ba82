/** Recognises boxes within a text: books and manuals call a note between their paragraphs a sidebar. */
import { headingRank } from "./element-totals.ts";
import type { PageTable } from "./page-table.ts";

const boxName = /(?:^|\s)sidebar(?:\s|$)/;

/**
 * The elements named as sidebars that are between kept paragraphs, and all others with the same names, since the last
 * one in a text has nothing after it. The sidebar of a page's layout does not have paragraphs on both sides.
 */
export function findTextBoxes(table: PageTable, named: readonly number[], keep: Uint8Array): ReadonlySet<number> {
  const { elements, end, parent } = table;
  const nameOf = (element: number): string => elements[element]!.attribs["class"] ?? "";
  const boxes = named.filter((element) => boxName.test(nameOf(element)));
  if (boxes.length === 0) return new Set();
  const paragraphs = placeParagraphs(table, keep);
  const isBetween = (element: number): boolean => {
    const places = paragraphs.get(parent[element]!);
    return places !== undefined && places.first < element && places.last >= end[element]!;
  };
  const names = new Set(boxes.filter(isBetween).map(nameOf));
  return new Set(boxes.filter((element) => names.has(nameOf(element))));
}

/** By element, the first and the last of its children with kept text other than headings. */
function placeParagraphs(table: PageTable, keep: Uint8Array): ReadonlyMap<number, { first: number; last: number }> {
  const places = new Map<number, { first: number; last: number }>();
  table.blockElement.forEach((element, block) => {
    if (keep[block] === 0 || headingRank(table, block) > 0) return;
    const around = table.parent[element]!;
    const place = places.get(around);
    if (place === undefined) places.set(around, { first: element, last: element });
    else place.last = element;
  });
  return places;
}
