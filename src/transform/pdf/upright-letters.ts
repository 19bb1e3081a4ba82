/**
 * Joins the letters of vertical lines that a file draws one by one, each upright: browsers print Chinese and Japanese
 * like that.
 */

import type { TurnedItem } from "./upright.ts";

/** A letter, or a short number that stands upright between letters. */
const letter = /^[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\ufe10-\ufe4f\uff01-\uff60\u2014\u2015\u2026]$/u;
const number = /^(?:\d{1,3}|[!?]{1,2})$/;
/** In font sizes: how far below one letter the next one is, and how far beside. */
const step = { least: 0.75, most: 1.35 };
const furthestBeside = 0.3;
/** Fewer letters below each other are no line. */
const fewestLetters = 3;
/** Of the page's characters; on other pages, letters below each other are short lines. */
const leastShare = 0.5;

/** In the order of the file; all items as they are unless the page consists of such lines. */
export function withUprightLines(items: TurnedItem[]): TurnedItem[] {
  const lines: TurnedItem[][] = [];
  for (const item of items) {
    if (item.text === "") continue;
    const line = lines.at(-1);
    if (line !== undefined && letter.test(line[0]!.text) && follows(line.at(-1)!, item)) line.push(item);
    else lines.push([item]);
  }
  const isVertical = (line: readonly TurnedItem[]) => line.length >= fewestLetters;
  const count = (some: readonly TurnedItem[]) => some.reduce((sum, { text }) => sum + text.trim().length, 0);
  if (count(lines.filter(isVertical).flat()) < leastShare * count(items)) return items;
  // A single letter, as in a short item, is a line too.
  return lines.flatMap((line) => (letter.test(line[0]!.text) && line[0]!.angle === 0 ? [joined(line)] : line));
}

function follows(before: TurnedItem, item: TurnedItem): boolean {
  if (!isUpright(before) || !isUpright(item) || before.part !== item.part) return false;
  const size = Math.max(before.fontSize, item.fontSize);
  const below = (item.y - before.y) / size;
  const beside = Math.abs(item.x + item.width / 2 - before.x - before.width / 2) / size;
  return below > step.least && below < step.most && beside < furthestBeside;
}

function isUpright({ text, angle }: TurnedItem): boolean {
  return angle === 0 && (letter.test(text) || number.test(text));
}

/** As if the line were turned: it begins at the upper end of its first letter, and its baseline is at the left. */
function joined(line: readonly TurnedItem[]): TurnedItem {
  const first = line[0]!;
  const y = first.y - first.fontSize;
  const text = line.map((item) => item.text).join("");
  return { ...first, text, y, width: line.at(-1)!.y - y, angle: Math.PI / 2 };
}
