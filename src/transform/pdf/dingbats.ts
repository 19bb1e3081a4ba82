/**
 * Puts the signs of the font ZapfDingbats, such as bullets and ticks, in place of the letters that pdf.js takes them for:
 * files name the font without saying what its codes mean, because every reader has it.
 */

import type { PdfItem } from "./page.ts";

export function isDingbatsFont(ownName: string): boolean {
  return /zapf ?dingbats/i.test(ownName);
}

/** @param fonts the names of the fonts whose letters are such signs */
export function withDingbats<Item extends PdfItem>(items: Item[], fonts: ReadonlySet<string>): Item[] {
  if (fonts.size === 0) return items;
  return items.map((item) =>
    fonts.has(item.fontName) ? { ...item, text: item.text.replace(/[!-~\xa1-\xfe]/g, signOf) } : item,
  );
}

/** Signs that Unicode had before it took over the others in their order. */
const others = new Map(
  [..."%☎*☛+☞H★l●n■s▲t▼u◆w◗¨♣©♦ª♥«♠Õ→Ö↔×↕"].flatMap((letter, index, all) =>
    index % 2 === 0 ? [[letter, all[index + 1]!] as const] : [],
  ),
);

function signOf(letter: string): string {
  const code = letter.charCodeAt(0);
  const isNumber = code >= 0xac && code <= 0xb5;
  const place = isNumber ? 0x2460 + code - 0xac : code < 0x80 ? 0x2701 + code - 0x21 : 0x2761 + code - 0xa1;
  return others.get(letter) ?? String.fromCharCode(place);
}
