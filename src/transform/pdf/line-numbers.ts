/** Drops the numbers that drafts, pleadings and patents have beside their lines. */

import type { Fragment } from "./fragments.ts";
import { extentOf, quantile } from "./measures.ts";
import { textOf } from "./pieces.ts";

/** Fewer numbers below each other may be a list's. */
const fewestNumbers = 10;
/** The median length of the lines of text beside them is at least this many characters; cells are shorter. */
const leastLength = 25;
/** Or at least this many of them are beside nothing. */
const fewestAlone = 3;
/** A page with more columns of numbers has no text beside one of them: only the longest are looked at. */
const mostColumns = 50;
/** Tolerance for numbers that are aligned below each other, in points. */
const sameEdge = 1;

/** The fragments of a page without the numbers of its lines. */
export function withoutLineNumbers(fragments: readonly Fragment[]): readonly Fragment[] {
  const numbers = fragments.filter(({ pieces }) => /^\s*\d{1,4}\s*$/.test(textOf(pieces)));
  if (numbers.length < fewestNumbers) return fragments;
  const all = new Set(numbers);
  const texts = fragments.filter((fragment) => !all.has(fragment));
  const found = new Set<Fragment>();
  // Drafts in two columns have them on both sides.
  for (let side = 0; side < 2; side++) {
    const rest = numbers.filter((number) => !found.has(number));
    const column = columnsOf(rest).find((one) => areLineNumbers(one, texts));
    for (const number of column ?? []) found.add(number);
  }
  return found.size === 0 ? fragments : fragments.filter((fragment) => !found.has(fragment));
}

/** Numbers with a common right or left edge, from top to bottom; the longest columns, with the longest first. */
function columnsOf(numbers: readonly Fragment[]): Fragment[][] {
  const columns: Fragment[][] = [];
  for (const edge of ["right", "left"] as const) {
    const sorted = numbers.toSorted((one, other) => one[edge] - other[edge]);
    let column: Fragment[] = [];
    for (const number of sorted) {
      if (column.length > 0 && number[edge] - column[0]![edge] > sameEdge) column = [];
      if (column.push(number) === fewestNumbers) columns.push(column);
    }
  }
  const sorted = columns.map((column) => column.sort((one, other) => one.y - other.y));
  return sorted.sort((one, other) => other.length - one.length).slice(0, mostColumns);
}

/** Whether the numbers increase at even distances, next to the text, and nearly every line has one. */
function areLineNumbers(column: readonly Fragment[], texts: readonly Fragment[]): boolean {
  const [first, last] = [column[0]!, column.at(-1)!];
  const step = (numberOf(last) - numberOf(first)) / (column.length - 1);
  const pitch = (last.y - first.y) / (column.length - 1);
  const isEven = column.every(
    (number, index) =>
      numberOf(number) === numberOf(first) + index * step && Math.abs(number.y - first.y - index * pitch) < pitch,
  );
  if (![1, 2, 5, 10].includes(step) || !isEven) return false;
  const beside = texts.filter(({ y }) => y > first.y - pitch && y < last.y + pitch);
  const { left, right } = extentOf(column);
  const after = beside.filter((text) => text.left > right).length;
  const before = beside.filter((text) => text.right < left).length;
  // Marginal notes may be on the other side.
  if (Math.max(after, before) < beside.length * 0.8 || after + before < beside.length) return false;
  const lines = new Set(beside.map(({ y }) => Math.round(y))).size;
  const lengths = beside.map(({ pieces }) => textOf(pieces).length);
  const areLong = (quantile(lengths, 0.5) ?? 0) >= leastLength;
  return (areLong || column.length * step - lines >= fewestAlone) && lines <= column.length * step * 1.5;
}

function numberOf({ pieces }: Fragment): number {
  return Number(textOf(pieces));
}
