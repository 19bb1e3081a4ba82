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

interface Ordered {
  readonly items: PdfItem[];
  /** For the first item of what runs in another direction than that before it: which two items are beside each other. */
  readonly seams: ReadonlyMap<PdfItem, readonly [PdfItem, PdfItem]>;
}

/**
 * From right to left, except for sequences of words in other scripts and of numbers, which run from left to right.
 *
 * @param meansBrackets whether the file contains the brackets that are meant, and not those that it draws
 */
export function rightToLeft(items: readonly PdfItem[], meansBrackets: boolean): Ordered {
  const ordered: PdfItem[] = [];
  const seams = new Map<PdfItem, readonly [PdfItem, PdfItem]>();
  let foreign: PdfItem[] = [];
  const endForeign = () => {
    const words = leftToRight(foreign, around, meansBrackets);
    const before = ordered.at(-1);
    if (before !== undefined && words.length > 0) seams.set(words[0]!, [before, foreign[0]!]);
    ordered.push(...words);
  };
  for (const item of byPlace(items)) {
    if (isForeign(item)) {
      foreign.push(item);
      continue;
    }
    endForeign();
    const isMeant = meansBrackets || item.isStated === true;
    const text = isMeant ? item.text : withOtherBrackets(item.text);
    // A copy, because pdf.js puts the spaces that it finds beside it on the wrong side.
    const copy = { ...item, text };
    if (foreign.length > 0) seams.set(copy, [foreign.at(-1)!, copy]);
    ordered.push(copy);
    foreign = [];
  }
  endForeign();
  return { items: ordered, seams };
}

/** From left to right, except for sequences of words and letters that run from right to left. */
export function withTurnedWords(items: readonly PdfItem[]): Ordered {
  const ordered: PdfItem[] = [];
  const seams = new Map<PdfItem, readonly [PdfItem, PdfItem]>();
  let run: PdfItem[] = [];
  /** Signs behind the run, which are part of it if it goes on. */
  let signs: PdfItem[] = [];
  const endRun = () => {
    if (run.length > 1) {
      const [left, before] = [run[0]!, ordered.at(-1)];
      const turned = byPlace(run).map((item) => ({ ...item }));
      if (before !== undefined) seams.set(turned[0]!, [before, left]);
      ordered.push(...turned);
      run = [turned[0]!];
    } else ordered.push(...run);
    const next = signs[0];
    if (next !== undefined && run.length > 0) seams.set(next, [run[0]!, next]);
    ordered.push(...signs);
    signs = [];
  };
  for (const item of items.toSorted((one, other) => one.x - other.x)) {
    if (hasRightToLeft(item.text)) {
      run.push(...signs, item);
      signs = [];
    } else if (run.length > 0 && !/[\p{L}\p{N}]/u.test(item.text)) signs.push(item);
    else {
      const hasSigns = signs.length > 0;
      endRun();
      if (run.length > 0 && !hasSigns) seams.set(item, [run[0]!, item]);
      ordered.push(item);
      run = [];
    }
  }
  endRun();
  return { items: ordered, seams };
}

/** A number by itself on such a page, as that of an item or a footnote. Before one, a dash may be a sign. */
export function numberAlone(items: readonly PdfItem[], meansBrackets: boolean): PdfItem[] {
  return leftToRight(byPlace(items), aroundNumber, meansBrackets);
}

/**
 * Words in another script, and numbers, that come from the right. The punctuation around them is drawn on the other
 * side of them, as what it is: a list's `1.` as `.1`.
 */
function leftToRight(items: readonly PdfItem[], signs: RegExp, meansBrackets: boolean): PdfItem[] {
  const ordered = items.toReversed();
  const last = ordered.at(-1);
  if (last === undefined) return [];
  const first = ordered[0]!;
  // Brackets that open and close among the words stay around them.
  const isWhole = areBalanced(ordered.map(({ text }) => text).join(""));
  const isSign = (sign: string | undefined) => sign !== undefined && signs.test(sign) && !(isWhole && isBracket(sign));
  let start = 0;
  while (isSign(first.text[start])) start++;
  let end = last.text.length;
  while (isSign(last.text[end - 1]) && (last !== first || end > start)) end--;
  const turned = (text: string, { isStated }: PdfItem) =>
    [...(meansBrackets || isStated === true ? text : withOtherBrackets(text))].reverse().join("");
  const [before, behind] = [turned(last.text.slice(end), last), turned(first.text.slice(0, start), first)];
  if (before === "" && behind === "") return ordered;
  ordered[ordered.length - 1] = { ...last, text: last.text.slice(0, end) + behind };
  ordered[0] = { ...ordered[0]!, text: before + ordered[0]!.text.slice(start) };
  return ordered;
}

/** What may be before and behind a word or number. */
const around = /[\p{Pd}.,:;!?…"“”„‘’()[\]{}<>«»‹›]/u;
const aroundNumber = /[.:()[\]]/;

function areBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text.match(bracket) ?? []) open += opening.includes(sign) ? 1 : -1;
  return open === 0;
}

function withOtherBrackets(text: string): string {
  return text.replace(bracket, (shape) => mirrored[shape]!);
}

const bracket = /[()[\]{}<>«»‹›]/g;
const opening = "([{<«‹";
const isBracket = (sign: string): boolean => Object.hasOwn(mirrored, sign);

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
