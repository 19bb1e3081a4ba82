/** Recognises monospace fonts by the text that is set in them, because not every file or font name tells. */

import type { PdfItem } from "./page.ts";

/** Shorter runs tell little. */
const shortestRun = 4;
/** A single text may have such an average by chance, or be drawn repeatedly. */
const fewestTexts = 5;
/** The share of characters that must have the usual width; the others may be drawn with gaps. */
const leastAlike = 0.9;
/** In thousandths of the font size. Characters of Chinese fonts also have one width, but are wider. */
const widths = { least: 400, most: 750 };

const narrow = /[fijlt]/;
const wide = /[mwMW]/;

interface Width {
  length: number;
  hasNarrow: boolean;
  hasWide: boolean;
  readonly texts: Set<string>;
}

export class LetterWidths {
  readonly #all = new Map<string, number>();
  /** By font, and by thousandths of the font size for each letter. */
  readonly #widths = new Map<string, Map<number, Width>>();

  add(items: readonly PdfItem[]): void {
    for (const { text, width, fontSize, fontName } of items) {
      if (text.length < shortestRun || !(fontSize > 0)) continue;
      this.#all.set(fontName, (this.#all.get(fontName) ?? 0) + text.length);
      const thousandths = Math.round((width / fontSize / text.length) * 1000);
      if (!(thousandths >= widths.least && thousandths <= widths.most)) continue;
      const known = this.#of(fontName, thousandths);
      known.length += text.length;
      known.hasNarrow ||= narrow.test(text);
      known.hasWide ||= wide.test(text);
      if (known.texts.size < fewestTexts) known.texts.add(text.slice(0, 100));
    }
  }

  isOne(fontName: string): boolean {
    const found = this.#widths.get(fontName);
    if (found === undefined) return false;
    const usual = [...found.values()].reduce((most, next) => (next.length > most.length ? next : most));
    const isTold = usual.hasNarrow && usual.hasWide && usual.texts.size >= fewestTexts;
    return isTold && usual.length >= this.#all.get(fontName)! * leastAlike;
  }

  #of(fontName: string, thousandths: number): Width {
    let ofFont = this.#widths.get(fontName);
    if (ofFont === undefined) {
      ofFont = new Map();
      this.#widths.set(fontName, ofFont);
    }
    let found = ofFont.get(thousandths);
    if (found === undefined) {
      found = { length: 0, hasNarrow: false, hasWide: false, texts: new Set() };
      ofFont.set(thousandths, found);
    }
    return found;
  }
}
