/**
 * Joins the characters of code that is set in columns: a typesetter puts each character into a cell that is wider than
 * the font needs, and the gaps look like spaces.
 */

import type { PdfItem } from "./page.ts";

/** Characters with a space between any two. */
const spread = /^\S(?: \S)+$/;
/** In font sizes, for each character: with real spaces between them, they take more room. */
const widestCell = 0.66;
/** Fewer characters of a font on a page tell little. */
const fewestCharacters = 30;
/** The share of a font's texts that are spread if it is set so: single characters between others touch them. */
const leastSpread = 0.7;
/** A longer text of a font that is mostly close tells the width of its cells. */
const longText = 6;
/** By how much the widths of cells differ. */
const tolerance = 0.04;

interface Use {
  characters: number;
  texts: number;
  spread: number;
}

/** The items, those of such fonts without the seeming spaces. Real ones are runs of their own there. */
export function withCloseCode(items: readonly PdfItem[]): readonly PdfItem[] {
  const uses = new Map<string, Use>();
  for (const item of items) {
    const characters = countCharacters(item.text);
    if (characters < 2) continue;
    const use = uses.get(item.fontName) ?? { characters: 0, texts: 0, spread: 0 };
    uses.set(item.fontName, use);
    use.characters += characters;
    use.texts++;
    if (spread.test(item.text) && item.width / characters < widestCell * item.fontSize) use.spread++;
  }
  const fonts = new Set<string>();
  for (const [font, use] of uses) {
    if (use.characters >= fewestCharacters && use.spread >= leastSpread * use.texts) fonts.add(font);
  }
  if (fonts.size === 0) return items;
  // The bold letters of the same code may nearly fill their cells: only some of the gaps look like spaces then.
  for (const [font, long] of longTexts(items)) if (haveCells(long)) fonts.add(font);
  return items.map((item) =>
    fonts.has(item.fontName) && item.text.trim() !== "" ? { ...item, text: item.text.replaceAll(" ", "") } : item,
  );
}

/** By font. */
function longTexts(items: readonly PdfItem[]): ReadonlyMap<string, PdfItem[]> {
  const texts = new Map<string, PdfItem[]>();
  for (const item of items) {
    if (countCharacters(item.text) < longText) continue;
    const found = texts.get(item.fontName);
    if (found === undefined) texts.set(item.fontName, [item]);
    else found.push(item);
  }
  return texts;
}

/** True if texts are as wide as their characters alone suggest, and some have spaces. */
function haveCells(texts: readonly PdfItem[]): boolean {
  if (!texts.some(({ text }) => text.includes(" "))) return false;
  const cells = texts.map(({ text, width, fontSize }) => width / fontSize / countCharacters(text));
  const usual = cells.toSorted((one, other) => one - other)[cells.length >> 1]!;
  return usual < widestCell && cells.every((cell) => Math.abs(cell - usual) <= tolerance * usual);
}

function countCharacters(text: string): number {
  return text.replaceAll(" ", "").length;
}
