/** Determines which of a PDF's fonts are bold or monospace. */

import { setTimeout as delay } from "node:timers/promises";
import { isDingbatsFont } from "./dingbats.ts";
import type { Operators } from "./drawn-paths.ts";
import { LetterWidths } from "./letter-widths.ts";
import type { LocalPort } from "./local-port.ts";
import type { PdfFont, PdfItem } from "./page.ts";
import { wideLetters } from "./wide-fonts.ts";

/** What pdf.js reports about fonts with a page's text, by the names that it gives them. */
export type Styles = Record<string, { fontFamily?: string; vertical?: boolean }>;

interface PageWithFonts {
  getOperatorList(): Promise<Operators>;
  readonly commonObjs: { has(name: string): boolean; get(name: string): { name?: string } | null };
}

/** Most milliseconds spent on reading a page's operators; endless drawings are not read just for a font name. */
const longestSearch = 5_000;
/**
 * Milliseconds that each page adds to the remaining time: several times what most pages take, so that long documents do
 * not run out of it.
 */
const timeOfPage = 40;

const boldName = /bold|black|heavy|demi|[-,]medi(?:um)?\b|\bcmbx|\bsfbx/i;
const monospaceName = /mono|courier|consol|menlo|monaco|source ?code|fira ?code|letter ?gothic|\bcmtt|typewriter/i;

/**
 * pdf.js takes a font for one of code when all letters of it that the file holds are of one width; where these are but a
 * few, they are so in any font: figures, for one. It takes letters that are narrow elsewhere, and others. Signs say
 * nothing, and of Chinese letters the text around tells more (`wide-fonts.ts`).
 */
const narrow = /[fijlrtI.,:;'|!()[\]]/;
const wider = /[abcdeghkmnopqsuvwxyzA-HJ-Z]/;

interface Seen {
  hasLetter: boolean;
  hasNarrow: boolean;
  hasWider: boolean;
}

export class FontNames {
  readonly byName = new Map<string, PdfFont>();
  /** The names of fonts that have signs in place of letters. */
  readonly dingbats = new Set<string>();
  readonly #port: LocalPort;
  readonly #widths = new LetterWidths();
  /** Fonts that seem to be monospace, by name, and what was seen of them. */
  readonly #seeming = new Map<string, Seen>();
  /** The names of the fonts that seemed to be monospace, by their own names. */
  readonly #seemed = new Map<string, string[]>();
  /** The own names of fonts with letters of several widths. */
  readonly #proportional = new Set<string>();
  #timeLeft = longestSearch;

  constructor(port: LocalPort) {
    this.#port = port;
  }

  /**
   * pdf.js reports a font's own name only when a page is prepared for drawing, so this is done for pages with a new
   * font.
   */
  async learn(page: PageWithFonts, styles: Styles, items: readonly PdfItem[]): Promise<void> {
    await this.#learnNames(page, styles);
    this.#widths.add(items);
    this.#believe(items);
    for (const name of Object.keys(styles)) {
      const font = this.byName.get(name);
      if (font?.isMonospace === false && this.#widths.isOne(name))
        this.byName.set(name, { ...font, isMonospace: true });
    }
  }

  async #learnNames(page: PageWithFonts, styles: Styles): Promise<void> {
    const unknown = Object.entries(styles).filter(([name]) => !this.byName.has(name));
    if (unknown.length === 0) return;
    await this.prepare(page);
    for (const [name, { fontFamily }] of unknown) {
      const font = page.commonObjs.has(name) ? page.commonObjs.get(name) : null;
      const ownName = String(font?.name ?? "").slice(0, 200);
      if (isDingbatsFont(ownName)) this.dingbats.add(name);
      const isNamed = monospaceName.test(ownName);
      const seems = fontFamily === "monospace" && !this.#proportional.has(ownName);
      this.byName.set(name, { isBold: boldName.test(ownName), isMonospace: isNamed || seems });
      if (isNamed) continue;
      if (seems) {
        this.#seeming.set(name, { hasLetter: false, hasNarrow: false, hasWider: false });
        this.#seemed.set(ownName, [...(this.#seemed.get(ownName) ?? []), name]);
      } else if (ownName !== "") this.#learnProportional(ownName);
    }
  }

  /**
   * A file may have a font twice, the second time for its bullets alone, all of one width. pdf.js joins text in fonts of
   * one name, and gives all of it the font in which it begins: the bullet's.
   */
  #learnProportional(ownName: string): void {
    this.#proportional.add(ownName);
    for (const name of this.#seemed.get(ownName) ?? []) {
      this.#seeming.delete(name);
      this.byName.set(name, { ...this.byName.get(name)!, isMonospace: false });
    }
    this.#seemed.delete(ownName);
  }

  #believe(items: readonly PdfItem[]): void {
    if (this.#seeming.size === 0) return;
    for (const { fontName, text } of items) {
      const seen = this.#seeming.get(fontName);
      if (seen === undefined) continue;
      seen.hasLetter ||= /[\p{L}\p{N}]/u.test(text);
      seen.hasNarrow ||= narrow.test(text);
      seen.hasWider ||= wider.test(text);
      const isShown = (seen.hasNarrow && seen.hasWider) || wideLetters(text) > 0;
      if (isShown) this.#seeming.delete(fontName);
      this.byName.set(fontName, { ...this.byName.get(fontName)!, isMonospace: isShown || !seen.hasLetter });
    }
  }

  /** The operators of the page; undefined if there is no time left for them. */
  async prepare(page: PageWithFonts): Promise<Operators | undefined> {
    this.#timeLeft = Math.min(longestSearch, this.#timeLeft + timeOfPage);
    if (this.#timeLeft <= 0) return undefined;
    const started = performance.now();
    const waiting = new AbortController();
    const prepared = page.getOperatorList().catch(() => undefined);
    const operators = await Promise.race([
      prepared,
      delay(this.#timeLeft, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined),
    ]);
    waiting.abort();
    this.#port.stall("GetOperatorList");
    this.#timeLeft -= performance.now() - started;
    return operators;
  }
}
