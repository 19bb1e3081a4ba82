/** Joins the letters of letter-spaced words, as in titles: `C H A P T E R` comes from the file in single letters. */

import type { PdfItem } from "./page.ts";

/** Letters with a space between any two. */
const spaced = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}](?: [\p{L}\p{N}&.,:’'–-])+$/u;
const vowel = /[aeiouyäöüáéíóúàèìòùâêîôûåøαεηιουωаеиоуыэюяё]/iu;
/** A run of fewer letters is a word only next to others that are letter-spaced too. */
const longWord = 5;
const shortWord = 3;
/** Tolerance for baselines of runs on one line, in points. */
const sameHeight = 0.5;

/** The items in their order, with the letters of such words joined. */
export function withSpacedWords(items: readonly PdfItem[]): readonly PdfItem[] {
  if (!items.some(({ text }) => spaced.test(text))) return items;
  const result: PdfItem[] = [];
  let line: PdfItem[] = [];
  const close = () => {
    const areWords = areSpacedWords(line);
    for (const item of line) {
      result.push(areWords && spaced.test(item.text) ? { ...item, text: item.text.replaceAll(" ", "") } : item);
    }
    line = [];
  };
  for (const item of items) {
    const before = line[0];
    const isSame =
      before === undefined ||
      (Math.abs(before.y - item.y) < sameHeight &&
        before.fontName === item.fontName &&
        before.fontSize === item.fontSize);
    if (!isSame) close();
    line.push(item);
  }
  close();
  return result;
}

/** True if all words of a line are letter-spaced, and one of them is long, or two are longer than one character. */
function areSpacedWords(line: readonly PdfItem[]): boolean {
  const words = line.filter(({ text }) => text.trim() !== "");
  const runs = words.filter(({ text }) => spaced.test(text));
  if (runs.length === 0 || words.some(({ text }) => text.trim().length > 1 && !spaced.test(text))) return false;
  const letters = runs
    .map(({ text }) => text.replaceAll(" ", ""))
    .filter((word) => vowel.test(word) && !isAlphabet(word));
  return (
    letters.some(({ length }) => length >= longWord) || letters.filter(({ length }) => length >= shortWord).length > 1
  );
}

/** Consecutive letters of the alphabet name columns, or the parts of an index. */
function isAlphabet(word: string): boolean {
  const codes = [...word.toLowerCase()].map((letter) => letter.codePointAt(0)!);
  return codes.every((code, index) => index === 0 || (code > codes[index - 1]! && code <= codes[index - 1]! + 3));
}
