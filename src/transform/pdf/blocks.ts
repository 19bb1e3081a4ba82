/** Joins the lines of a region into blocks: paragraphs, list items, possible headings, code. */

import { arePages, continuesPages, hasLeader, isDottedEntry, isFullEntry } from "./contents-lists.ts";
import { type Marker, markerOf } from "./list-markers.ts";
import { quantile } from "./measures.ts";
import type { PdfFonts } from "./page.ts";
import { textOf } from "./pieces.ts";
import { isMostlyRightToLeft } from "./right-to-left.ts";
import type { Line } from "./rows.ts";
import type { BodyStyle } from "./style.ts";
import type { Table } from "./tables.ts";
import { wideLetters } from "./wide-fonts.ts";

export interface TextBlock {
  readonly kind: "text" | "code";
  readonly lines: Line[];
  /** The mark of the list item that the block is. */
  readonly marker?: Marker;
  /** From the tags, if they tell: the level of a heading, or the depth of an item's list. */
  readonly level?: number;
  readonly depth?: number;
  readonly fontSize: number;
  readonly isBold: boolean;
  /** Its first line is indented. */
  readonly isIndented: boolean;
  /** The right edge of the surrounding text, at which lines are broken. */
  readonly edge: number;
}

export interface TableBlock {
  readonly kind: "table";
  readonly rows: Table["rows"];
  readonly columns?: Table["columns"];
}

export type Block = TextBlock | TableBlock;

/** The blocks of one region, in order. */
export function blocksOf(given: readonly (Line | Table)[], fonts: PdfFonts, body: BodyStyle): Block[] {
  const content = readFromLeft(given);
  const lines = content.filter((part) => "text" in part);
  const shape = shapeOf(lines);
  const blocks: Block[] = [];
  let open: TextBlock | undefined;
  for (const part of content) {
    if (!("text" in part)) {
      open = undefined;
      blocks.push({ kind: "table", rows: part.rows, ...(part.columns === undefined ? {} : { columns: part.columns }) });
      continue;
    }
    const start = startOf(part, shape, fonts, body);
    const next = start.kind === "code" && open?.kind === "text" && isAddress(part) ? asText(start) : start;
    if (open !== undefined && completesEntry(open, part, next, shape)) {
      open.lines.push(part);
      if (open.marker?.isBullet !== true) open = { ...open, marker: entry(open.lines[0]!) };
      blocks[blocks.length - 1] = open;
    } else if (open !== undefined && continues(open, part, next, shape, body)) open.lines.push(part);
    else {
      open = start;
      blocks.push(open);
    }
  }
  return blocks;
}

/** Mirrors lines that run from right to left, so that all later code may take the left for the start. */
function readFromLeft(content: readonly (Line | Table)[]): readonly (Line | Table)[] {
  const isMirrored = isMostlyRightToLeft(content.map((part) => ("text" in part ? part.text : "")).join(""));
  if (!isMirrored) return content;
  return content.map((part) => ("text" in part ? { ...part, left: -part.right, right: -part.left } : part));
}

/** One block of text from all these lines. */
export function textBlock(lines: Line[], fonts: PdfFonts, body: BodyStyle): TextBlock {
  const { marker: _, ...block } = startOf(lines[0]!, shapeOf(lines), fonts, body);
  return { ...block, kind: "text", lines };
}

/** The typesetting of a region's lines. */
interface Shape {
  readonly left: number;
  readonly right: number;
  /** The usual distance between baselines in font sizes. */
  readonly leading: number;
  /** Enough of the lines lead to page numbers. */
  readonly isIndex: boolean;
}

/** Of an index: lines that lead to page numbers, and their share of all, since an entry may take several lines. */
const fewestEntries = 4;
const leastEntries = 0.4;

function shapeOf(lines: readonly Line[]): Shape {
  const lefts = lines.map(({ left }) => left);
  const rights = lines.map(({ right }) => right);
  const leadings = lines
    .slice(1)
    .map((line, index) => ({ line, above: lines[index]! }))
    .filter(({ line, above }) => Math.abs(line.fontSize - above.fontSize) < 0.6)
    .map(({ line, above }) => (line.y - above.y) / line.fontSize)
    .filter((leading) => leading > 0.7 && leading < 2.6);
  return {
    left: quantile(lefts, 0.1) ?? 0,
    right: quantile(rights, 0.9) ?? 0,
    // Most distances are within paragraphs, but not in a region of headings and short notes.
    leading: quantile(leadings, 0.3) ?? 1.2,
    isIndex: areEntries(lines),
  };
}

function areEntries(lines: readonly Line[]): boolean {
  const dotted = lines.filter(({ text }) => isDottedEntry(text)).length;
  const entries = dotted + lines.filter(({ text }) => arePages(text)).length;
  return dotted > 0 && entries >= fewestEntries && entries >= lines.length * leastEntries;
}

