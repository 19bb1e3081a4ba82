/** Closes up words whose letters are set apart, as titles often are: `C H A P T E R` comes from the file in single letters. */

import type { PdfItem } from "./page.ts";

/** Letters with a space between any two. */
const spaced = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}](?: [\p{L}\p{N}&.,:’'–-])+$/u;
const vowel = /[aeiouyäöüáéíóúàèìòùâêîôûåøαεηιουωаеиоуыэюяё]/iu;
/** A run of fewer letters is a word only beside others that are set like it. */
const longWord = 5;
const shortWord = 3;
/** Runs of one line have one baseline, give or take these points. */
const sameHeight = 0.5;

/** The items in their order, with the letters of such words put together. */
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

/** True when all words of a line are set like that, and one of them is long, or two are no single signs. */
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

/** Letters that follow on each other name columns, or the parts of an index. */
function isAlphabet(word: string): boolean {
  const codes = [...word.toLowerCase()].map((letter) => letter.codePointAt(0)!);
  return codes.every((code, index) => index === 0 || (code > codes[index - 1]! && code <= codes[index - 1]! + 3));
}
