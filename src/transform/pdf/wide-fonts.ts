/**
 * Tells fonts of code from those of Chinese, Japanese and Korean text. The letters of these scripts are all of one width in
 * any font, and many fonts of prose say of themselves what fonts of code do.
 */

import type { Fragment } from "./fragments.ts";
import type { PdfFont, PdfFonts } from "./page.ts";

const wideLetter = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;

/** How many letters of a text are as wide as they are high. */
export function wideLetters(text: string): number {
  return text.match(wideLetter)?.length ?? 0;
}

interface Use {
  letters: number;
  wide: number;
  /** Of the letters, those that stand on lines which begin in a font of code of other letters. */
  inCode: number;
}

/** The fonts; of those with wide letters only the ones that are used within code count as of one width. */
export function withoutWideFonts(fonts: PdfFonts, fragments: readonly Fragment[]): PdfFonts {
  const uses = new Map<string, Use>();
  for (const { pieces } of fragments) {
    for (const { fontName, text } of pieces) {
      if (fonts.get(fontName)?.isMonospace !== true) continue;
      const use = uses.get(fontName) ?? { letters: 0, wide: 0, inCode: 0 };
      uses.set(fontName, use);
      use.letters += text.trim().length;
      use.wide += wideLetters(text);
    }
  }
  const wide = new Map([...uses].filter(([, use]) => use.wide * 2 > use.letters));
  if (wide.size === 0) return fonts;
  const isCode = (name: string) => fonts.get(name)?.isMonospace === true && !wide.has(name);
  for (const { pieces } of fragments) {
    if (!isCode(pieces[0]!.fontName)) continue;
    for (const { fontName, text } of pieces) {
      const use = wide.get(fontName);
      if (use !== undefined) use.inCode += text.trim().length;
    }
  }
  const changed = new Map<string, PdfFont>(fonts);
  const small = [...wide.values()].filter(({ letters }) => letters < fewLetters);
  const all = small.length < manyFonts ? undefined : sumOf(small);
  for (const [name, use] of wide) {
    const { letters, inCode } = use.letters < fewLetters ? (all ?? use) : use;
    if (inCode * 2 <= letters) changed.set(name, { ...fonts.get(name)!, isMonospace: false });
  }
  return changed;
}

/** Older programs part the letters of one font to hundreds of fonts: so many, with fewer letters each, are taken for one. */
const manyFonts = 20;
const fewLetters = 300;

function sumOf(uses: readonly Use[]): Pick<Use, "letters" | "inCode"> {
  return {
    letters: uses.reduce((sum, { letters }) => sum + letters, 0),
    inCode: uses.reduce((sum, { inCode }) => sum + inCode, 0),
  };
}
