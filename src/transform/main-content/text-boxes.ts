/** Recognises boxes within a text: books and manuals call a note between their paragraphs a sidebar. */
import type { PageTable } from "./page-table.ts";

const boxName = /(?:^|\s)sidebar(?:\s|$)/;

/** A page's layout has seldom as many sidebars of one name right beside paragraphs. */
const SEVERAL = 2;

/**
 * The elements named as sidebars of which one is between kept paragraphs, or several begin or end sections. The sidebar
 * of a page's layout does not have paragraphs on both sides.
 */
export function findTextBoxes(table: PageTable, named: readonly number[], keep: Uint8Array): ReadonlySet<number> {
  const { elements, end, parent } = table;
  const nameOf = (element: number): string => elements[element]!.attribs["class"] ?? "";
  const boxes = named.filter((element) => boxName.test(nameOf(element)));
  if (boxes.length === 0) return new Set();
  const paragraphs = placeParagraphs(table, keep);
  const beside = new Map<string, number>();
  for (const element of boxes) {
    const places = paragraphs.get(parent[element]!);
    if (places === undefined) continue;
    const isBetween = places.first < element && places.last >= end[element]!;
    beside.set(nameOf(element), (beside.get(nameOf(element)) ?? 0) + (isBetween ? SEVERAL : 1));
  }
  return new Set(boxes.filter((element) => (beside.get(nameOf(element)) ?? 0) >= SEVERAL));
}

/** By element, the first and the last of its children with kept text other than headings. */
function placeParagraphs(table: PageTable, keep: Uint8Array): ReadonlyMap<number, { first: number; last: number }> {
  const places = new Map<number, { first: number; last: number }>();
  table.blockElement.forEach((element, block) => {
    if (keep[block] === 0 || table.headingRanks[block]! > 0) return;
    const around = table.parent[element]!;
    const place = places.get(around);
    if (place === undefined) places.set(around, { first: element, last: element });
    else place.last = element;
  });
  return places;
}
