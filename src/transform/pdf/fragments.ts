/** Joins the runs of a page into fragments: text on one baseline without a wide gap. */

import { withAccents } from "./accents.ts";
import { largeInitials, withInitials } from "./large-initials.ts";
import type { PdfFonts, PdfItem } from "./page.ts";
import { type Manner, narrowestSpace, type Piece, piecesOf, textOf } from "./pieces.ts";
import { isMostlyRightToLeft, meansBrackets } from "./right-to-left.ts";
import { withSpacedWords } from "./spaced-words.ts";
import { withCloseCode } from "./spread-code.ts";

export interface Fragment {
  readonly pieces: Piece[];
  readonly left: number;
  readonly right: number;
  /** The baseline of its largest text, apart from code and signs. */
  readonly y: number;
  readonly fontSize: number;
  /** The font of most of its text. */
  readonly fontName: string;
  /** As in {@link PdfItem}; all its text is of one part. */
  readonly part?: PdfItem["part"];
  readonly cell?: PdfItem["cell"];
}

/** A gap of this many font sizes separates two fragments: wider than nearly all spaces between words. */
const widestSpace = 0.95;

/** In the order in which the file draws them. */
export function fragmentsOf(items: readonly PdfItem[], fonts: PdfFonts): Fragment[] {
  const builders: Builder[] = [];
  const drawn = new Map<string, PdfItem>();
  const whole = withAccents(withCloseCode(withSpacedWords(items)));
  const large = largeInitials(whole);
  const initials = new Set<PdfItem>();
  const spaces = { left: new Set<PdfItem>(), right: new Set<PdfItem>() };
  let current: Builder | undefined;
  let space: PdfItem | undefined;
  for (const item of whole) {
    if (item.text.trim() === "") {
      if (item.text !== "") space = item;
      continue;
    }
    if (isDrawnTwice(item, drawn)) continue;
    if (large.has(item)) {
      initials.add(item);
      continue;
    }
    if (space !== undefined) spaces[space.x < item.x + item.width / 2 ? "left" : "right"].add(item);
    space = undefined;
    if (current === undefined || !continues(current, item)) {
      current = startOf(item);
      builders.push(current);
    } else append(current, item);
  }
  const lines = joinNeighbours(builders).flatMap(partedAtCells);
  const manner = {
    spaces,
    meansBrackets: meansBrackets(lines.map((line) => line.items)),
    isRightToLeft: isMostlyRightToLeft(textOf(whole)),
  };
  const fragments = lines.map((line) => finish(line, manner, fonts));
  return withInitials(fragments, initials, (item) => finish(startOf(item), manner, fonts));
}

interface Builder {
  left: number;
  right: number;
  y: number;
  fontSize: number;
  items: PdfItem[];
}

function startOf(item: PdfItem): Builder {
  return { left: item.x, right: item.x + item.width, y: item.y, fontSize: item.fontSize, items: [item] };
}

function append(builder: Builder, item: PdfItem): void {
  builder.items.push(item);
  builder.left = Math.min(builder.left, item.x);
  builder.right = Math.max(builder.right, item.x + item.width);
  // Raised and lowered small text does not move the baseline.
  if (item.fontSize > builder.fontSize * 1.02) {
    builder.fontSize = item.fontSize;
    builder.y = item.y;
  }
}

function continues(builder: Builder, item: PdfItem): boolean {
  const size = Math.max(builder.fontSize, item.fontSize);
  if (!areOfOnePart(builder.items[0]!, item)) return false;
  const gap = Math.max(item.x - builder.right, builder.left - (item.x + item.width));
  const off = Math.abs(item.y - builder.y);
  if (off > offBaseline(builder, item))
    return isIndex(item, builder) && off <= size * 0.55 && Math.abs(gap) < size * 0.1;
  return gap < size * widestSpace && gap > -size * 0.6;
}

/** Text of one size shares its baseline; smaller text may be a subscript or superscript. */
function offBaseline(one: { fontSize: number }, other: { fontSize: number }): number {
  const [small, large] = [Math.min(one.fontSize, other.fontSize), Math.max(one.fontSize, other.fontSize)];
  return small < large * 0.85 ? large * 0.5 : large * 0.2;
}

/** A short sub- or superscript that is hardly smaller than the text: no other line is so close to a line. */
function isIndex({ text, fontSize }: PdfItem, builder: Builder): boolean {
  return fontSize <= builder.fontSize && /^(?:[\p{L}\p{N}*†‡+−-]{1,3}|\[\p{N}{1,3}\])$/u.test(text);
}

