/** Blocks to markdown. */

import { setImmediate as turn } from "node:timers/promises";
import { codeSpan } from "../markdown/code-marks.ts";
import { escapeInline, escapeLineStart, fenced, markdownLink } from "../markdown/plain-to-markdown.ts";
import type { Block, TextBlock } from "./blocks.ts";
import type { PdfFonts } from "./page.ts";
import type { Piece } from "./pieces.ts";
import type { BodyStyle } from "./style.ts";
import { addWords, joinedLines, type Vocabulary } from "./words.ts";

const blocksATurn = 100;

export interface Setting {
  readonly levels: ReadonlyMap<Block, number>;
  readonly fonts: PdfFonts;
  readonly body: BodyStyle;
}

interface Context extends Setting {
  readonly vocabulary: Vocabulary;
}

/** Gives the event loop its turns: a long document takes a while. */
export async function markdownOf(blocks: readonly Block[], setting: Setting): Promise<string> {
  const vocabulary = new Set<string>();
  const context = { ...setting, vocabulary };
  for (const [index, block] of blocks.entries()) {
    if (block.kind === "text") for (const line of block.lines) addWords(vocabulary, line);
    if (index % blocksATurn === 0) await turn();
  }
  const parts: string[] = [];
  /** The open list items: where their marks stand, and how far their text is set in. */
  let items: { left: number; indent: string }[] = [];
  let wasItem = false;
  for (const [index, block] of blocks.entries()) {
    if (index % blocksATurn === 0) await turn();
    const isItem = block.kind === "text" && block.marker !== undefined && !context.levels.has(block);
    if (isItem) {
      const left = block.lines[0]!.left;
      if (block.depth === undefined) items = items.filter((item) => item.left < left - block.fontSize * 0.5);
      else items.length = Math.min(items.length, block.depth - 1);
      const { mark, text } = itemParts(block, context);
      const indent = items.at(-1)?.indent ?? "";
      items.push({ left, indent: indent + " ".repeat(mark.length) });
      parts.push(wasItem ? "\n" : "\n\n", indent, mark, text);
    } else {
      items = [];
      parts.push("\n\n", blockMarkdown(block, context));
    }
    wasItem = isItem;
  }
  return parts.join("").trim();
}

/** The plain text of a heading, for a title. */
export function headingText(block: TextBlock): string {
  return joinedLines(block.lines, new Set())
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function blockMarkdown(block: Block, context: Context): string {
  if (block.kind === "table") return tableMarkdown(block.rows, context);
  if (block.kind === "code") return fenced(codeText(block));
  const level = context.levels.get(block);
  const text = inline(joinedLines(block.lines, context.vocabulary), context, level !== undefined);
  return level === undefined ? escapeLineStart(text) : `${"#".repeat(level)} ${text}`;
}

function itemParts(block: TextBlock, context: Context): { mark: string; text: string } {
  const { isBullet, value, style, rest } = block.marker!;
  const pieces = joinedLines(block.lines, context.vocabulary);
  const isNumber = /^1[.)]$/.test(style);
  // A mark that markdown does not know stays as text.
  const text = inline(
    isBullet || isNumber ? withoutStart(pieces, block.lines[0]!.text.trim().length - rest.length) : pieces,
    context,
    false,
  );
  return { mark: isNumber ? `${value}${style[1]} ` : "- ", text: escapeLineStart(text) };
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

function tableMarkdown(rows: readonly (readonly (readonly Piece[])[])[], context: Context): string {
  const lines = rows.map(
    (row) => `| ${row.map((cell) => inline(cell, context, false).replaceAll("|", "\\|")).join(" | ")} |`,
  );
  lines.splice(1, 0, `|${" --- |".repeat(rows[0]!.length)}`);
  return lines.join("\n");
}

/** Text of one kind: plain, code or a link. */
interface Stretch {
  text: string;
  readonly isCode: boolean;
  readonly isRaised: boolean;
  readonly url: string | undefined;
}

function inline(pieces: readonly Piece[], { fonts, body }: Context, isHeading: boolean): string {
  const stretches: Stretch[] = [];
  for (const { text, fontName, url, isRaised = false } of pieces) {
    const isSpace = text.trim() === "";
    // Leading dots and lone quotes are often in a monospace font by accident.
    const isWord = /[\p{L}\p{N}]|[^\s.]{2}/u.test(text);
    const isCode = !isHeading && !isRaised && isWord && !body.isMonospace && fonts.get(fontName)?.isMonospace === true;
    const last = stretches.at(-1);
    const isSame = last?.isCode === isCode && last.isRaised === isRaised;
    if (last !== undefined && last.url === url && (isSame || (isSpace && !last.isCode && !last.isRaised)))
      last.text += text;
    else stretches.push({ text, isCode, isRaised, url });
  }
  return joinSplitLinks(stretches)
    .map(stretchMarkdown)
    .join("")
    .replace(/\.(?:\s?\.){3,}/g, "…")
    .replace(/\s+/g, " ")
    .trim();
}

/** A link goes on over the space at the end of a line. */
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

function stretchMarkdown({ text, isCode, isRaised, url }: Stretch): string {
  const inner = text.trim();
  if (inner === "") return text;
  const [start, end] = [/^\s/.test(text) ? " " : "", /\s$/.test(text) ? " " : ""];
  const plain = isCode ? codeSpan(inner) : escapeInline(inner);
  const markdown = isRaised ? `<sup>${plain}</sup>` : plain;
  return start + (url === undefined ? markdown : markdownLink(markdown, url)) + end;
}

/** The lines of code, set in as they are on the page. */
function codeText({ lines }: TextBlock): string {
  const left = lines.reduce((least, line) => Math.min(least, line.left), Infinity);
  const characters = lines.reduce(
    (sum, { cells }) => sum + cells.reduce((all, { pieces }) => all + lengthOf(pieces), 0),
    0,
  );
  const width = lines.reduce((sum, { cells }) => sum + cells.reduce((all, cell) => all + cell.right - cell.left, 0), 0);
  const each = width / Math.max(1, characters) || 1;
  return lines
    .map((line, index) => {
      const above = lines[index - 1];
      const isApart = above !== undefined && line.y - above.y > line.fontSize * 1.9;
      let text = "";
      for (const cell of line.cells) {
        const column = Math.round((cell.left - left) / each);
        text += " ".repeat(Math.min(200, Math.max(text === "" ? 0 : 1, column - text.length)));
        text += cell.pieces.map((piece) => piece.text).join("");
      }
      return (isApart ? "\n" : "") + text.trimEnd();
    })
    .join("\n");
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
