/**
 * Keeps together how to reach someone: an address to write to or to go to, a number to call, and what stands with them
 * (the hours, a site). Each is so short that it reads like the foot of any page, so there would be a heading without them,
 * or the number without the address.
 */
import { classNamed } from "../html/class-names.ts";
import { blockLine } from "./block-text.ts";
import { isBlockIn } from "./element-blocks.ts";
import { classOf } from "./element-names.ts";
import { hrefAround } from "./link-around.ts";
import type { PageTable } from "./page-table.ts";
import { isBesideText } from "./side-parts.ts";
import { tagId } from "./tags.ts";

const ADDRESS = tagId("address");
const BUTTON = tagId("button");
/** In words, of a text that contains an address, and of all that stands together. */
const LONGEST = 15;
const MOST_WORDS = 90;
/** Blocks above it of which one is kept: the name or the heading. */
const REACH = 3;
/** What an element that says where someone is may be called. */
const place = classNamed("(?:street-?)?address|adr");
const mail = /[\p{L}\p{N}_]@[\p{L}\p{N}-]+\.\p{L}/u;
const mailTo = /^mailto:/i;
const call = /^tel:/i;
/** Seven digits or more. Dates, years and prices have fewer, or other signs between them. */
const phone = /(?:^|[^\p{L}\p{N}.,/])(?:\+|00)?\(?\d(?:[\s().\-–/]{0,3}\d){6,14}(?![\p{N}%]|[.,]\d)/u;
const date = /\d{1,4}([./-])\d{1,2}\1\d{2,4}|(?:1[89]|20)\d\d\s?[-–/]\s?(?:1[89]|20)\d\d/g;

/** Adds to `keep`, in place. `sizes` are the blocks' sizes in words. */
export function keepContacts(table: PageTable, keep: Uint8Array, sizes: Float32Array): void {
  const large = new Set<number>();
  for (let block = 0; block < keep.length; block++) {
    if (sizes[block]! > LONGEST || !(isMail(table, block) || isPlace(table, block))) continue;
    const part = findPart(table, block, sizes, large);
    if (part === undefined) continue;
    const { first, end, element } = part;
    const isKept = keep.subarray(first, end).includes(1);
    const isBelow = keep.subarray(Math.max(0, first - REACH), first).includes(1);
    if (isKept || (isBelow && !isBesideText(table, element))) {
      for (let at = first; at < end; at++) if (table.tag[table.blockElement[at]!] !== BUTTON) keep[at] = 1;
    }
    block = end - 1;
  }
}

/**
 * The innermost element around an address that contains a number, too, and its blocks, if they are several. Elements with
 * too many words are added to `large`: a list of addresses is read once, not for each of them.
 */
function findPart(table: PageTable, block: number, sizes: Float32Array, large: Set<number>) {
  const { blockElement, parent } = table;
  let first = block;
  let end = block + 1;
  let words = sizes[block]!;
  let hasPhone = isPhone(table, block);
  const take = (at: number): void => {
    words += sizes[at]!;
    hasPhone ||= isPhone(table, at);
  };
  for (let element = blockElement[block]!; element >= 0 && !large.has(element); element = parent[element]!) {
    while (words <= MOST_WORDS && isBlockIn(table, first - 1, element)) take(--first);
    while (words <= MOST_WORDS && isBlockIn(table, end, element)) take(end++);
    if (words > MOST_WORDS) {
      large.add(element);
      return undefined;
    }
    // One text that says all of it is no shorter than others: the office below a message to the press.
    if (hasPhone) return end > first + 1 ? { element, first, end } : undefined;
  }
  return undefined;
}

function isPlace({ blockElement, elements, tag }: PageTable, block: number): boolean {
  const element = blockElement[block]!;
  return tag[element] === ADDRESS || place.test(classOf(elements[element]!));
}

function isMail(table: PageTable, block: number): boolean {
  const { blockLeaf, firstText, texts } = table;
  if (mailTo.test(hrefAround(table, blockLeaf[block]!) ?? "")) return true;
  for (let text = firstText[block]!; text < firstText[block + 1]!; text++) {
    if (texts[text]!.data.includes("@") && mail.test(texts[text]!.data)) return true;
  }
  return false;
}

const isPhone = (table: PageTable, block: number): boolean =>
  call.test(hrefAround(table, table.blockLeaf[block]!) ?? "") || phone.test(blockLine(table, block).replace(date, ""));
