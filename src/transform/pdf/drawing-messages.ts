/**
 * Reduces the messages about the drawing of a page between the halves of pdf.js, before they are copied: most of them
 * is letters and their shapes, which are not used here.
 */

/** The numbers of the operators that are used. */
export interface OperatorNumbers {
  readonly save: number;
  readonly restore: number;
  readonly transform: number;
  readonly paintFormXObjectBegin: number;
  readonly paintFormXObjectEnd: number;
  readonly constructPath: number;
  readonly endPath: number;
  readonly stroke: number;
  readonly closeStroke: number;
  readonly fillStroke: number;
  readonly eoFillStroke: number;
  readonly closeFillStroke: number;
  readonly closeEOFillStroke: number;
  readonly showText: number;
  readonly beginMarkedContent: number;
  readonly beginMarkedContentProps: number;
  readonly endMarkedContent: number;
}

/** Operators of a page, as they are sent. */
interface Chunk {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
  readonly length: number;
}

/**
 * A glyph of a font, the same object wherever the font draws it. Many programs declare all hyphens of a font as soft
 * hyphens, which pdf.js takes for invisible: they are given the character that is drawn.
 */
interface Glyph {
  unicode: string;
  readonly width: number;
  /** Computed from `unicode` when first asked for, and kept. */
  category?: unknown;
}

/** What one operator draws; a number is a gap. */
type Glyphs = readonly (Glyph | number)[];

interface Message {
  readonly action?: string;
  readonly data?: unknown;
  readonly chunk?: unknown;
}

export class DrawingMessages {
  readonly numbers: OperatorNumbers;
  readonly #kept: Set<number>;
  #corrected = 0;
  /** Glyphs of several letters that have been looked at. */
  readonly #whole = new WeakSet<Glyph>();

  constructor(numbers: OperatorNumbers) {
    const { save, restore, transform, paintFormXObjectBegin, paintFormXObjectEnd, constructPath } = numbers;
    this.numbers = numbers;
    this.#kept = new Set([save, restore, transform, paintFormXObjectBegin, paintFormXObjectEnd, constructPath]);
  }

  /** The number of glyphs that were given another meaning so far; text that was read before may lack them. */
  get corrected(): number {
    return this.#corrected;
  }

  /** Keeps from now on the letters of each text that is drawn. */
  keepLetters(): void {
    this.#kept.add(this.numbers.showText);
  }

  /** Keeps from now on what tells of layers: their borders, and for each text that is drawn its letters. */
  keepLayers(): void {
    const { beginMarkedContent, beginMarkedContentProps, endMarkedContent, showText } = this.numbers;
    for (const number of [beginMarkedContent, beginMarkedContentProps, endMarkedContent, showText])
      this.#kept.add(number);
  }

  /** What is to be sent of a message; nothing, when it is the shape of a letter. */
  lean<Sent extends Message>(message: Sent): Sent | undefined {
    const { action, data, chunk } = message;
    if (action === "commonobj" && Array.isArray(data) && data[1] === "FontPath") return undefined;
    return isOfDrawing(chunk) ? { ...message, chunk: this.#leanChunk(chunk) } : message;
  }

  #leanChunk({ fnArray, argsArray, ...rest }: Chunk): Chunk {
    const [numbers, given]: [number[], unknown[]] = [[], []];
    for (const [index, number] of fnArray.entries()) {
      const isText = number === this.numbers.showText;
      if (isText) this.#correct(argsArray[index] as [Glyphs]);
      if (!this.#kept.has(number)) continue;
      numbers.push(number);
      given.push(isText ? [lettersOf(argsArray[index] as [Glyphs])] : argsArray[index]);
    }
    return { ...rest, fnArray: numbers, argsArray: given, length: numbers.length };
  }

  #correct([glyphs]: [Glyphs]): void {
    for (const glyph of glyphs) {
      if (typeof glyph === "number" || !(glyph?.width > 0)) continue;
      if (glyph.unicode === "\u00ad") {
        glyph.unicode = "-";
        delete glyph.category;
      } else if (glyph.unicode.length > 1 && !this.#whole.has(glyph)) {
        this.#whole.add(glyph);
        if (!correctWhole(glyph)) continue;
      } else continue;
      this.#corrected++;
    }
  }
}

/** What pdf.js calls a glyph that is neither a space nor an accent nor invisible. */
const ORDINARY = { isWhitespace: false, isZeroWidthDiacritic: false, isInvisibleFormatMark: false };

const severalSigns = /^[^\0-\u02ff]\P{M}{0,9}[\p{Mn}\p{Cf}]/u;
const rightToLeft = /^[\u0590-\u08ff]+$/;

/**
 * Corrects what pdf.js takes a glyph of several letters for: for one of them, that is for an accent without a width if
 * there is one among them, as in the syllables of Indian scripts, so that what follows is placed over it, and for nothing
 * if they end in a sign that is not seen, as words of Persian do; and, from right to left, for letters that the file
 * contains in the order in which they are seen, all of which it turns round. Returns whether there was anything to correct.
 */
function correctWhole(glyph: Glyph): boolean {
  const hasSigns = severalSigns.test(glyph.unicode);
  const isTurned = rightToLeft.test(glyph.unicode);
  if (hasSigns) Object.defineProperty(glyph, "category", { value: ORDINARY, configurable: true, enumerable: true });
  if (isTurned) glyph.unicode = [...glyph.unicode].reverse().join("");
  return hasSigns || isTurned;
}

function lettersOf([glyphs]: [Glyphs]): string {
  return glyphs.map((glyph) => (typeof glyph === "number" ? "" : (glyph?.unicode ?? ""))).join("");
}

function isOfDrawing(chunk: unknown): chunk is Chunk {
  return typeof chunk === "object" && chunk !== null && "fnArray" in chunk && "argsArray" in chunk;
}
