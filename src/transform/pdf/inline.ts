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

/** Text of one kind: plain, code or a link. */
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
  return joinSplitLinks(stretches)
    .map((stretch) => withMarks(stretch, marks))
    .join("")
    .replace(/[.·](?:\s?[.·]){3,}/g, "…")
    .replace(/\s+/g, " ")
    .trim();
}

/** A link continues across the space at the end of a line. */
function joinSplitLinks(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    const [before, space] = [joined.at(-2), joined.at(-1)];
    if (
      stretch.url !== undefined &&
      before?.url === stretch.url &&
      space?.text.trim() === "" &&
      before.isCode === stretch.isCode &&
      before.isRaised === stretch.isRaised
    ) {
      joined.pop();
      before.text += space.text + stretch.text;
    } else joined.push({ ...stretch });
  }
  return joined;
}

function withMarks({ text, isCode, isRaised, url }: Stretch, marks: Marks): string {
  const inner = text.trim();
  if (inner === "") return text;
  const [start, end] = [/^\s/.test(text) ? " " : "", /\s$/.test(text) ? " " : ""];
  const plain = isCode ? marks.code(inner) : marks.plain(inner);
  const raised = isRaised ? `<sup>${plain}</sup>` : plain;
  return start + (url === undefined ? raised : marks.link(raised, url)) + end;
}
