/** Makes the blocks of a page from its tags, and lays out what they leave open. */

import { type Block, textBlock } from "./blocks.ts";
import type { Fragment } from "./fragments.ts";
import { joinRegions } from "./join.ts";
import { type Marker, markerOf } from "./list-markers.ts";
import type { PdfFonts } from "./page.ts";
import { type Piece, textOf } from "./pieces.ts";
import { type Line, lineOf, rowsOf } from "./rows.ts";
import type { Part } from "./structure.ts";
import type { BodyStyle } from "./style.ts";
import { mostColumns } from "./tables.ts";
import { joinedLines } from "./words.ts";

/** Tags are believed when they cover this share of a page's text. */
const leastCovered = 0.9;

export interface TaggedPage {
  readonly fragments: readonly Fragment[];
  readonly parts: readonly Part[];
}

/** Lays out fragments about which the tags say no more than that they belong together. */
type Layout = (fragments: readonly Fragment[]) => Block[];

/** The blocks in the order of the tags; `undefined` when there are none to go by. */
export function taggedBlocks(page: TaggedPage, layout: Layout, fonts: PdfFonts, body: BodyStyle): Block[] | undefined {
  const { fragments, parts } = page;
  if (!parts.some(({ kind }) => kind !== "text") || !coverEnough(fragments)) return undefined;
  const byPart = Map.groupBy(fragments, ({ part }) => part);
  const labels = new Map(
    parts.flatMap((part, place) => (part.kind === "label" ? [[part.item, byPart.get(place) ?? []] as const] : [])),
  );
  const blocks: Block[] = [];
  let cells: Cell[] = [];
  const closeTable = () => {
    for (const block of tableBlocks(cells, layout)) blocks.push(block);
    cells = [];
  };
  for (const [place, part] of parts.entries()) {
    const own = byPart.get(place) ?? [];
    if (part.kind !== "cell" || (cells.length > 0 && cells[0]!.part.table !== part.table)) closeTable();
    if (part.kind === "cell") cells.push({ part, fragments: own });
    else if (part.kind === "text") {
      for (const block of joinRegions(columnsOf(own).map(layout), body)) blocks.push(block);
    } else if (part.kind !== "label" && own.length > 0) {
      const block = textBlock(linesOf(own), fonts, body);
      if (part.kind === "heading") blocks.push({ ...block, level: part.level });
      else blocks.push({ ...block, depth: part.depth, marker: itemMarker(labels.get(place) ?? [], block.lines[0]!) });
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

/** How far up the page a text goes on, in font sizes, when it does so in the next column: no index is raised as far. */
const nextColumn = 1.5;

/** What a tag holds, cut where it goes on at the top of another column: read by height, the end would come first. */
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

/** The mark that is tagged as such, or else the one that the text starts with, or else a bullet. */
function itemMarker(label: readonly Fragment[], line: Line): Marker {
  const text = line.text.trim();
  const tagged = label.map(({ pieces }) => textOf(pieces).trim()).join(" ");
  const marker = tagged === "" ? markerOf(text) : markerOf(`${tagged} x`);
  if (marker !== undefined && tagged === "") return marker;
  return { ...(marker ?? { isBullet: true, value: 0, style: "•", isAssumed: true }), rest: text };
}

interface Cell {
  readonly part: Part & { kind: "cell" };
  readonly fragments: readonly Fragment[];
}

/** One table, or, when it has but one row or column, the text that it frames. */
function tableBlocks(cells: readonly Cell[], layout: Layout): Block[] {
  const filled = cells.filter(({ fragments }) => fragments.length > 0);
  const rows = new Set(filled.map(({ part }) => part.row));
  const columns = new Set(filled.map(({ part }) => part.column));
  if (rows.size < 2 || columns.size < 2) return filled.flatMap(({ fragments }) => layout(fragments));
  const width = filled.reduce((most, { part }) => Math.max(most, part.column), 0) + 1;
  if (width > mostColumns) return filled.flatMap(({ fragments }) => layout(fragments));
  const grid = new Map<number, Piece[][]>();
  for (const { part, fragments } of filled) {
    const row = grid.get(part.row) ?? Array.from({ length: width }, (): Piece[] => []);
    row[part.column] = joinedLines(linesOf(fragments), new Set());
    grid.set(part.row, row);
  }
  return [{ kind: "table", rows: [...grid.values()] }];
}
