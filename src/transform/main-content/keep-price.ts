/** Keeps the price of a page's product: short and in isolation, it does not read like content. */
import { classOf } from "./element-names.ts";
import type { PageTable } from "./page-table.ts";
import { STATISTIC, STATISTIC_COUNT } from "./text-statistics.ts";

/** Blocks after the product's name that are examined. */
const REACH = 60;
/** On other pages only the first ones are. */
const REACH_OF_LONE = 2;
/** A kept text with this many words is the description: prices after it are of other things. */
const DESCRIPTION = 12;
/** In characters; a longer block says more than a price. */
const LONGEST = 100;
/** Most letters in the block besides the price. */
const FEW_LETTERS = 3;
/** The same in an element that is named as a price, whose label may be in any language: `From`, `As low as`. */
const LETTERS_OF_LABEL = 24;
/** How far up from the block such a name is searched for. */
const REACH_OF_NAME = 2;
const priceName = /pri(?:ce|x|s)(?![a-z])|preis|precio|prezzo|preço|prijs|цена|cena/i;

const currency = String.raw`(?:\p{Sc}|\b(?:USD|EUR|GBP|CHF|CAD|AUD|JPY|SEK|NOK|DKK|PLN|CZK|kr|lei|TL|Rs)\b|zł|Kč|руб|грн|лв|[円元원])`;
const amount = String.raw`\d[\d.,'’\s]*`;
const price = new RegExp(`${currency}\\.?\\s?${amount}|${amount}\\s?${currency}`, "gu");

/** How much less a product costs now: `-20%`, `Save 20%`, `20 % off`. */
const discount = /(?:\p{L}{1,12}\s)?[-–−]?\s?\d{1,2}\s?%(?:\s\p{L}{1,12})?/gu;

/**
 * Adds to `keep`, in place, a block right below the title that is nothing but a price, or is named as one: that of a
 * house or of a ticket, on pages that are not those of a shop.
 */
export function keepLonePrice(table: PageTable, keep: Uint8Array): void {
  const title = table.headingRanks.indexOf(1);
  if (title < 0 || keep[title] === 0) return;
  for (let block = title + 1; block <= title + REACH_OF_LONE && block < keep.length; block++) {
    const words = wordsOf(table, block);
    const isAlone = words.length <= LONGEST && /[1-9]/.test(words) && words.replace(price, "").trim() === "";
    if (isAlone || (isPrice(table, block) && isNamedPrice(table, block))) {
      keep[block] = 1;
      return;
    }
  }
}

/** Adds the first price after the product's name to `keep`, in place, and one just after that: the old or new price. */
export function keepPrice(table: PageTable, keep: Uint8Array): void {
  let left = 0;
  for (let block = 0; block < keep.length; block++) {
    if (keep[block] === 1 && table.headingRanks[block] === 1) left = REACH;
    else if (left > 0) {
      left--;
      if (isPrice(table, block)) {
        keep[block] = 1;
        if (block + 1 < keep.length && isPrice(table, block + 1)) keepPair(table, block, keep);
        return;
      }
      if (keep[block] === 1 && table.statistics[block * STATISTIC_COUNT + STATISTIC.words]! >= DESCRIPTION) left = 0;
    }
  }
}

/** Keeps two prices; of a pair that a style sheet shows one of, only the one that says more. */
function keepPair(table: PageTable, block: number, keep: Uint8Array): void {
  const [first, ...others] = pricesIn(table, block);
  const next = pricesIn(table, block + 1);
  keep[block + 1] = 1;
  if (first === undefined || others.length > 0 || !next.includes(first)) return;
  keep[next.length > 1 ? block : block + 1] = 0;
}

const pricesIn = (table: PageTable, block: number): string[] =>
  (wordsOf(table, block).match(price) ?? []).map((found) => found.trim());

/** The words of a block; not many more than those of the longest price. */
function wordsOf({ firstText, texts }: PageTable, block: number): string {
  let words = "";
  for (let text = firstText[block]!; text < firstText[block + 1]! && words.length <= LONGEST; text++) {
    words += `${texts[text]!.data.trim()} `;
  }
  return words;
}

export function isPrice(table: PageTable, block: number): boolean {
  const words = wordsOf(table, block);
  if (words.length > LONGEST) return false;
  const rest = words.replace(price, "");
  if (rest.length === words.length || !/[1-9]/.test(words)) return false;
  const letters = rest.replace(discount, "").replace(/[^\p{L}\d]/gu, "").length;
  return letters <= FEW_LETTERS || priceName.test(rest) || (letters <= LETTERS_OF_LABEL && isNamedPrice(table, block));
}

function isNamedPrice({ blockElement, elements, parent }: PageTable, block: number): boolean {
  let element = blockElement[block]!;
  for (let step = 0; step <= REACH_OF_NAME && element >= 0; step++) {
    if (priceName.test(classOf(elements[element]!))) return true;
    element = parent[element]!;
  }
  return false;
}
