/** Creates the blocks of a page from its tags, and lays out what they leave open. */

import { type Block, type TableBlock, textBlock } from "./blocks.ts";
import type { Fragment } from "./fragments.ts";
import { joinRegions } from "./join.ts";
import { isPlainNumber, type Marker, markerOf } from "./list-markers.ts";
import { type Extent, extentOf } from "./measures.ts";
import type { PdfFonts } from "./page.ts";
import { type Piece, textOf } from "./pieces.ts";
import { type Line, lineOf, rowsOf } from "./rows.ts";
import type { Part } from "./structure.ts";
import type { BodyStyle } from "./style.ts";
import { mostColumns } from "./table-columns.ts";
import { joinedLines, noVocabulary } from "./words.ts";

/** Tags are used if they cover this share of a page's text. */
const leastCovered = 0.9;

interface TaggedPage {
  readonly fragments: readonly Fragment[];
  readonly parts: readonly Part[];
}

/** Lays out fragments of which the tags only say that they belong together. */
type Layout = (fragments: readonly Fragment[]) => Block[];

/**
 * The blocks in the order of the tags; `undefined` if there are no usable tags.
 *
 * @param last the last block of the page before
 */
export function taggedBlocks(
  page: TaggedPage,
  layout: Layout,
  fonts: PdfFonts,
  body: BodyStyle,
  last?: Block,
): Block[] | undefined {
  const { fragments, parts } = page;
  if (!parts.some(({ kind }) => kind !== "text") || !coverEnough(fragments)) return undefined;
  const byPart = Map.groupBy(fragments, ({ part }) => part);
  const labels = new Map(
    parts.flatMap((part, place) => (part.kind === "label" ? [[part.item, byPart.get(place) ?? []] as const] : [])),
  );
  const blocks: Block[] = [];
  let cells: Cell[] = [];
  const closeTable = () => {
    const before = blocks.length === 0 && last?.kind === "table" ? last : undefined;
    for (const block of tableBlocks(cells, layout, before)) blocks.push(block);
    cells = [];
  };
  for (const [place, part] of parts.entries()) {
    const own = byPart.get(place) ?? [];
    // Some programs tag invisible content between the rows of a table.
    if (part.kind === "text" && own.length === 0) continue;
    if (part.kind !== "cell" || (cells.length > 0 && cells[0]!.part.table !== part.table)) closeTable();
    if (part.kind === "cell") cells.push({ part, fragments: own });
    else if (part.kind === "text") {
      for (const block of joinRegions(columnsOf(own).map(layout), body)) addBlock(blocks, block);
    } else if (part.kind !== "label" && own.length > 0) {
      const label = labels.get(place) ?? [];
      const isTerm = label.length > 0 && !isMarkdownMark(itemMark(label));
      const block = textBlock(linesOf(isTerm ? [...label, ...own] : own), fonts, body);
      if (part.kind === "heading") blocks.push({ ...block, level: part.level });
      else blocks.push({ ...block, depth: part.depth, marker: itemMarker(label, block.lines[0]!) });
    }
  }
  closeTable();
  for (const block of layout(byPart.get(undefined) ?? [])) blocks.push(block);
  return blocks;
}

function coverEnough(fragments: readonly Fragment[]): boolean {
  let all = 0;
  let covered = 0;
  for (const { pieces, part } of fragments) {
    const { length } = textOf(pieces);
    all += length;
    if (part !== undefined) covered += length;
  }
  return covered >= all * leastCovered;
}

function linesOf(fragments: readonly Fragment[]): Line[] {
  return columnsOf(fragments).flatMap((column) => rowsOf(column).map(lineOf));
}

/**
 * If text continues further up the page than this, in font sizes, it does so in the next column; no superscript is
 * raised as far.
 */
const nextColumn = 1.5;

/**
 * The content of a tag, split where it continues at the top of another column; ordered by height, the end would come
 * first.
 */
function columnsOf(fragments: readonly Fragment[]): Fragment[][] {
  const columns: Fragment[][] = [];
  let [left, right, y] = [0, 0, -Infinity];
  for (const fragment of fragments) {
    const isAbove = fragment.y < y - fragment.fontSize * nextColumn;
    const isBeside = fragment.left >= right || fragment.right <= left;
    if (columns.length === 0 || (isAbove && isBeside)) {
      columns.push([fragment]);
      ({ left, right } = fragment);
    } else {
      columns.at(-1)!.push(fragment);
      left = Math.min(left, fragment.left);
      right = Math.max(right, fragment.right);
    }
    ({ y } = fragment);
  }
  return columns;
}

