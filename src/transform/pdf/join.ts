/** Joins paragraphs, tables and code that are interrupted by the end of a column or page. */

import { type Block, isContentsEntry, type TableBlock, type TextBlock } from "./blocks.ts";
import { continuesPages } from "./contents-lists.ts";
import { extentOf } from "./measures.ts";
import { textOf } from "./pieces.ts";
import type { BodyStyle } from "./style.ts";

/** Notes and captions may be between the two halves; this many blocks are skipped at most. */
const farthest = 8;

/** The blocks of all regions in one list. */
export function joinRegions(regions: readonly (readonly Block[])[], body: BodyStyle): Block[] {
  const joined: Block[] = [];
  const indents = usesIndents(regions);
  for (const blocks of regions) {
    const rest = withoutTitle(blocks, joined);
    for (const [index, block] of rest.entries()) {
      const before = joined.at(-1);
      if (index > 0) joined.push(block);
      else if (block.kind === "table" && before?.kind === "table" && isSameTable(before, block)) {
        joined[joined.length - 1] = { ...block, rows: [...before.rows, ...withoutHeader(block.rows, before.rows)] };
      } else if (block.kind === "code" && before?.kind === "code" && isBelow(before, block)) {
        for (const line of block.lines) before.lines.push(line);
      } else {
        const open = block.kind === "text" ? unfinished(joined, block, body, indents) : undefined;
        if (open === undefined) joined.push(block);
        else for (const line of (block as TextBlock).lines) open.lines.push(line);
      }
    }
  }
  return joined;
}

/** A table at the top of a page continues one at the end of the page before. */
function isSameTable(before: TableBlock, block: TableBlock): boolean {
  return before.rows[0]!.length === block.rows[0]!.length;
}

/** Code at the top of a page continues code at the end of the page before, but not code in another column. */
function isBelow(before: TextBlock, block: TextBlock): boolean {
  // The page may end within code that is indented, in a block that begins with such a line.
  const [left, right] = [extentOf(before.lines).left - 1, before.edge];
  return block.lines.every((line) => line.left >= left && line.left < right);
}

/** A table that continues on the next page may repeat its title there; the repetition is dropped. */
function withoutTitle(blocks: readonly Block[], joined: readonly Block[]): readonly Block[] {
  const [title, table] = blocks;
  const [first, before] = joined.slice(-2);
  if (title?.kind !== "text" || first?.kind !== "text" || before?.kind !== "table" || table?.kind !== "table")
    return blocks;
  const isSame = textOfLines(title) === textOfLines(first) && isSameTable(before, table);
  return isSame && withoutHeader(table.rows, before.rows).length < table.rows.length ? blocks.slice(1) : blocks;
}

function textOfLines({ lines }: TextBlock): string {
  return lines.map(({ text }) => text.trim()).join(" ");
}

/** Most rows of a header. */
const mostHeaderRows = 3;

/** Drops a header that the next page repeats. */
function withoutHeader(rows: TableBlock["rows"], header: TableBlock["rows"]): TableBlock["rows"] {
  const textOfRow = (row: TableBlock["rows"][number] = []) => row.map((cell) => textOf(cell).trim()).join("|");
  const other = rows.findIndex((row, index) => textOfRow(row) !== textOfRow(header[index]));
  // Tables that are entirely identical are copies.
  return rows.slice(other < 0 ? 1 : Math.min(other, mostHeaderRows));
}

/** True if most paragraphs are indented, so that one that is not continues another. */
function usesIndents(regions: readonly (readonly Block[])[]): boolean {
  // The first one in a region may be the rest of a paragraph, and the first after a heading is often not indented.
  const paragraphs = regions.flatMap((blocks) =>
    blocks.filter((block, index) => index > 0 && block.kind === "text" && block.lines.length > 1 && !block.marker),
  ) as TextBlock[];
  return paragraphs.length >= 3 && paragraphs.filter(({ isIndented }) => isIndented).length > paragraphs.length * 0.6;
}

/** The block that `next` continues. */
function unfinished(
  joined: readonly Block[],
  next: TextBlock,
  body: BodyStyle,
  indents: boolean,
): TextBlock | undefined {
  if (next.marker?.isAssumed) return unfinishedItem(joined.at(-1), next);
  if (next.marker !== undefined || next.fontSize > body.size * 1.1) return undefined;
  for (let back = 1; back <= Math.min(farthest, joined.length); back++) {
    const block = joined.at(-back)!;
    if (block.kind !== "text") continue;
    if (Math.abs(block.fontSize - next.fontSize) < 0.6) return goesOn(block, next, indents) ? block : undefined;
    // A heading ends what is before it; smaller text is a note.
    if (block.fontSize > next.fontSize) return undefined;
  }
  return undefined;
}

/** An item that continues on a page looks like a new one without a mark. */
function unfinishedItem(block: Block | undefined, next: TextBlock): TextBlock | undefined {
  if (block?.kind !== "text" || block.marker === undefined || block.depth !== next.depth) return undefined;
  // If no item shows a mark, a full line is required as evidence: the last of several, by which fullness is measured.
  const isLikely = !block.marker.isAssumed || (block.lines.length > 1 && isFull(block));
  return isLikely && goesOn(block, next, false) ? block : undefined;
}

function isFull({ lines, edge, fontSize }: TextBlock): boolean {
  return lines.at(-1)!.right > edge - fontSize * 2;
}

function goesOn(open: TextBlock, next: TextBlock, indents: boolean): boolean {
  const last = open.lines.at(-1)!;
  const end = last.text.trim();
  const start = next.lines[0]!.text.trim();
  // After the last entry of a table of contents, something else begins, with whatever letter.
  if (last.isEntry || isContentsEntry(last)) return continuesPages(end, start);
  if (/[\p{L}][-‐\u00ad]$/u.test(end)) return true;
  if (indents && open.lines.length > 1 && next.lines.length > 1) {
    const isLong = last.right - last.left > (open.edge - last.left) * 0.7;
    return isLong && !next.isIndented;
  }
  if (/[.!?…。！？]["”’»)\]]*$/u.test(end)) return false;
  if (/^\p{Ll}/u.test(start)) return true;
  return (
    isFull(open) && open.lines.length > 1 && next.lines.length > 1 && !/[:;]$/.test(end) && open.isBold === next.isBold
  );
}
