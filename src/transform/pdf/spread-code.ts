/**
 * Joins the characters of code that is set in columns: a typesetter puts each character into a cell that is wider than
 * the font needs, and the gaps look like spaces.
 */

import type { PdfItem } from "./page.ts";

/** Characters with a space between any two. */
const spread = /^\S(?: \S){3,}$/;
/** In font sizes, for each character: with real spaces between them, they take more room. */
const widestCell = 0.66;
/** Fewer spread characters of a font on a page tell little. */
const fewestSpread = 12;
/** Their share in a font that is set so: wide characters fill their cells, and touch. */
const leastShare = 0.3;
/** A text of this length tells the width of the font's cells. */
const longText = 6;
/** By how much the widths of cells differ: the last character's gap is not counted. */
const tolerance = 0.03;
/** Lines of prose may be alike by chance, on average; several of them that are no longer than a name are not. */
const fewestTexts = 5;
const shortText = 20;
const fewestShort = 2;

/** The items, those of such fonts without the seeming spaces. Real ones are runs of their own there. */
export function withCloseCode(items: readonly PdfItem[]): readonly PdfItem[] {
  if (!items.some(isSpread)) return items;
  const all = new Map<string, number>();
  const parted = new Map<string, number>();
  for (const item of items) {
    const font = fontOf(item);
    const characters = countCharacters(item.text);
    all.set(font, (all.get(font) ?? 0) + characters);
    if (isSpread(item)) parted.set(font, (parted.get(font) ?? 0) + characters);
  }
  const fonts = new Set<string>();
  for (const [font, count] of parted) {
    if (count >= fewestSpread && count >= leastShare * all.get(font)!) fonts.add(font);
  }
  if (fonts.size === 0) return items;
  // The bold letters of the same code may nearly fill their cells: only some of the gaps look like spaces then.
  const inCells = new Set<string>();
  for (const [font, long] of longTexts(items)) if (haveCells(long)) inCells.add(font);
  return items.map((item) => {
    const font = fontOf(item);
    const closes = inCells.has(font) ? item.text.trim() !== "" : fonts.has(font) && isMostlySingle(item.text);
    return closes ? { ...item, text: item.text.replaceAll(" ", "") } : item;
  });
}

/** The font of code may be that of the text around it, which has words. */
function isMostlySingle(text: string): boolean {
  const pieces = text.trim().split(" ");
  return pieces.length > 1 && pieces.filter((piece) => piece.length === 1).length * 2 >= pieces.length;
}

const fontOf = ({ fontName, fontSize }: PdfItem): string => `${fontSize} ${fontName}`;

/** Half of it letters or digits: dots lead to the numbers of pages. */
function isSpread({ text, width, fontSize }: PdfItem): boolean {
  if (!spread.test(text)) return false;
  const characters = countCharacters(text);
  const words = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return words * 2 >= characters && width < widestCell * fontSize * characters;
}

/** By font. */
function longTexts(items: readonly PdfItem[]): ReadonlyMap<string, PdfItem[]> {
  const texts = new Map<string, PdfItem[]>();
  for (const item of items) {
    if (countCharacters(item.text) < longText) continue;
    const found = texts.get(fontOf(item));
    if (found === undefined) texts.set(fontOf(item), [item]);
    else found.push(item);
  }
  return texts;
}

/** True if texts are as wide as their characters alone suggest, and some have spaces. */
function haveCells(texts: readonly PdfItem[]): boolean {
  if (texts.length < fewestTexts || !texts.some(({ text }) => text.includes(" "))) return false;
  if (texts.filter(({ text }) => text.length <= shortText).length < fewestShort) return false;
  const cells = texts.map(({ text, width, fontSize }) => width / fontSize / countCharacters(text));
  const usual = cells.toSorted((one, other) => one - other)[cells.length >> 1]!;
  return usual < widestCell && cells.every((cell) => Math.abs(cell - usual) <= tolerance * usual);
}

function countCharacters(text: string): number {
  return text.replaceAll(" ", "").length;
}
