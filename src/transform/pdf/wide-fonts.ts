/**
 * Distinguishes fonts for code from fonts for Chinese, Japanese and Korean text. The characters of these scripts have
 * one width in any font, and many fonts for prose are declared as monospace.
 */

import type { Fragment } from "./fragments.ts";
import type { PdfFont, PdfFonts } from "./page.ts";

const wideLetter = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;

/** The number of characters of a text that are as wide as they are high. */
export function wideLetters(text: string): number {
  return text.match(wideLetter)?.length ?? 0;
}

interface Use {
  letters: number;
  wide: number;
  /** How many of the characters are on lines that begin in a font for code of another script. */
  inCode: number;
}

/** The fonts, in which those with wide characters count as monospace only if they are used within code. */
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

/**
 * Older programs split the characters of one font into hundreds of fonts; at least this many, with few characters each,
 * are taken for one.
 */
const manyFonts = 20;
const fewLetters = 300;

function sumOf(uses: readonly Use[]): Pick<Use, "letters" | "inCode"> {
  return {
    letters: uses.reduce((sum, { letters }) => sum + letters, 0),
    inCode: uses.reduce((sum, { inCode }) => sum + inCode, 0),
  };
}