function startOf(line: Line, shape: Shape, fonts: PdfFonts, body: BodyStyle): TextBlock {
  const isCode = !shape.isIndex && isCodeLine(line, fonts, body);
  const isEntry = line.isEntry || hasLeader(line.text) || (shape.isIndex && isEntryWithoutDots(line, shape));
  const marker = isCode ? undefined : isEntry ? entry(line) : markerOf(line.text.trim());
  return {
    kind: isCode ? "code" : "text",
    lines: [line],
    ...(marker === undefined ? {} : { marker }),
    fontSize: line.fontSize,
    isBold: isMostly(line, (name) => fonts.get(name)?.isBold === true),
    isIndented: line.left > shape.left + line.fontSize * 0.8,
    edge: shape.right,
  };
}

/** It has no room for dots, or a gap instead. */
function isEntryWithoutDots(line: Line, shape: Shape): boolean {
  const isFull = line.right > shape.right - line.fontSize * titleMargin;
  return (isFull && isFullEntry(line.text)) || isContentsEntry(line);
}

const entryStyle = "…";

/** The lines of a table of contents are a list without marks. */
function entry(line: Line): Marker {
  return { isBullet: true, value: 0, style: entryStyle, rest: line.text.trim() };
}

/** A line in a monospace font, in a document that is not set in one altogether. */
export function isCodeLine(line: Line, fonts: PdfFonts, body: BodyStyle): boolean {
  if (body.isMonospace || hasLeader(line.text)) return false;
  // It is the name of a function as a heading; code itself is hardly larger than the surrounding text.
  if (line.fontSize > body.size * 1.1) return false;
  const isMonospace = (name: string) => fonts.get(name)?.isMonospace === true;
  // A mark of a list in another font.
  if (!isMonospace(line.pieces[0]!.fontName) || isOwnLink(line)) return false;
  return isMostly(line, isMonospace, foreignLetters(line, isMonospace));
}

/** An address, or the rest of one from the line above, that leads to itself: papers set addresses as they set code. */
function isOwnLink({ pieces }: Line): boolean {
  const words = pieces.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return words.length > 0 && words.every(({ text, url }) => url?.includes(text.trim()) === true);
}

/** It ends a sentence or a reference if it follows its text directly; below a gap it is an example. */
function isAddress({ text }: Line): boolean {
  return /^(?:https?:\/\/|www\.)\S+$/.test(text.trim());
}

const asText = (block: TextBlock): TextBlock => ({ ...block, kind: "text" });

/** Text in quotes, and comments. */
const quotesAndComment = /"[^"]*"|'[^']*'|(?:^|\s)(?:[%#;]+|\/[/*]+|--)(?:\s|[\u2e80-\uffff]).*$/g;

/**
 * Fonts for code often lack the characters of a Chinese comment; counts those of the line that are therefore in another
 * font.
 */
function foreignLetters({ pieces, text }: Line, isMonospace: (fontName: string) => boolean): number {
  const foreign = pieces.filter((piece) => !isMonospace(piece.fontName) && wideLetters(piece.text) > 0);
  if (foreign.length === 0 || wideLetters(text.replace(quotesAndComment, "")) > 0) return 0;
  return textOf(foreign).length;
}

/** True if nearly all of the line's text, not counting `others` characters, is in such a font. */
function isMostly({ pieces, text }: Line, has: (fontName: string) => boolean, others = 0): boolean {
  const length = textOf(pieces.filter(({ fontName }) => has(fontName))).length;
  return length >= (text.length - others) * 0.9;
}

/** True if the line continues the block; `next` is the block that it would start. */
function continues(open: TextBlock, line: Line, next: TextBlock, shape: Shape, body: BodyStyle): boolean {
  const last = open.lines.at(-1)!;
  const first = open.lines[0]!;
  const leading = (line.y - last.y) / Math.max(line.fontSize, last.fontSize);
  if (open.kind !== next.kind || leading <= 0) return false;
  if (last.isEntry || hasLeader(last.text) || open.marker?.style === entryStyle) return false;
  if (open.kind === "code") return leading < Math.max(3.2, shape.leading * 2.2);
  if (Math.abs(line.fontSize - last.fontSize) > last.fontSize * 0.08) return false;
  if (leading > shape.leading * 1.25 + 0.1) return false;

  const isHeading = open.fontSize > body.size * 1.1;
  if (isHeading) return open.isBold === next.isBold && next.marker === undefined && !beginsBefore(line, last);
  if (next.marker !== undefined && startsItem(next.marker, line, open)) return false;
  if (open.isBold !== next.isBold && (open.isBold ? isAlone(open, shape) : isAlone(next, shape))) return false;
  if (isIndented(line, last, first, open)) return false;
  return !couldHaveHeld(last, line, open);
}

