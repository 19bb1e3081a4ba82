/** Writes the content of a line: text, code, superscripts and links, in markdown or HTML. */

import type { Block, TextBlock } from "./blocks.ts";
import { isPlainNumber } from "./list-markers.ts";
import type { PdfFonts } from "./page.ts";
import type { Piece } from "./pieces.ts";
import type { BodyStyle } from "./style.ts";
import { joinedLines, type Vocabulary } from "./words.ts";

/** How an output format marks the content of a line. */
interface Marks {
  plain(text: string): string;
  /** Plain text within a link. */
  linked(text: string): string;
  code(text: string): string;
  /** A link around text that is already marked up. */
  link(marked: string, url: string): string;
}

/** What is known about a document when its blocks are written. */
export interface Setting {
  readonly levels: ReadonlyMap<Block, number>;
  readonly fonts: PdfFonts;
  readonly body: BodyStyle;
  readonly vocabulary: Vocabulary;
}

export interface Writing extends Setting {
  readonly marks: Marks;
}

/**
 * The text of an item without its mark, and its number. A mark that is neither a bullet nor a number stays in the text.
 */
export function itemParts(block: TextBlock, writing: Writing): { number?: string; value: number; text: string } {
  const marker = block.marker!;
  const { isBullet, value, style, rest } = marker;
  const pieces = joinedLines(block.lines, writing.vocabulary);
  const isNumber = isPlainNumber(marker);
  const text = inlineText(
    isBullet || isNumber ? withoutStart(pieces, block.lines[0]!.text.trim().length - rest.length) : pieces,
    writing,
  );
  return { ...(isNumber ? { number: `${value}${style[1]}` } : {}), value, text };
}

/** Leaves out the first characters that are not white space. */
function withoutStart(pieces: readonly Piece[], length: number): Piece[] {
  const kept: Piece[] = [];
  let left = length;
  for (const piece of pieces) {
    const text = left > 0 && left === length ? piece.text.trimStart() : piece.text;
    kept.push({ ...piece, text: text.slice(left) });
    left = Math.max(0, left - text.length);
  }
  return kept;
}

/** Text of one kind: plain, code or raised, in a link or not. */
interface Stretch {
  text: string;
  readonly isCode: boolean;
  readonly isRaised: boolean;
  readonly url: string | undefined;
}

/** The pieces on one line. In a heading, a monospace font does not mean code. */
export function inlineText(pieces: readonly Piece[], { fonts, body, marks }: Writing, isHeading = false): string {
  const stretches: Stretch[] = [];
  for (const { text, fontName, url, isRaised = false } of pieces) {
    const isSpace = text.trim() === "";
    // Dot leaders and lone quotes are often in a monospace font by accident.
    const isWord = /[\p{L}\p{N}]|[^\s.]{2}/u.test(text);
    const isCode = !isHeading && !isRaised && isWord && !body.isMonospace && fonts.get(fontName)?.isMonospace === true;
    const last = stretches.at(-1);
    const isSame = last?.isCode === isCode && last.isRaised === isRaised;
    if (last !== undefined && last.url === url && (isSame || (isSpace && !last.isCode && !last.isRaised)))
      last.text += text;
    else stretches.push({ text, isCode, isRaised, url });
  }
  return byLink(stretches)
    .map(({ url, parts }) => marked(parts, url, marks))
    .join("")
    .replace(/[.·](?:\s?[.·]){3,}/g, "…")
    .replace(/\s+/g, " ")
    .trim();
}

/** What follows one another under one address, or under none. */
interface Span {
  readonly url: string | undefined;
  readonly parts: Stretch[];
}

/** A link continues across the space at the end of a line. */
function byLink(stretches: readonly Stretch[]): Span[] {
  const spans: Span[] = [];
  for (const stretch of stretches) {
    const [before, last] = [spans.at(-2), spans.at(-1)];
    const isBroken =
      stretch.url !== undefined && before?.url === stretch.url && last!.parts.every(({ text }) => text.trim() === "");
    if (isBroken) {
      before.parts.push(...spans.pop()!.parts, stretch);
    } else if (last !== undefined && last.url === stretch.url) last.parts.push(stretch);
    else spans.push({ url: stretch.url, parts: [stretch] });
  }
  return spans;
}

/** Marks within a link are within its text; the space around it is not. */
function marked(parts: readonly Stretch[], url: string | undefined, marks: Marks): string {
  const write = (part: Stretch) => withMarks(part, url === undefined ? marks.plain : marks.linked, marks);
  if (url === undefined) return parts.map(write).join("");
  const text = joinSame(parts)
    .map((part) => write({ ...part, text: unbroken(part.text, url) }))
    .join("");
  const inner = text.trim();
  if (inner === "") return text;
  return `${/^\s/.test(text) ? " " : ""}${marks.link(inner, url)}${/\s$/.test(text) ? " " : ""}`;
}

/** An address that is its own text has no spaces, and no hyphens other than its own, where a line ends. */
function unbroken(text: string, url: string): string {
  if (!/\S\s+\S/.test(text)) return text;
  const address = url.toLowerCase();
  // The space around it stays.
  const whole = [/(?<=\S)\s+(?=\S)/g, /-\s+(?=\S)/g].map((gap) => text.replace(gap, ""));
  return whole.find((one) => /^\s*[a-z]+:\/\/\S+\s*$/i.test(one) && address.includes(one.trim().toLowerCase())) ?? text;
}

/** Stretches of one kind, with the space between them, as one. */
function joinSame(parts: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const part of parts) {
    const [before, last] = [joined.at(-2), joined.at(-1)];
    if (last !== undefined && isSameKind(last, part)) last.text += part.text;
    else if (before !== undefined && last!.text.trim() === "" && isSameKind(before, part)) {
      joined.pop();
      before.text += last!.text + part.text;
    } else joined.push({ ...part });
  }
  return joined;
}

function isSameKind(one: Stretch, other: Stretch): boolean {
  return one.isCode === other.isCode && one.isRaised === other.isRaised;
}

function withMarks({ text, isCode, isRaised }: Stretch, asText: Marks["plain"], marks: Marks): string {
  const inner = text.trim();
  if (inner === "") return text;
  const [start, end] = [/^\s/.test(text) ? " " : "", /\s$/.test(text) ? " " : ""];
  const plain = isCode ? marks.code(inner) : asText(inner);
  return start + (isRaised ? `<sup>${plain}</sup>` : plain) + end;
}
