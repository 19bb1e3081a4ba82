/** The order and the brackets of text that runs from right to left. */

import type { PdfItem } from "./page.ts";

/** Digits of these scripts run from left to right. */
const rightToLeftLetter = /[[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]&&\p{L}]/v;
const rightToLeftLetters = new RegExp(rightToLeftLetter, "gv");

export const hasRightToLeft = (text: string): boolean => rightToLeftLetter.test(text);

export function isMostlyRightToLeft(text: string): boolean {
  if (!rightToLeftLetter.test(text)) return false;
  return text.match(rightToLeftLetters)!.length * 2 > text.match(/\p{L}/gu)!.length;
}

const isForeign = ({ text }: PdfItem): boolean => /[\p{L}\p{N}]/u.test(text) && !rightToLeftLetter.test(text);

/** By their middles, because letters overlap, with signs behind the letters that they are drawn over. */
function byPlace(items: readonly PdfItem[]): PdfItem[] {
  const ordered: PdfItem[] = [];
  let signs: PdfItem[] = [];
  for (const item of items.toSorted((one, other) => middle(other) - middle(one))) {
    if (sign.test(item.text)) {
      signs.push(item);
      continue;
    }
    const [over, beside] = [signs.filter((one) => isOver(one, item)), signs.filter((one) => !isOver(one, item))];
    ordered.push(...beside, item, ...over);
    signs = [];
  }
  return ordered.concat(signs);
}

const middle = ({ x, width }: PdfItem): number => x + width / 2;

/** Vowels, and the points of Hebrew letters. */
const sign = /^\p{Mn}+$/u;

const isOver = (one: PdfItem, letter: PdfItem): boolean => one.x <= letter.x + letter.width;

/**
 * From right to left, except for sequences of words in other scripts and of numbers, which run from left to right.
 *
 * @param meansBrackets whether the file contains the brackets that are meant, and not those that it draws
 */
export function rightToLeft(items: readonly PdfItem[], meansBrackets: boolean): PdfItem[] {
  const ordered: PdfItem[] = [];
  let foreign: PdfItem[] = [];
  for (const item of byPlace(items)) {
    if (isForeign(item)) {
      foreign.push(item);
      continue;
    }
    ordered.push(...leftToRight(foreign, around, meansBrackets));
    const isMeant = meansBrackets || item.isStated === true;
    const text = isMeant ? item.text : withOtherBrackets(item.text);
    // Copies, because pdf.js puts the spaces that it finds beside them on the wrong side.
    ordered.push({ ...item, text });
    foreign = [];
  }
  return ordered.concat(leftToRight(foreign, around, meansBrackets));
}

/** A number by itself on such a page, as that of an item or a footnote. Before one, a dash may be a sign. */
export function numberAlone(items: readonly PdfItem[], meansBrackets: boolean): PdfItem[] {
  return leftToRight(byPlace(items), aroundNumber, meansBrackets);
}

/**
 * Words in another script, and numbers, that come from the right. The punctuation around them is drawn on the other
 * side of them, as what it is: a list's `1.` as `.1`.
 */
function leftToRight(items: readonly PdfItem[], around: RegExp, meansBrackets: boolean): PdfItem[] {
  const ordered = items.toReversed();
  const last = ordered.at(-1);
  if (last === undefined) return [];
  const first = ordered[0]!;
  const [before] = around.exec(first.text)!.slice(1) as [string];
  const behind = around.exec(last.text)![2]!;
  if (before === "" && behind === "") return ordered;
  const turned = (signs: string, { isStated }: PdfItem) =>
    [...(meansBrackets || isStated === true ? signs : withOtherBrackets(signs))].reverse().join("");
  ordered[0] = { ...first, text: first.text.slice(before.length) };
  const end = ordered.at(-1)!;
  ordered[ordered.length - 1] = {
    ...end,
    text: end.text.slice(0, end.text.length - behind.length) + turned(before, first),
  };
  ordered[0] = { ...ordered[0], text: turned(behind, last) + ordered[0].text };
  return ordered;
}

/** What is before and behind a word or number. */
const around = /^([\p{Pd}.,:;!?…"“”„‘’()[\]{}<>«»‹›]*).*?([\p{Pd}.,:;!?…"“”„‘’()[\]{}<>«»‹›]*)$/su;
const aroundNumber = /^([.:()[\]]*).*?([.:()[\]]*)$/su;

function withOtherBrackets(text: string): string {
  return text.replace(bracket, (shape) => mirrored[shape]!);
}

const bracket = /[()[\]{}<>«»‹›]/g;
const opening = "([{<«‹";

/** An opening bracket in right-to-left text has the shape of a closing one. */
const mirrored: Record<string, string> = Object.fromEntries(
  ["()", "[]", "{}", "<>", "«»", "‹›"].flatMap((pair) => [
    [pair[0], pair[1]],
    [pair[1], pair[0]],
  ]),
);

/**
 * Whether the brackets of a page open, where their lines are read from right to left, before they close. Files contain
 * either the brackets that are meant or, most of them, those that have the shape that is drawn.
 */
export function meansBrackets(lines: readonly (readonly PdfItem[])[]): boolean {
  let meant = 0;
  for (const items of lines) {
    if (!isMostlyRightToLeft(items.map(({ text }) => text).join(""))) continue;
    const own = byPlace(items).filter((item) => item.isStated !== true && !isForeign(item));
    const first = own.map(({ text }) => text.match(bracket)?.[0]).find((sign) => sign !== undefined);
    if (first !== undefined) meant += opening.includes(first) ? 1 : -1;
  }
  return meant > 0;
}
