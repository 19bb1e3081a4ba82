/** Combines accents that a file draws as separate characters over a letter, as older TeX does, with that letter. */

import type { PdfItem } from "./page.ts";

/** Each accent as a separate character, and as a combining one. */
const combining: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  "^": "\u0302",
  ˆ: "\u0302",
  "~": "\u0303",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
  "˛": "\u0328",
};

/** Letters that are drawn without their dots under an accent. */
const dotless: Readonly<Record<string, string>> = { ı: "i", ȷ: "j" };

/** An accent overlaps its letter by at least this share of the font size; other text hardly does. */
const leastOverlap = 0.1;

/** In font sizes: how much higher accents of capitals are drawn. */
const rise = { least: 0.1, most: 0.4 };

/** The items in their order, with accents and letters combined. */
export function withAccents(items: readonly PdfItem[]): PdfItem[] {
  const result: PdfItem[] = [];
  for (const item of items) {
    const before = result.at(-1);
    const pair =
      before === undefined || !(overlap(before, item) || isOverCapital(before, item))
        ? undefined
        : joined(before, item);
    if (pair !== undefined) result.splice(-1, 1, ...pair);
    else result.push(item);
  }
  return result;
}

function overlap(before: PdfItem, item: PdfItem): boolean {
  const least = item.fontSize * leastOverlap;
  const isBeside = Math.abs(before.y - item.y) < least && Math.abs(before.fontSize - item.fontSize) < least;
  const width = before.x + before.width - item.x;
  // An accent by itself stands over the middle of its letter, which may be wider.
  return isBeside && item.x > before.x - least && width > least && width < item.fontSize;
}

/** The accent of a capital is a run by itself, with its middle over the letter that is drawn next. */
function isOverCapital(accent: PdfItem, { text, x, y, fontSize }: PdfItem): boolean {
  if (!Object.hasOwn(combining, accent.text) || !/^\p{Lu}/u.test(text) || accent.fontSize !== fontSize) return false;
  const height = (y - accent.y) / fontSize;
  const middle = (accent.x + accent.width / 2 - x) / fontSize;
  return height > rise.least && height < rise.most && middle > 0 && middle < 1;
}

/** The accent is drawn before its letter, or after it. */
function joined(before: PdfItem, item: PdfItem): PdfItem[] | undefined {
  const first = composed(item.text[0] ?? "", before.text.at(-1) ?? "");
  if (first !== undefined) {
    const start = { ...before, text: before.text.slice(0, -1), width: item.x - before.x };
    const rest = { ...item, text: first + item.text.slice(1) };
    return start.text === "" ? [rest] : [start, rest];
  }
  const last = composed(before.text.at(-1) ?? "", item.text[0] ?? "");
  if (last === undefined) return undefined;
  const right = Math.max(before.x + before.width, item.x + item.width);
  return [{ ...before, text: before.text.slice(0, -1) + last + item.text.slice(1), width: right - before.x }];
}

function composed(letter: string, sign: string): string | undefined {
  const mark = Object.hasOwn(combining, sign) ? combining[sign] : undefined;
  if (mark === undefined || !/\p{L}/u.test(letter)) return undefined;
  const one = `${dotless[letter] ?? letter}${mark}`.normalize("NFC");
  return one.length === 1 ? one : undefined;
}
