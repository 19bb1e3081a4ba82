/**
 * Puts the runs on one baseline into reading order and joins them into pieces of text, with the spaces between words.
 */

import type { PdfItem } from "./page.ts";
import { isSpread } from "./spread-letters.ts";

/** A piece of text in one font and with one address. */
export interface Piece {
  readonly text: string;
  readonly fontName: string;
  readonly url?: string;
  /** A note mark, or an exponent. */
  readonly isRaised?: boolean;
}

/** The runs next to which the file draws a space. */
export interface DrawnSpaces {
  readonly left: Set<PdfItem>;
  readonly right: Set<PdfItem>;
}

/** A gap of this many font sizes is a space. */
export const narrowestSpace = 0.12;

/** Digits of these scripts run from left to right. */
const rightToLeftLetter = /[[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]&&\p{L}]/v;
const rightToLeftLetters = new RegExp(rightToLeftLetter, "gv");

/** `y` and `fontSize` are those of the largest text among them. */
export function piecesOf(items: readonly PdfItem[], y: number, fontSize: number, spaces: DrawnSpaces): Piece[] {
  const isRightToLeft = isMostlyRightToLeft(textOf(items));
  const ordered = isRightToLeft ? rightToLeft(items) : [...items].sort((one, other) => one.x - other.x);
  const pieces: Piece[] = [];
  let before: PdfItem | undefined;
  for (const item of ordered) {
    addPiece(
      pieces,
      item,
      before !== undefined && needsSpace(before, item, spaces),
      isRaised(item, y, fontSize) && !(before !== undefined && isDrawnInto(before, item)),
    );
    before = item;
  }
  return pieces;
}

/** The pieces with the first `length` characters, and the rest. */
export function cutPieces(pieces: readonly Piece[], length: number): [Piece[], Piece[]] {
  const [start, rest]: [Piece[], Piece[]] = [[], []];
  let left = length;
  for (const piece of pieces) {
    if (left > 0) start.push({ ...piece, text: piece.text.slice(0, left) });
    if (left < piece.text.length) rest.push({ ...piece, text: piece.text.slice(Math.max(0, left)) });
    left -= piece.text.length;
  }
  return [start, rest];
}

/** The text of pieces. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

export function isMostlyRightToLeft(text: string): boolean {
  if (!rightToLeftLetter.test(text)) return false;
  return text.match(rightToLeftLetters)!.length * 2 > text.match(/\p{L}/gu)!.length;
}

/** From right to left, except for sequences of words in other scripts and of numbers, which run from left to right. */
function rightToLeft(items: readonly PdfItem[]): PdfItem[] {
  const ordered: PdfItem[] = [];
  let foreign: PdfItem[] = [];
  for (const item of items.toSorted((one, other) => other.x - one.x)) {
    const isForeign = /[\p{L}\p{N}]/u.test(item.text) && !rightToLeftLetter.test(item.text);
    if (isForeign) {
      foreign.push(item);
      continue;
    }
    for (const word of foreign.reverse()) ordered.push(word);
    ordered.push({ ...item, text: item.text.replace(/[()[\]{}<>«»‹›]/g, (shape) => mirrored[shape]!) });
    foreign = [];
  }
  return ordered.concat(foreign.reverse());
}

/**
 * A file contains the bracket that it draws; an opening bracket in right-to-left text has the shape of a closing one.
 */
const mirrored: Record<string, string> = Object.fromEntries(
  ["()", "[]", "{}", "<>", "«»", "‹›"].flatMap((pair) => [
    [pair[0], pair[1]],
    [pair[1], pair[0]],
  ]),
);

function needsSpace(before: PdfItem, item: PdfItem, spaces: DrawnSpaces): boolean {
  return areApart(before, item, spaces) && !/\s$/.test(before.text) && !/^\s/.test(item.text);
}

function areApart(before: PdfItem, item: PdfItem, spaces: DrawnSpaces): boolean {
  const [left, right] = before.x <= item.x ? [before, item] : [item, before];
  const gap = (right.x - left.x - left.width) / Math.min(left.fontSize, right.fontSize);
  const isDrawn = spaces.right.has(left) || spaces.left.has(right);
  if (isSpread(left.text, right.text, gap, isDrawn)) return false;
  return gap > narrowestSpace || (isDrawn && gap > -narrowestSpace);
}

/** Small, above the baseline, and no longer than a number or a word. */
function isRaised(item: PdfItem, y: number, fontSize: number): boolean {
  const height = y - item.y;
  const isHigh = height > fontSize * 0.2 && item.fontSize < fontSize * 0.85;
  return (isHigh || height > fontSize * 0.3) && /^[\p{L}\p{N}*†‡,+−-]{1,6}$/u.test(item.text.trim());
}

/** A capital drawn into a larger letter is part of a logo, not a sign beside it. */
function isDrawnInto(before: PdfItem, item: PdfItem): boolean {
  const isWithin = before.x + before.width - item.x > item.fontSize * 0.2;
  return isWithin && before.fontSize > item.fontSize && /^\p{Lu}$/u.test(item.text);
}

function addPiece(pieces: Piece[], { text, fontName, url }: PdfItem, isSpaced: boolean, raised: boolean): void {
  const last = pieces.at(-1);
  const spaced = isSpaced ? ` ${text}` : text;
  if (last !== undefined && last.fontName === fontName && last.url === url && (last.isRaised ?? false) === raised) {
    pieces[pieces.length - 1] = { ...last, text: last.text + spaced };
  } else {
    pieces.push({
      text: spaced,
      fontName,
      ...(url === undefined ? {} : { url }),
      ...(raised ? { isRaised: true } : {}),
    });
  }
}
