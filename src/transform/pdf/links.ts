/** Assigns addresses to the text within the areas of links, splitting runs of text that a link covers only in part. */

import type { PdfItem, PdfLink, PdfPage } from "./page.ts";
import { isMostlyRightToLeft } from "./pieces.ts";
import { wideLetters } from "./wide-fonts.ts";

/** Links are looked up by horizontal strips of this height. */
const strip = 16;
/** No real link covers more strips than this; a malicious one must not fill the memory. */
const mostStrips = 500;

export function withLinks(page: PdfPage): readonly PdfItem[] {
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
    return over.length === 0 ? [item] : cutAtLinks(item, over);
  });
}

/** A run that goes from right to left is mirrored, so that its text begins at the left, too. */
function cutAtLinks(item: PdfItem, links: readonly PdfLink[]): PdfItem[] {
  if (!isMostlyRightToLeft(item.text)) return cutFromLeft(item, links);
  const areas = links.map((link) => ({ ...link, left: -link.right, right: -link.left }));
  return cutFromLeft(mirrored(item), areas).map(mirrored);
}

function mirrored(item: PdfItem): PdfItem {
  return { ...item, x: -item.x - item.width };
}

function cutFromLeft(item: PdfItem, links: readonly PdfLink[]): PdfItem[] {
  const parts: PdfItem[] = [];
  let rest = item;
  for (const link of links.toSorted((one, other) => one.left - other.left)) {
    if (rest.text === "") break;
    const start = wordBorder(rest, link.left);
    const end = wordBorder(rest, link.right);
    if (end <= start) continue;
    if (start > 0) parts.push(slice(rest, 0, start));
    parts.push({ ...slice(rest, start, end), url: link.url });
    rest = slice(rest, end, rest.text.length);
  }
  if (rest.text !== "") parts.push(rest);
  return parts;
}

/** The word boundary nearest to `x`, assuming that all characters have the same width. */
function wordBorder({ text, x: left, width }: PdfItem, x: number): number {
  const guess = Math.round(((x - left) / (width || 1)) * text.length);
  if (guess <= 0) return 0;
  if (guess >= text.length) return text.length;
  for (let distance = 0; distance <= 6; distance++) {
    for (const place of [guess - distance, guess + distance]) {
      if (place <= 0) return 0;
      if (place >= text.length) return text.length;
      if (isBorder(text, place)) return place;
    }
  }
  return guess;
}

const letter = /[\p{L}\p{M}\p{N}_]/u;

/** Chinese and Japanese words are not separated, but their characters do have one width. */
function isBorder(text: string, place: number): boolean {
  const [before, after] = [text[place - 1]!, text[place]!];
  return letter.test(before) !== letter.test(after) || wideLetters(before + after) > 0;
}

function slice(item: PdfItem, start: number, end: number): PdfItem {
  const each = item.width / (item.text.length || 1);
  return { ...item, text: item.text.slice(start, end), x: item.x + each * start, width: each * (end - start) };
}
