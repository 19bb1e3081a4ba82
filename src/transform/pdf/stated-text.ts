/** Puts the text that a file states for some glyphs in the place of what the glyphs themselves say. */

import { isMostlyRightToLeft } from "./right-to-left.ts";
import type { TurnedItem } from "./upright.ts";

/** What is drawn for one stated text. */
export interface StatedText {
  readonly text: string;
}

/** A run of text of which the file may state what it means. */
export type MarkedItem = TurnedItem & { readonly stated?: StatedText };

/** Signs that are not seen by themselves, such as that which keeps two letters of Persian apart. */
const unseen = /^[\p{Cf}\p{Mn}]+$/u;

/** What is stated where nothing is drawn, if it is a sign that is not seen: it belongs to the letter before it. */
export function unseenSign(stated: StatedText, before: MarkedItem | undefined): MarkedItem | undefined {
  if (before === undefined || before.stated === stated || !unseen.test(stated.text)) return undefined;
  return { ...before, text: "", width: 0, stated };
}

/** In font sizes; what is further from the baseline is on another line. */
const furthest = 0.9;

/** In the order of the file. Spaces before and after what is drawn for a text, which pdf.js finds, stay. */
export function withStatedTexts(items: readonly MarkedItem[]): TurnedItem[] {
  const result: TurnedItem[] = [];
  const signs = new Map<TurnedItem, string>();
  for (let at = 0; at < items.length; ) {
    const { stated } = items[at]!;
    let end = at + 1;
    while (stated !== undefined && items[end]?.stated === stated) end++;
    const drawn = items.slice(at, end);
    at = end;
    const first = drawn.findIndex(isSeen);
    const last = drawn.findLastIndex(isSeen);
    if (first < 0 && stated !== undefined && unseen.test(stated.text)) signs.set(drawn[0]!, stated.text);
    const whole = stated === undefined || first < 0 ? undefined : joined(drawn.slice(first, last + 1), stated.text);
    if (whole === undefined) result.push(...drawn);
    else result.push(...drawn.slice(0, first), whole, ...drawn.slice(last + 1));
  }
  return signs.size === 0 ? result : withSigns(result, signs);
}

/** Glyphs that the file does not identify have no text, but a width. */
const isSeen = ({ text, width }: TurnedItem): boolean => (text === "" ? width > 0 : text.trim() !== "");

/** Adds the signs, each of which has a place among the items, to the letters that they belong to. */
function withSigns(items: readonly TurnedItem[], signs: ReadonlyMap<TurnedItem, string>): TurnedItem[] {
  const result: TurnedItem[] = [];
  /** Where the last run is that is seen. */
  let before = -1;
  let waiting = "";
  for (const [index, item] of items.entries()) {
    const sign = signs.get(item);
    if (sign !== undefined && before >= 0) {
      const last = result[before]!;
      const next = items.slice(index + 1, index + 1 + nearest).find(isSeen);
      if (next !== undefined && isReadBefore(next, last)) waiting = sign;
      else result[before] = { ...last, text: last.text + sign };
    }
    if (!isSeen(item)) {
      result.push(item);
      continue;
    }
    before = result.length;
    result.push(waiting === "" ? item : { ...item, text: item.text + waiting });
    waiting = "";
  }
  return result;
}

/** Spaces and line ends between a sign and the next letter. */
const nearest = 4;

/** Files may draw lines of right-to-left text from left to right. */
function isReadBefore(next: TurnedItem, last: TurnedItem): boolean {
  const isBeside = Math.abs(next.y - last.y) < last.fontSize * furthest && next.x > last.x;
  return isBeside && isMostlyRightToLeft(next.text + last.text);
}

/** One run in the place of several; `undefined` if they are left as they are. */
function joined(drawn: readonly MarkedItem[], stated: string): TurnedItem | undefined {
  const text = stated.replaceAll("\0", "").normalize("NFC");
  // A hyphen at the end of a line is what tells that the word goes on.
  if (text === "\u00ad") return undefined;
  const base = drawn.reduce((widest, item) => (item.width > widest.width ? item : widest));
  const [cos, sin] = [Math.cos(base.angle), Math.sin(base.angle)];
  let left = Infinity;
  let right = -Infinity;
  for (const { x, y, width, angle } of drawn.filter(isSeen)) {
    const along = (x - base.x) * cos + (y - base.y) * sin;
    const off = Math.abs((y - base.y) * cos - (x - base.x) * sin);
    if (Math.abs(angle - base.angle) > 0.01 || off > base.fontSize * furthest) return undefined;
    left = Math.min(left, along);
    right = Math.max(right, along + width);
  }
  return { ...base, text, isStated: true, x: base.x + left * cos, y: base.y + left * sin, width: right - left };
}
