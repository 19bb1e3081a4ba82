/** Divides a page's text by its direction, and rotates each part upright. */

import type { PdfItem, PdfLink, PdfPage, PdfRule } from "./page.ts";
import type { Part } from "./structure.ts";

export interface TurnedItem extends PdfItem {
  /** The direction of the text, in radians clockwise from left to right. */
  readonly angle: number;
}

const eighth = Math.PI / 4;

/** One page for each direction, that with the most text first. */
export function upright(
  items: readonly TurnedItem[],
  links: readonly PdfLink[],
  rules: readonly PdfRule[],
  parts: readonly Part[],
  width: number,
  height: number,
): PdfPage[] {
  const byDirection = Map.groupBy(items, ({ angle }) => (Math.round(angle / eighth) + 8) % 8);
  return [...byDirection]
    .map(([direction, turned]) => ({
      ...turnedBack(turned, links, rules, width, height, direction * eighth),
      isSlanted: direction % 2 === 1,
      parts,
    }))
    .sort((one, other) => lengthOf(other) - lengthOf(one));
}

function turnedBack(
  items: readonly TurnedItem[],
  links: readonly PdfLink[],
  rules: readonly PdfRule[],
  width: number,
  height: number,
  angle: number,
): Omit<PdfPage, "parts" | "isSlanted"> {
  if (angle === 0) return { height, items, links, rules };
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const turn = (x: number, y: number) => ({ x: x * cos + y * sin, y: y * cos - x * sin });
  const corners = [turn(0, 0), turn(width, 0), turn(0, height), turn(width, height)];
  const left = Math.min(...corners.map(({ x }) => x));
  const top = Math.min(...corners.map(({ y }) => y));
  const place = (x: number, y: number) => {
    const point = turn(x, y);
    return { x: point.x - left, y: point.y - top };
  };
  const area = (given: PdfRule): PdfRule => {
    const [one, other] = [place(given.left, given.top), place(given.right, given.bottom)];
    return {
      left: Math.min(one.x, other.x),
      right: Math.max(one.x, other.x),
      top: Math.min(one.y, other.y),
      bottom: Math.max(one.y, other.y),
    };
  };
  return {
    height: Math.max(...corners.map(({ y }) => y)) - top,
    items: items.map((item) => ({ ...item, ...place(item.x, item.y) })),
    links: links.map((link) => ({ ...link, ...area(link) })),
    rules: rules.map(area),
  };
}

function lengthOf({ items }: PdfPage): number {
  return items.reduce((sum, { text }) => sum + text.length, 0);
}
