/**
 * Puts the runs on one baseline into reading order and joins them into pieces of text, with the spaces between words.
 */

import type { PdfItem } from "./page.ts";
import { hasRightToLeft, isMostlyRightToLeft, numberAlone, rightToLeft, withTurnedWords } from "./right-to-left.ts";
import { areUnspaced, isSpread } from "./spread-letters.ts";

/** A piece of text in one font and with one address. */
export interface Piece {
  readonly text: string;
  readonly fontName: string;
  readonly url?: string;
  /** A note mark, or an exponent. */
  readonly isRaised?: boolean;
}

/** The runs next to which the file draws a space. */
interface DrawnSpaces {
  readonly left: Set<PdfItem>;
  readonly right: Set<PdfItem>;
}

/** What a page draws in its own way. */
export interface Manner {
  readonly spaces: DrawnSpaces;
  /** Whether brackets in right-to-left text are those that are meant, or else those that look like them. */
  readonly meansBrackets: boolean;
  /** Whether most of its text runs from right to left, and so do lines with longer words in another script. */
  readonly isRightToLeft: boolean;
}

/** A gap of this many font sizes is a space. */
export const narrowestSpace = 0.12;

/** In font sizes, in scripts that set no spaces between words: theirs are wider. */
const narrowestUnspaced = 0.17;

/** Vowels and other signs that are drawn over a letter, which comes before them. */
const sign = /^[\p{M}--[\u0590-\u08ff]]/v;

/** `y` and `fontSize` are those of the largest text among them. */
export function piecesOf(items: readonly PdfItem[], y: number, fontSize: number, manner: Manner): Piece[] {
  const { spaces, meansBrackets } = manner;
  const text = textOf(items);
  const isRightToLeft = isMostlyRightToLeft(text) || (manner.isRightToLeft && hasRightToLeft(text));
  const turned = isRightToLeft
    ? rightToLeft(items, meansBrackets)
    : hasRightToLeft(text)
      ? withTurnedWords(items)
      : undefined;
  const ordered =
    turned?.items ??
    (manner.isRightToLeft && isNumber(text)
      ? numberAlone(items, meansBrackets)
      : [...items].sort((one, other) => one.x - other.x));
  const pieces: Piece[] = [];
  let before: PdfItem | undefined;
  for (const item of ordered) {
    const beside = turned?.seams.get(item);
    addPiece(
      pieces,
      item,
      before !== undefined && needsSpace(before, item, spaces, beside),
      isRaised(item, y, fontSize) && !(before !== undefined && isDrawnInto(before, item)),
    );
    before = item;
  }
  return pieces;
}

const isNumber = (text: string): boolean => /\p{N}/u.test(text) && !/\p{L}/u.test(text);

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
export function textOf(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join("");
}

/** @param beside the items that are beside each other there, if these are not */
function needsSpace(
  before: PdfItem,
  item: PdfItem,
  spaces: DrawnSpaces,
  [one, other]: readonly [PdfItem, PdfItem] = [before, item],
): boolean {
  return areApart(one, other, spaces) && !/\s$/.test(before.text) && !/^\s/.test(item.text);
}

function areApart(before: PdfItem, item: PdfItem, spaces: DrawnSpaces): boolean {
  if (sign.test(item.text)) return false;
  const [left, right] = before.x <= item.x ? [before, item] : [item, before];
  const gap = (right.x - left.x - left.width) / Math.min(left.fontSize, right.fontSize);
  if (areUnspaced(before.text, item.text)) return gap > narrowestUnspaced;
  const isDrawn = spaces.right.has(left) || spaces.left.has(right);
  if (isSpread(left.text, right.text, gap, isDrawn)) return false;
  return gap > narrowestSpace || (isDrawn && gap > -narrowestSpace);
}

/** Small, above the baseline, and no longer than a number or a word. Lines of Arabic may slope. */
function isRaised(item: PdfItem, y: number, fontSize: number): boolean {
  const height = y - item.y;
  const isHigh = height > fontSize * 0.2 && item.fontSize < fontSize * 0.85;
  return (
    (isHigh || height > fontSize * 0.3) && /^[[\p{L}--\p{Script=Arabic}]\p{N}*†‡,+−\-]{1,6}$/v.test(item.text.trim())
  );
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
