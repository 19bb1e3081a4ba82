/** Writes blocks as markdown. */

import { setImmediate as turn } from "node:timers/promises";
import { codeSpan } from "../markdown/code-marks.ts";
import { escapeLineStart } from "../markdown/escape.ts";
import { escapeInline, escapeLinked, fenced, markdownHeading, markdownLink } from "../markdown/plain-to-markdown.ts";
import type { Block, TextBlock } from "./blocks.ts";
import { codeText } from "./code-text.ts";
import { inlineText, itemParts, type Setting, type Writing } from "./inline.ts";
import { ListDepths } from "./list-depths.ts";
import { type Piece, textOf } from "./pieces.ts";
import { joinedLines, noVocabulary } from "./words.ts";

const blocksATurn = 100;

const marks = { plain: escapeInline, linked: escapeLinked, code: codeSpan, link: markdownLink };

/** Gives way to the event loop, because a long document takes a while. */
export async function markdownOf(blocks: readonly Block[], setting: Setting): Promise<string> {
  const writing = { ...setting, marks };
  const parts: string[] = [];
  const depths = new ListDepths(setting.levels);
  /** The indents of the text of the open list items. */
  let indents: string[] = [];
  for (const [index, block] of blocks.entries()) {
    if (index % blocksATurn === 0) await turn();
    const depth = depths.next(block);
    if (depth === undefined) {
      indents = [];
      parts.push("\n\n", blockMarkdown(block, writing));
      continue;
    }
    const { number, text } = itemParts(block as TextBlock, writing);
    const mark = `${number ?? "-"} `;
    parts.push(indents.length > 0 ? "\n" : "\n\n");
    indents.length = depth;
    const indent = indents.at(-1) ?? "";
    indents.push(indent + " ".repeat(mark.length));
    parts.push(indent, mark, escapeLineStart(text));
  }
  return parts.join("").trim();
}

/** The plain text of a heading, for use as a title. */
export function headingText(block: TextBlock): string {
  return textOf(joinedLines(block.lines, noVocabulary)).replace(/\s+/g, " ").trim();
}

function blockMarkdown(block: Block, writing: Writing): string {
  if (block.kind === "table") return tableMarkdown(block.rows, writing);
  if (block.kind === "code") return fenced(codeText(block));
  const level = writing.levels.get(block);
  const text = inlineText(joinedLines(block.lines, writing.vocabulary), writing, level !== undefined);
  return level === undefined ? escapeLineStart(text) : markdownHeading(level, text);
}

function tableMarkdown(rows: readonly (readonly (readonly Piece[])[])[], writing: Writing): string {
  const lines = rows.map(
    (row) => `| ${row.map((cell) => inlineText(cell, writing).replaceAll("|", "\\|")).join(" | ")} |`,
  );
  lines.splice(1, 0, `|${" --- |".repeat(rows[0]!.length)}`);
  return lines.join("\n");
}
