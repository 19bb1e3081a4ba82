/** Assigns addresses to the text within the areas of links, splitting runs of text that a link covers only in part. */

import type { PdfFonts, PdfItem, PdfLink, PdfPage } from "./page.ts";
import { isMostlyRightToLeft } from "./right-to-left.ts";
import { wideLetters } from "./wide-fonts.ts";

/** Links are looked up by horizontal strips of this height. */
const strip = 16;
/** No real link covers more strips than this; a malicious one must not fill the memory. */
const mostStrips = 500;

export function withLinks(page: PdfPage, fonts: PdfFonts): readonly PdfItem[] {
  if (page.links.length === 0) return page.items;
  const byStrip = new Map<number, PdfLink[]>();
  for (const link of page.links) {
    // The area may reach beyond all numbers that can be counted through.
    const first = Math.floor(Math.max(0, link.top) / strip);
    const last = Math.floor(Math.min(page.height, link.bottom) / strip);
    for (let index = 0; index <= Math.min(last - first, mostStrips); index++) {
      const links = byStrip.get(first + index);
      if (links === undefined) byStrip.set(first + index, [link]);
      else if (links.length < mostStrips) links.push(link);
    }
  }
  return page.items.flatMap((item) => {
    // The middle of the letters, a little above the baseline.
    const y = item.y - item.fontSize * 0.3;
    const over = (byStrip.get(Math.floor(y / strip)) ?? []).filter(
      (link) => link.top <= y && y <= link.bottom && link.left < item.x + item.width && item.x < link.right,
    );
    return over.length === 0 ? [item] : cutAtLinks(item, over, fonts.get(item.fontName)?.isMonospace === true);
  });
}

/** A run that goes from right to left is mirrored, so that its text begins at the left, too. */
function cutAtLinks(item: PdfItem, links: readonly PdfLink[], isMonospace: boolean): PdfItem[] {
  if (!isMostlyRightToLeft(item.text)) return cutFromLeft(item, links, isMonospace);
  const areas = links.map((link) => ({ ...link, left: -link.right, right: -link.left }));
  return cutFromLeft(mirrored(item), areas, isMonospace).map(mirrored);
}

function mirrored(item: PdfItem): PdfItem {
  return { ...item, x: -item.x - item.width };
}

function cutFromLeft(item: PdfItem, links: readonly PdfLink[], isMonospace: boolean): PdfItem[] {
  const parts: PdfItem[] = [];
  const ends = endsOf(item.text, isMonospace);
  let next = 0;
  for (const link of links.toSorted((one, other) => one.left - other.left)) {
    const start = Math.max(next, wordBorder(item, ends, link.left));
    const end = wordBorder(item, ends, link.right);
    if (end <= start) continue;
    if (start > next) parts.push(slice(item, ends, next, start));
    parts.push({ ...slice(item, ends, start, end), url: link.url });
    next = end;
  }
  if (next < item.text.length) parts.push(slice(item, ends, next, item.text.length));
  return parts;
}

/** Where each character ends, as shares of the width of all, if they have their usual widths. */
function endsOf(text: string, isMonospace: boolean): Float64Array {
  const ends = new Float64Array(text.length);
  let end = 0;
  for (let index = 0; index < text.length; index++) {
    end += isMonospace ? 1 : usualWidth(text[index]!);
    ends[index] = end;
  }
  return ends.map((place) => place / end);
}

/** Borders of words are looked for up to this many characters from where the area seems to end. */
const farthestBorder = 6;

/** The border of a word that is nearest to `x`; an index in the text. */
function wordBorder({ text, x: left, width }: PdfItem, ends: Float64Array, x: number): number {
  const share = (x - left) / (width || 1);
  if (!(share > 0)) return 0;
  if (share >= 1) return text.length;
  const distance = (place: number) => Math.abs((ends[place - 1] ?? 0) - share);
  const within = firstBeyond(ends, share);
  const guess = distance(within) <= distance(within + 1) ? within : within + 1;
  let best: number | undefined;
  for (let place = guess - farthestBorder; place <= guess + farthestBorder; place++) {
    if (place < 0 || place > text.length || !isBorder(text, place)) continue;
    if (best === undefined || distance(place) < distance(best)) best = place;
  }
  return best ?? guess;
}

/** The index of the first of these ascending numbers that is at least `least`. */
function firstBeyond(ascending: Float64Array, least: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The widths of letters and signs in most fonts for text, in hundredths of the font size. */
const usualWidths = new Uint8Array(128).fill(50);
for (const [width, characters] of [
  [25, " .,:;'!|ijlI/\\"],
  [33, '()[]{}-ftr"'],
  [44, "aceszvxykJ?"],
  [56, "EFLPSZT+=<>~"],
  [70, "ABCDGHKNOQRUVXYw"],
  [83, "mMW%@&"],
] as const) {
  for (const character of characters) usualWidths[character.charCodeAt(0)] = width;
}

function usualWidth(character: string): number {
  return usualWidths[character.charCodeAt(0)] ?? (wideLetters(character) > 0 ? 100 : 50);
}

const letter = /[\p{L}\p{M}\p{N}_]/u;

/** Chinese and Japanese words are not separated, but their characters do have one width. */
function isBorder(text: string, place: number): boolean {
  if (place === 0 || place === text.length) return true;
  const [before, after] = [text[place - 1]!, text[place]!];
  return !letter.test(before) || !letter.test(after) || wideLetters(before + after) > 0;
}

function slice(item: PdfItem, ends: Float64Array, start: number, end: number): PdfItem {
  const [left, right] = [ends[start - 1] ?? 0, ends[end - 1] ?? 0];
  return {
    ...item,
    text: item.text.slice(start, end),
    x: item.x + item.width * left,
    width: item.width * (right - left),
  };
}
