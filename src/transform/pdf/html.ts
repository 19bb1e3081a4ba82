/** Writes blocks as HTML. */

import { setImmediate as turn } from "node:timers/promises";
import { bareDocument, preformatted } from "../html/text-document.ts";
import { escapeAttribute, escapeText } from "../html/write-html.ts";
import type { Block, TextBlock } from "./blocks.ts";
import { codeText } from "./code-text.ts";
import { inlineText, itemParts, type Setting, type Writing } from "./inline.ts";
import { ListDepths } from "./list-depths.ts";
import type { Piece } from "./pieces.ts";
import { joinedLines } from "./words.ts";

const blocksATurn = 100;

const marks = {
  plain: escapeText,
  linked: escapeText,
  code: (text: string) => `<code>${escapeText(text)}</code>`,
  link: (html: string, url: string) => `<a href="${escapeAttribute(url)}">${html}</a>`,
};

/** Gives way to the event loop, because a long document takes a while. */
export async function htmlOf(blocks: readonly Block[], setting: Setting): Promise<string> {
  const writing = { ...setting, marks };
  const parts: string[] = [];
  const depths = new ListDepths(setting.levels);
  const lists = new OpenLists(parts);
  for (const [index, block] of blocks.entries()) {
    if (index % blocksATurn === 0) await turn();
    const depth = depths.next(block);
    if (depth === undefined) {
      lists.closeTo(0);
      parts.push(blockHtml(block, writing));
      continue;
    }
    const { number, value, text } = itemParts(block as TextBlock, writing);
    lists.add(depth, number === undefined ? "ul" : "ol", value);
    parts.push(text);
  }
  lists.closeTo(0);
  return bareDocument(parts.join(""));
}

/** The lists around the next item, each with an open item. */
class OpenLists {
  readonly #parts: string[];
  readonly #names: string[] = [];

  constructor(parts: string[]) {
    this.#parts = parts;
  }

  add(depth: number, name: "ul" | "ol", start: number): void {
    this.closeTo(depth + 1);
    if (this.#names[depth] === name) {
      this.#parts.push("</li><li>");
      return;
    }
    this.closeTo(depth);
    this.#names.push(name);
    this.#parts.push(name === "ol" && start !== 1 ? `<ol start="${start}"><li>` : `<${name}><li>`);
  }

  closeTo(depth: number): void {
    while (this.#names.length > depth) this.#parts.push(`</li></${this.#names.pop()}>`);
  }
}

function blockHtml(block: Block, writing: Writing): string {
  if (block.kind === "table") return tableHtml(block.rows, writing);
  if (block.kind === "code") return preformatted(codeText(block));
  const level = writing.levels.get(block);
  const text = inlineText(joinedLines(block.lines, writing.vocabulary), writing, level !== undefined);
  return level === undefined ? `<p>${text}</p>` : `<h${level}>${text}</h${level}>`;
}

function tableHtml([head, ...rows]: readonly (readonly (readonly Piece[])[])[], writing: Writing): string {
  const rowHtml = (cells: readonly (readonly Piece[])[], name: "th" | "td") =>
    `<tr>${cells.map((cell) => `<${name}>${inlineText(cell, writing)}</${name}>`).join("")}</tr>`;
  return `<table><thead>${rowHtml(head!, "th")}</thead><tbody>${rows.map((row) => rowHtml(row, "td")).join("")}</tbody></table>`;
}