/** A heading at the left, below a title in the middle of the page, is another one, though both may be of one size. */
function beginsBefore(line: Line, last: Line): boolean {
  const isAtRight = Math.abs(line.right - last.right) < line.fontSize * 0.5;
  return line.left < last.left - line.fontSize * 3 && !isCentred(line, last) && !isAtRight;
}

function isCentred(line: Line, last: Line): boolean {
  return Math.abs(line.left + line.right - last.left - last.right) < line.fontSize * 0.5;
}

/** The right margin of titles in a table of contents, in font sizes. */
const titleMargin = 3;

/**
 * True if the line ends an entry that takes several lines: a title that was broken within a word or where the next one had
 * no room, or page numbers after a comma.
 */
function completesEntry(open: TextBlock, line: Line, next: TextBlock, shape: Shape): boolean {
  const last = open.lines.at(-1)!;
  const end = last.text.trim();
  const leading = (line.y - last.y) / Math.max(line.fontSize, last.fontSize);
  if (open.kind === "code" || leading <= 0 || leading > shape.leading * 1.25 + 0.1) return false;
  const isOpenEntry = open.marker?.style === entryStyle;
  if (continuesPages(end, line.text)) return isOpenEntry || shape.isIndex;
  if (isOpenEntry || next.marker?.style !== entryStyle || !(line.isEntry || isDottedEntry(line.text))) return false;
  if (open.isBold !== next.isBold || Math.abs(line.fontSize - last.fontSize) > last.fontSize * 0.08) return false;
  if (/\p{L}[-‐\u00ad]$/u.test(end)) return true;
  return !/[.:;!?]$/.test(end) && open.edge - last.right < widthOfStart(line) + line.fontSize * titleMargin;
}

/** An entry that leads to a page, with dots or by a wide gap before the number. */
export function isContentsEntry({ text, cells, fontSize }: Line): boolean {
  const [before, last] = cells.slice(-2);
  if (hasLeader(text) || before === undefined || last === undefined) return hasLeader(text);
  return /^\d{1,4}$/.test(textOf(last.pieces).trim()) && last.left - before.right > fontSize * 3;
}

/**
 * A number at the start of a line may be part of the text; a list starts with its first number or continues with the
 * next.
 */
function startsItem(marker: Marker, line: Line, open: TextBlock): boolean {
  if (marker.isBullet && !/^[-–—*∗+o]$/.test(marker.style)) return true;
  const isBesideItem = open.marker !== undefined && open.marker.style === marker.style;
  if (isBesideItem) return marker.isBullet || marker.value === open.marker!.value + 1;
  const isShort = open.lines.at(-1)!.right < open.edge - line.fontSize * 3;
  return (marker.isBullet || marker.value === 1) && (isShort || /[:.]$/.test(open.lines.at(-1)!.text.trim()));
}

/** A bold line that ends well before the edge is a heading, not the bold part of a sentence. */
function isAlone(block: TextBlock, shape: Shape): boolean {
  return block.lines.at(-1)!.right < shape.right - block.fontSize * 3;
}

/** In font sizes: what begins further to the right than this is no first line of what is below it. */
const farthestIndent = 12;

/** The first line of a paragraph is indented or, in lists of references, all the others are. */
function isIndented(line: Line, last: Line, first: Line, open: TextBlock): boolean {
  const indent = line.fontSize * 0.8;
  if (isCentred(line, last)) return false;
  const isShort = last.right < open.edge - line.fontSize * 2;
  if (open.marker !== undefined) return line.left < first.left - indent && isShort;
  const isHanging = open.lines.length > 1 ? last.left > first.left + indent : false;
  if (isHanging) return line.left < last.left - indent;
  if (line.left < last.left - indent)
    return open.lines.length > 1 || line.left < last.left - farthestIndent * line.fontSize;
  return line.left > last.left + indent && (open.lines.length > 1 || isShort);
}

/** The line above had room for this one's first word, so it was ended deliberately. */
function couldHaveHeld(last: Line, line: Line, open: TextBlock): boolean {
  // Addresses are broken at their signs, however much room is left.
  const address = last.pieces.at(-1)!.url;
  if (address !== undefined && address === line.pieces[0]!.url) return false;
  const room = open.edge - last.right;
  if (room < widthOfStart(line) + line.fontSize * 1.5) return false;
  // A sentence that plainly continues does so, whatever the room.
  return !(/[\p{Ll},;–-]$/u.test(last.text.trim()) && /^\p{Ll}/u.test(line.text.trim()));
}

/** The width of a line's first word and a space. */
function widthOfStart({ text, left, right }: Line): number {
  const word = text.trim().split(/\s/, 1)[0]!.length;
  return ((right - left) / Math.max(1, text.length)) * (word + 1);
}
