/** Puts the runs of a page together to fragments: text on one baseline without a wide gap. */

import type { PdfItem } from "./page.ts";

/** A piece of a fragment in one font and with one address. */
export interface Piece {
  readonly text: string;
  readonly fontName: string;
  readonly url?: string;
}

export interface Fragment {
  readonly pieces: Piece[];
  readonly left: number;
  readonly right: number;
  /** The baseline of its largest text. */
  readonly y: number;
  readonly fontSize: number;
  /** The font of most of its text. */
  readonly fontName: string;
}

/** A gap of this many font sizes parts two fragments: wider than nearly all spaces between words. */
const widestSpace = 0.95;
/** A gap of this many font sizes is a space. */
const narrowestSpace = 0.12;

/** In the order in which the file draws them. */
export function fragmentsOf(items: readonly PdfItem[]): Fragment[] {
  const builders: Builder[] = [];
  const drawn = new Map<string, PdfItem>();
  const spaced = new Set<PdfItem>();
  let current: Builder | undefined;
  let isAfterSpace = false;
  for (const item of items) {
    if (item.text.trim() === "") {
      isAfterSpace ||= item.text !== "";
      continue;
    }
    if (isDrawnTwice(item, drawn)) continue;
    if (isAfterSpace) spaced.add(item);
    isAfterSpace = false;
    if (current === undefined || !continues(current, item)) {
      current = startOf(item);
      builders.push(current);
    } else append(current, item);
  }
  return joinNeighbours(builders).map((builder) => finish(builder, spaced));
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

function continues(builder: Builder, item: { x: number; y: number; width: number; fontSize: number }): boolean {
  const size = Math.max(builder.fontSize, item.fontSize);
  if (Math.abs(item.y - builder.y) > offBaseline(builder, item)) return false;
  const gap = Math.max(item.x - builder.right, builder.left - (item.x + item.width));
  return gap < size * widestSpace && gap > -size * 0.6;
}

/** Text of one size shares its baseline; smaller text may be an index. */
function offBaseline(one: { fontSize: number }, other: { fontSize: number }): number {
  const [small, large] = [Math.min(one.fontSize, other.fontSize), Math.max(one.fontSize, other.fontSize)];
  return small < large * 0.85 ? large * 0.5 : large * 0.2;
}

/** Bold text is sometimes made by drawing it twice, shifted by a hair. */
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

function touches(one: Builder, other: Builder): boolean {
  const size = Math.max(one.fontSize, other.fontSize);
  const gap = other.left - one.right;
  return gap < size * widestSpace && gap > -size * 0.25;
}

/** `spaced`: the runs that follow a drawn space. */
function finish({ left, right, y, fontSize, items }: Builder, spaced: ReadonlySet<PdfItem>): Fragment {
  const isRightToLeft = mostlyRightToLeft(items);
  items.sort((one, other) => (isRightToLeft ? other.x - one.x : one.x - other.x));
  const pieces: Piece[] = [];
  let end: number | undefined;
  for (const item of items) {
    const start = isRightToLeft ? -(item.x + item.width) : item.x;
    const gap = end === undefined ? 0 : (start - end) / Math.min(item.fontSize, fontSize);
    const isApart = gap > narrowestSpace || (spaced.has(item) && gap > -narrowestSpace);
    addPiece(pieces, item, isApart);
    end = isRightToLeft ? -item.x : item.x + item.width;
  }
  return { pieces, left, right, y, fontSize, fontName: mainFont(items) };
}

function addPiece(pieces: Piece[], { text, fontName, url }: PdfItem, isApart: boolean): void {
  const last = pieces.at(-1);
  const spaced = isApart && last !== undefined && !/\s$/.test(last.text) && !/^\s/.test(text) ? ` ${text}` : text;
  if (last !== undefined && last.fontName === fontName && last.url === url) {
    pieces[pieces.length - 1] = { ...last, text: last.text + spaced };
  } else pieces.push(url === undefined ? { text: spaced, fontName } : { text: spaced, fontName, url });
}

function mainFont(items: readonly PdfItem[]): string {
  const lengths = new Map<string, number>();
  for (const { fontName, text } of items) lengths.set(fontName, (lengths.get(fontName) ?? 0) + text.length);
  return [...lengths].reduce((most, next) => (next[1] > most[1] ? next : most))[0];
}

function mostlyRightToLeft(items: readonly PdfItem[]): boolean {
  let rightToLeft = 0;
  let letters = 0;
  for (const { text } of items) {
    letters += text.match(/\p{L}/gu)?.length ?? 0;
    rightToLeft += text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g)?.length ?? 0;
  }
  return rightToLeft * 2 > letters;
}

/** The text of pieces. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}
