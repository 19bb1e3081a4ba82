/**
 * Takes out the spaces that pdf.js finds within words of scripts whose letters overlap and stand apart, such as Arabic and
 * those of India: it goes by the gaps between the glyphs, but most files draw their spaces, as glyphs of their own.
 */

import type { Operators } from "./drawn-paths.ts";
import type { PdfItem } from "./page.ts";
import { plainForm } from "./plain-form.ts";

/** Hebrew, Arabic and their like, and the scripts of India and around. */
const letter = /[\u0590-\u1cff]/;
const spacesWithin = /\S\s+\S/;

/** For each letter of a run, so many that are drawn elsewhere are skipped to find it. */
const mostSkipped = 100;

export function mayHaveSeemingSpaces(items: readonly PdfItem[]): boolean {
  return items.some(({ text }) => isExamined(text));
}

const isExamined = (text: string): boolean => letter.test(text) && spacesWithin.test(text);

/** In the order of the file, as the operators that draw the page are. */
export function withoutSeemingSpaces<Item extends PdfItem>(
  items: readonly Item[],
  { fnArray, argsArray }: Operators,
  showText: number,
): Item[] {
  const drawn = drawnLetters(
    fnArray.flatMap((number, index) => (number === showText ? [textOf(argsArray[index])] : [])),
  );
  let end = 0;
  return items.map((item) => {
    const own = lettersOf(item.text);
    if (own === "") return item;
    const turned = [...own].reverse().join("");
    const start = [own, turned].map((text) => placeOf(text, drawn.letters, end)).find((place) => place >= 0);
    if (start === undefined) return item;
    end = start + own.length;
    if (!isExamined(item.text)) return item;
    const isTurned = drawn.letters.startsWith(turned, start) && turned !== own;
    return { ...item, text: withDrawnSpaces(item.text, own.length, start, isTurned, drawn.spaces) };
  });
}

const textOf = (args: unknown): string => String((args as [string])[0]);

/** What of letters is the same in the text and in what is drawn. */
const lettersOf = (text: string): string => plainForm(text).replace(/[\s\p{Cf}]/gu, "");

interface DrawnLetters {
  readonly letters: string;
  /** Before which of the letters there is a space. */
  readonly spaces: ReadonlySet<number>;
}

function drawnLetters(texts: readonly string[]): DrawnLetters {
  let letters = "";
  const spaces = new Set<number>();
  for (const part of texts.join("").split(/(\s+)/)) {
    if (part.trim() === "") spaces.add(letters.length);
    else letters += lettersOf(part);
  }
  return { letters, spaces };
}

function placeOf(own: string, letters: string, from: number): number {
  if (letters.startsWith(own, from)) return from;
  const found = letters.slice(from, from + own.length * mostSkipped).indexOf(own);
  return found < 0 ? found : from + found;
}

/**
 * The text with those of its spaces that are drawn, if any of them is; otherwise they may be in another font, drawn before
 * or after. `start` is where its letters are among those that are drawn.
 */
function withDrawnSpaces(
  text: string,
  length: number,
  start: number,
  isTurned: boolean,
  spaces: ReadonlySet<number>,
): string {
  let seen = 0;
  let isAnyDrawn = false;
  const parts = text.split(/(\s+)/).filter((part) => {
    if (part.trim() !== "") seen += lettersOf(part).length;
    else if (seen > 0 && seen < length) {
      const isDrawn = spaces.has(isTurned ? start + length - seen : start + seen);
      isAnyDrawn ||= isDrawn;
      return isDrawn;
    }
    return true;
  });
  return isAnyDrawn ? parts.join("") : text;
}
