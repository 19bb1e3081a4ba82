/** Finds tables of contents and indexes: lines that end with page numbers, with or without dots before them. */

import type { Fragment } from "./fragments.ts";
import { textOf } from "./pieces.ts";
import type { Row } from "./rows.ts";

/** Without dots, at least this many numbered lines are a list of contents. */
const fewestNumbered = 3;
/** Of these many rows, at least one of such a list has dots, or several have numbers: other lists are searched no further. */
const mostUndecided = 100;
/** At least this many consecutive terms with page numbers are an index. */
const fewestEntries = 4;
/** Most characters of the page numbers of a term. */
const longestPages = 200;
/** Tolerance for page numbers that end below each other, in points. */
const sameEdge = 2;

/** An entry of a table of contents, with dots from the title to the page number. */
export function isLeader({ pieces }: Fragment): boolean {
  return hasLeader(textOf(pieces));
}

/** At least four dots, or two signs of three. */
export function hasLeader(text: string): boolean {
  return /[.·](?:\s?[.·]){3}|…{2}/.test(text);
}

/** The text of a row that ends with dots and page numbers, of which more may follow in the next. */
export function isDottedEntry(text: string): boolean {
  return /[.·](?:\s*[.·]){2,}\s*\d{1,4}(?:\s*[-–,]\s*\d{1,4})*,?\s*$/.test(text.slice(-longestPages));
}

/** The text of a row that has room for no more than one dot, or none, before its page numbers. */
export function isFullEntry(text: string): boolean {
  const [pages] = /(?:\s[.·]\s*\d{1,4}|\s\d{1,4}(?:[-–]\d{1,4})?,)[\d\s,–-]*$/.exec(text.slice(-longestPages)) ?? [];
  return pages !== undefined && /\p{L}/u.test(text.slice(0, -pages.length));
}

/** Several page numbers, which belong to the row above. */
export function arePages(text: string): boolean {
  return /^\s*\d{1,4}(?:,\s+\d{1,4}|[-–]\d{1,4})*(?:,\s+\d{1,4}|,)\s*$/.test(text.slice(0, longestPages));
}

/**
 * Page numbers after a row that ends with a comma or dots, or with dots before them after a row without numbers.
 *
 * @param above without spaces at its end
 */
export function continuesPages(above: string, text: string): boolean {
  const isOpen = /^\s*[.·]/.test(text) ? /\D$/.test(above) : /[,.·–-]$/.test(above);
  return isOpen && /^[\s.·]*\d[\d\s,–-]*$/.test(text);
}

/** A term with page numbers: `harbour, 12, 17–19`. */
export function isIndexEntry({ pieces }: Fragment): boolean {
  const text = textOf(pieces).trim();
  const [pages] = /,\s*\d{1,4}(?:\s*[-–,]\s*\d{1,4})*$/.exec(text.slice(-longestPages)) ?? [];
  return pages !== undefined && /\p{L}/u.test(text.slice(0, -pages.length));
}

/** The end of the index that starts with this row; `start` if none does. */
export function endOfIndex(rows: readonly Row[], start: number): number {
  let end = start;
  while (end < rows.length && rows[end]!.cells.length === 1 && isIndexEntry(rows[end]!.cells[0]!)) end++;
  return end - start >= fewestEntries ? end : start;
}

/** The end of the table of contents that starts with this row; `start` if none does, as with the head of a ranking. */
export function endOfContents(rows: readonly Row[], start: number): number {
  let end = start;
  let withDots = 0;
  let [numbered, lastNumber, lastPage] = [0, 0, 0];
  const edge = rows[start]!.cells.at(-1)!.right;
  const isContents = () => (withDots > 0 ? end - start > 1 : numbered >= fewestNumbered);
  for (; end < rows.length; end++) {
    if (end - start === mostUndecided && !isContents()) break;
    const { cells } = rows[end]!;
    const last = cells.at(-1)!;
    const page = pageOf(cells);
    if (page === undefined || page < lastPage || Math.abs(last.right - edge) > sameEdge) break;
    lastPage = page;
    if (cells.some(isLeader)) withDots++;
    else {
      const number = cells.length > 2 ? numberOf(cells[0]!) : undefined;
      if (number === undefined) continue;
      if (number === lastNumber + 1 || numbered === 0) numbered++;
      lastNumber = number;
    }
  }
  return isContents() ? end : start;
}

/** The page that a row leads to; 0 for Roman numerals. */
function pageOf(cells: readonly Fragment[]): number | undefined {
  const text = textOfCells(cells).trim();
  const [end, page] = /[\s.·…](\d{1,4}|[ivxl]{1,6})$/.exec(text) ?? [];
  if (end === undefined || !/\p{L}/u.test(text.slice(0, -end.length))) return undefined;
  if (cells.length < 2 && !isLeader(cells[0]!)) return undefined;
  return Number(page) || 0;
}

export function textOfCells(cells: readonly Fragment[]): string {
  return cells.map(({ pieces }) => textOf(pieces)).join(" ");
}

function numberOf({ pieces }: Fragment): number | undefined {
  const [, number] = /^(\d{1,3})\.?$/.exec(textOf(pieces).trim()) ?? [];
  return number === undefined ? undefined : Number(number);
}