/** The mark in a label; any other content is a term that the item explains. */
function itemMark(label: readonly Fragment[]): Marker | undefined {
  return markerOf(`${label.map(({ pieces }) => textOf(pieces).trim()).join(" ")} x`);
}

/** True for a mark that markdown has, too; any other mark, a letter or a Roman number, is kept in the text. */
function isMarkdownMark(mark: Marker | undefined): boolean {
  return mark !== undefined && (mark.isBullet || isPlainNumber(mark));
}

/** The mark that is tagged as such, or else the one with which the text starts, or else a bullet. */
function itemMarker(label: readonly Fragment[], line: Line): Marker {
  const text = line.text.trim();
  const marker = label.length === 0 ? markerOf(text) : itemMark(label);
  if (marker !== undefined && label.length === 0) return marker;
  return { ...(marker ?? { isBullet: true, value: 0, style: "•", isAssumed: true }), rest: text };
}

/** In font sizes: the distance of lines of code with an empty line between them. */
const farthestCode = 3.2;

/** If each line of code is tagged as a paragraph, they are still one listing. */
function addBlock(blocks: Block[], block: Block): void {
  const before = blocks.at(-1);
  const distance = before?.kind === "code" && block.kind === "code" ? block.lines[0]!.y - before.lines.at(-1)!.y : 0;
  if (before?.kind === "code" && block.kind === "code" && distance > 0 && distance < block.fontSize * farthestCode) {
    for (const line of block.lines) before.lines.push(line);
  } else blocks.push(block);
}

interface Cell {
  readonly part: Part & { kind: "cell" };
  readonly fragments: readonly Fragment[];
}

/**
 * One table, or, if it has only one row or column, the text that it frames; `before` is the table that it may continue.
 */
function tableBlocks(cells: readonly Cell[], layout: Layout, before: TableBlock | undefined): Block[] {
  const filled = cells.filter(({ fragments }) => fragments.length > 0);
  const rows = new Set(filled.map(({ part }) => part.row));
  const columns = new Set(filled.map(({ part }) => part.column));
  const goesOn = before?.rows[0]?.length === cells.filter(({ part }) => rows.has(part.row)).length;
  if ((rows.size < 2 && !goesOn) || columns.size < 2) return filled.flatMap(({ fragments }) => layout(fragments));
  const width = filled.reduce((most, { part }) => Math.max(most, part.column), 0) + 1;
  if (width > mostColumns) return filled.flatMap(({ fragments }) => layout(fragments));
  const byRow = [...Map.groupBy(cells, ({ part }) => part.row).values()];
  const extents = extentsOf(byRow, width);
  const grid: Piece[][][] = [];
  for (const row of byRow) {
    if (row.every(({ fragments }) => fragments.length === 0)) continue;
    const filledRow = Array.from({ length: width }, (): Piece[] => []);
    const isTitle = grid.length === 0 && row.length === 1;
    const places = row.length < width && !isTitle ? placesOf(row, extents) : row.map((_, index) => index);
    for (const [index, { fragments }] of row.entries()) {
      filledRow[places[index]!] = joinedLines(linesOf(fragments), noVocabulary);
    }
    grid.push(filledRow);
  }
  return [{ kind: "table", rows: grid }];
}

/** The extents of a table's columns, by the rows that have a cell in each. */
function extentsOf(rows: readonly (readonly Cell[])[], width: number): Extent[] {
  const full = rows.filter(({ length }) => length === width);
  return Array.from({ length: width }, (_, column) => extentOf(full.flatMap((row) => row[column]!.fragments)));
}

/** Tolerance for left edges of text that is aligned, in points. */
const sameEdge = 1;

/**
 * With cells that span columns or rows, a row has fewer cells than there are columns; they are assigned by their
 * position on the page.
 */
function placesOf(row: readonly Cell[], extents: readonly Extent[]): number[] {
  let next = 0;
  return row.map(({ fragments }, index) => {
    const { left, right } = extentOf(fragments);
    let [best, bestOverlap] = [next, -Infinity];
    // The cells after it need columns, too.
    for (let column = next; column <= extents.length - row.length + index; column++) {
      const extent = extents[column]!;
      // A cell that spans several columns begins in the first.
      const isAligned = Math.abs(left - extent.left) < sameEdge;
      const overlap = isAligned ? Infinity : Math.min(right, extent.right) - Math.max(left, extent.left);
      if (overlap > bestOverlap) [best, bestOverlap] = [column, overlap];
    }
    next = best + 1;
    return best;
  });
}
