/** PDF files to markdown: opens the file, reads page after page, lays the text out again and writes it down. */

import { setImmediate as turn } from "node:timers/promises";
import { ScrapeError } from "../errors.ts";
import { blocksOf, isCodeLine } from "./pdf/blocks.ts";
import { regionsOf } from "./pdf/columns.ts";
import { openPdf, type PdfDocument } from "./pdf/document.ts";
import { fragmentsOf, textOf } from "./pdf/fragments.ts";
import { type FragmentPage, withoutFurniture } from "./pdf/furniture.ts";
import { headingLevels } from "./pdf/headings.ts";
import { joinRegions } from "./pdf/join.ts";
import { withLinks } from "./pdf/links.ts";
import { headingText, markdownOf } from "./pdf/markdown.ts";
import { pdfMetadata } from "./pdf/metadata.ts";
import { type Line, rowsOf } from "./pdf/rows.ts";
import { bodyStyleOf } from "./pdf/style.ts";
import { tablesAndLines } from "./pdf/tables.ts";
import { unique } from "./text-links.ts";

/** Pages read when the caller names no number; longer files are cut, with a warning. */
export const defaultMaxPages = 1_000;

export interface PdfOptions {
  /** Pages beyond this are not read. Default {@link defaultMaxPages}. */
  readonly maxPages?: number;
  readonly signal?: AbortSignal;
}

export interface PdfResult {
  /** Empty when no text could be read; `warning` then says why. */
  readonly markdown: string;
  /** `title`, `author`, `description`, `keywords`, `language`, `generator`, `publishedTime`, `modifiedTime` where known. */
  readonly metadata: Record<string, string | number>;
  /** The pages that the file has; 0 when it could not be opened. */
  readonly numPages: number;
  /** The addresses that its links open, in order, each once. */
  readonly links: string[];
  readonly warning?: string;
}

/**
 * The text of a PDF file as markdown.
 *
 * Files that need a password, are damaged or hold only pictures give an empty or partial text and a `warning`. Gives the
 * event loop a turn after each page, and rejects with the signal's reason as soon as it is aborted.
 *
 * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` when the bytes are no PDF file.
 * @example
 * const { markdown, numPages } = await readPdf(await readFile("report.pdf"), { maxPages: 50 });
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions = {}): Promise<PdfResult> {
  const { maxPages = defaultMaxPages, signal } = options;
  signal?.throwIfAborted();
  if (!looksLikePdf(bytes)) {
    throw new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", "This kind of file is not supported: not a PDF file.");
  }
  let document: PdfDocument;
  try {
    document = await openPdf(bytes);
  } catch (error) {
    return { markdown: "", metadata: {}, numPages: 0, links: [], warning: reasonOf(error) };
  }
  try {
    return await readDocument(document, maxPages, signal);
  } finally {
    await document.close();
  }
}

function looksLikePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_029)).includes("%PDF-");
}

function reasonOf(error: unknown): string {
  const isLocked = error instanceof Error && error.name === "PasswordException";
  return isLocked
    ? "The PDF is encrypted and needs a password; none of its text was read."
    : "The PDF is damaged and could not be opened; none of its text was read.";
}

async function readDocument(
  document: PdfDocument,
  maxPages: number,
  signal: AbortSignal | undefined,
): Promise<PdfResult> {
  const read = await readPages(document, Math.min(document.numPages, maxPages), signal);
  const metadata = pdfMetadata(await document.information());
  const outline = await document.outline();

  const body = bodyStyleOf(
    read.pages.flatMap(({ fragments }) => fragments),
    document.fonts,
  );
  const regions = withoutFurniture(read.pages, body.size).flatMap(({ fragments }) => regionsOf(fragments));
  const blocks = joinRegions(
    regions.map((region) => {
      const isCode = (line: Line) => isCodeLine(line, document.fonts, body);
      return blocksOf(tablesAndLines(rowsOf(region), isCode), document.fonts, body);
    }),
    body,
  );
  const levels = headingLevels(blocks, outline, body);
  const markdown = markdownOf(blocks, { levels, fonts: document.fonts, body });

  const title = [...levels].find(([, level]) => level === 1)?.[0];
  if (metadata["title"] === undefined && title?.kind === "text") metadata["title"] = headingText(title);
  const warning = warningOf(document, read, maxPages);
  return {
    markdown,
    metadata,
    numPages: document.numPages,
    links: unique(read.links),
    ...(warning === undefined ? {} : { warning }),
  };
}

interface ReadPages {
  readonly pages: FragmentPage[];
  readonly links: string[];
  /** The numbers of pages that could not be read, or only in part. */
  readonly failed: number[];
  readonly empty: number[];
}

async function readPages(document: PdfDocument, count: number, signal: AbortSignal | undefined): Promise<ReadPages> {
  const read: ReadPages = { pages: [], links: [], failed: [], empty: [] };
  for (let number = 1; number <= count; number++) {
    signal?.throwIfAborted();
    try {
      const { parts, isCut } = await document.page(number, signal);
      if (isCut) read.failed.push(number);
      if (parts.length === 0) read.empty.push(number);
      for (const part of parts) {
        read.pages.push({ number, height: part.height, fragments: fragmentsOf(withLinks(part)) });
        for (const { url } of part.links) read.links.push(url);
      }
    } catch {
      signal?.throwIfAborted();
      read.failed.push(number);
    }
    // Parsing a page takes milliseconds: others in the process get their turn in between.
    await turn();
  }
  return read;
}

function warningOf(document: PdfDocument, read: ReadPages, maxPages: number): string | undefined {
  const pages = Math.min(document.numPages, maxPages);
  const warnings: string[] = [];
  if (document.numPages > maxPages) {
    warnings.push(`The PDF has ${document.numPages} pages; only the first ${maxPages} were read.`);
  }
  if (read.failed.length > 0) warnings.push(`The PDF is damaged: ${pageList(read.failed)} could not be read in full.`);
  if (read.empty.length === pages) {
    warnings.push("The PDF holds no text, only pictures or empty pages; text in pictures is not recognised.");
  } else if (read.empty.length * 2 >= pages) {
    warnings.push(`The PDF holds no text on ${pageList(read.empty)}; text in pictures is not recognised.`);
  }
  if (isGarbled(read)) warnings.push("The PDF does not say which letters its fonts hold; the text may be garbled.");
  return warnings.length === 0 ? undefined : warnings.join(" ");
}

/** `page 4`, `pages 1, 2 and 7`, and no endless list. */
function pageList(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(", ");
  const more = numbers.length > 10 ? ` and ${numbers.length - 10} more` : "";
  return `${numbers.length === 1 ? "page" : "pages"} ${shown}${more}`;
}

/** Letters without a meaning come out as characters for private use, controls or replacements. */
function isGarbled({ pages }: ReadPages): boolean {
  let all = 0;
  let meaningless = 0;
  for (const { fragments } of pages) {
    for (const { pieces } of fragments) {
      const text = textOf(pieces);
      all += text.length;
      meaningless += text.match(/[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu)?.length ?? 0;
    }
  }
  return meaningless > all * 0.15;
}