/** Bold text is sometimes produced by drawing it twice, slightly shifted. */
function isDrawnTwice(item: PdfItem, drawn: Map<string, PdfItem>): boolean {
  const before = drawn.get(item.text);
  drawn.set(item.text, item);
  if (before === undefined) return false;
  const hair = item.fontSize * 0.12;
  return Math.abs(before.x - item.x) < hair && Math.abs(before.y - item.y) < hair;
}

/** Files may draw the words of a line in any order. */
function joinNeighbours(builders: Builder[]): Builder[] {
  const byPlace = builders.map((builder, index) => ({ builder, index }));
  byPlace.sort((one, other) => one.builder.y - other.builder.y || one.builder.left - other.builder.left);
  const gone = new Set<Builder>();
  let row: Builder[] = [];
  const joinRow = () => {
    row.sort((one, other) => one.left - other.left);
    let last: Builder | undefined;
    for (const builder of row) {
      if (last !== undefined && touches(last, builder)) {
        for (const item of builder.items) append(last, item);
        gone.add(builder);
      } else last = builder;
    }
  };
  for (const { builder } of byPlace) {
    const first = row[0];
    if (first !== undefined && builder.y - first.y > Math.min(first.fontSize, builder.fontSize) * 0.2) {
      joinRow();
      row = [];
    }
    row.push(builder);
  }
  joinRow();
  return builders.filter((builder) => !gone.has(builder));
}

function areOfOnePart(one: PdfItem, other: PdfItem): boolean {
  return one.part === other.part && one.cell === other.cell;
}

function touches(one: Builder, other: Builder): boolean {
  if (!areOfOnePart(one.items[0]!, other.items[0]!)) return false;
  const size = Math.max(one.fontSize, other.fontSize);
  const gap = other.left - one.right;
  return gap < size * widestSpace && gap > -size * 0.25;
}

/** A gap of this many font sizes may separate the cells of a table, if the words around are closer together. */
const narrowestCellGap = 0.5;
const usualSpace = 0.3;

/** Cells of tables may be nearly as close as words; a gap that is much wider than the others separates them. */
function partedAtCells(builder: Builder): Builder[] {
  const items = builder.items.sort((one, other) => one.x - other.x);
  const gaps = items.slice(1).map((item, index) => (item.x - items[index]!.x - items[index]!.width) / builder.fontSize);
  if (!gaps.some((gap) => gap > narrowestCellGap)) return [builder];
  const spaces = gaps.filter((gap) => gap > narrowestSpace);
  for (const { text } of items) for (const _ of text.trim().match(/\s+/g) ?? []) spaces.push(usualSpace);
  spaces.sort((one, other) => one - other);
  // Without other spaces for comparison, the gap has to be obvious.
  const usual = spaces.length > 1 ? spaces[Math.floor((spaces.length - 1) / 2)]! : 0.4;
  const parts: Builder[] = [];
  for (const [index, item] of items.entries()) {
    const gap = gaps[index - 1] ?? Infinity;
    if (gap > narrowestCellGap && gap > usual * 1.6) parts.push(startOf(item));
    else append(parts.at(-1)!, item);
  }
  return parts;
}

function finish({ left, right, items, ...largest }: Builder, manner: Manner, fonts: PdfFonts): Fragment {
  const { part, cell } = items[0]!;
  const { y, fontSize } = largestWord(items, fonts, largest);
  const pieces = piecesOf(items, y, fontSize, manner);
  return {
    pieces,
    left,
    right,
    y,
    fontSize,
    fontName: mainFont(items),
    ...(part === undefined ? {} : { part }),
    ...(cell === undefined ? {} : { cell }),
  };
}

/** Words that are smaller than this share of the largest text are sub- and superscripts of a sign. */
const leastWord = 0.8;

/** Code and signs may be larger than the text they are in, which is no larger for it. */
function largestWord(items: readonly PdfItem[], fonts: PdfFonts, largest: Pick<Builder, "y" | "fontSize">) {
  let word: PdfItem | undefined;
  for (const item of items) {
    if (word !== undefined && item.fontSize <= word.fontSize) continue;
    if (/[\p{Lu}\p{Ll}\p{Lo}\p{N}]/u.test(item.text) && fonts.get(item.fontName)?.isMonospace !== true) word = item;
  }
  return word === undefined || word.fontSize < largest.fontSize * leastWord ? largest : word;
}

function mainFont(items: readonly PdfItem[]): string {
  const lengths = new Map<string, number>();
  for (const { fontName, text } of items) lengths.set(fontName, (lengths.get(fontName) ?? 0) + text.length);
  return [...lengths].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}
