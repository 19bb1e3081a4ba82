/**
 * Converts PDF files to markdown and HTML: opens the file, reads page after page, reconstructs the layout of the text
 * and writes it.
 */

import { setImmediate as turn } from "node:timers/promises";
import { ScrapeError } from "../errors.ts";
import { bareDocument } from "./html/text-document.ts";
import { holdsPdfMark } from "./media-type.ts";
import { type Block, blocksOf, isCodeLine } from "./pdf/blocks.ts";
import { regionsOf } from "./pdf/columns.ts";
import { elsewhereWarnings } from "./pdf/content-elsewhere.ts";
import { type PdfDocument, withPdf } from "./pdf/document.ts";
import type { Fragment } from "./pdf/fragments.ts";
import { withoutFurniture } from "./pdf/furniture.ts";
import { headingLevels } from "./pdf/headings.ts";
import { htmlOf } from "./pdf/html.ts";
import { joinRegions } from "./pdf/join.ts";
import { withJustifiedLines } from "./pdf/justified-lines.ts";
import { headingText, markdownOf } from "./pdf/markdown.ts";
import { pdfMetadata } from "./pdf/metadata.ts";
import type { PdfFonts } from "./pdf/page.ts";
import { readPages, warningsOf } from "./pdf/read-pages.ts";
import { withNewEnd } from "./pdf/repair.ts";
import { rowsOf } from "./pdf/rows.ts";
import { type BodyStyle, bodyStyleOf } from "./pdf/style.ts";
import { tablesAndLines } from "./pdf/tables.ts";
import { taggedBlocks } from "./pdf/tagged-blocks.ts";
import { vocabularyOf } from "./pdf/vocabulary.ts";
import { withoutWideFonts } from "./pdf/wide-fonts.ts";
import { unique } from "./text-links.ts";

/** Longer files are cut, with a warning. */
const mostPages = 1_000;

interface PdfResult {
  /** Empty when no text could be read; `warning` then says why. */
  readonly markdown: string;
  /** The same as an HTML document, if it was asked for. */
  readonly html?: string;
  /** `title`, `author`, `description`, `keywords`, `language`, `generator`, `publishedTime`, `modifiedTime` where known. */
  readonly metadata: Record<string, string | number>;
  /** Number of pages of the file; 0 if it could not be opened. */
  readonly numPages: number;
  /** How many of them were read. */
  readonly readPages: number;
  /** The addresses of its links, in order, without duplicates. */
  readonly links: string[];
  readonly warning?: string;
}

/**
 * The text of a PDF file as markdown.
 *
 * Files that need a password, are damaged or hold only pictures give an empty or partial text and a `warning`. Gives the
 * event loop a turn after each page, and rejects with the signal's reason as soon as it is aborted. A page that inflates
 * to many megabytes of drawing without text holds the thread while it is read, and nothing here bounds the memory or the
 * time: run files of strangers in a worker (`thread-bounds.ts`).
 *
 * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` when the bytes are no PDF file.
 * @example
 * const { markdown, numPages } = await readPdf(await readFile("report.pdf"));
 */
export async function readPdf(
  bytes: Uint8Array,
  signal?: AbortSignal,
  wanted: { readonly html: boolean } = { html: false },
): Promise<PdfResult> {
  signal?.throwIfAborted();
  if (!holdsPdfMark(bytes)) {
    throw new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", "This kind of file is not supported: not a PDF file.");
  }
  const read = (file: Uint8Array) => withPdf(file, signal, (document) => readDocument(document, signal, wanted));
  const result = await read(bytes);
  if (typeof result === "object") return result;
  const repaired = result === "damaged" ? withNewEnd(bytes) : undefined;
  const second = repaired && (await read(repaired));
  if (typeof second !== "object")
    return {
      markdown: "",
      ...(wanted.html ? { html: bareDocument("") } : {}),
      metadata: {},
      numPages: 0,
      readPages: 0,
      links: [],
      warning: reasons[result],
    };
  return { ...second, warning: [reasons.cut, second.warning].filter(Boolean).join(" ") };
}

const reasons = {
  locked: "The PDF is encrypted and needs a password; none of its text was read.",
  damaged: "The PDF is damaged and could not be opened; none of its text was read.",
  cut: "The PDF is damaged: its end is missing, and some of its text may be, too.",
};

async function readDocument(
  document: PdfDocument,
  signal: AbortSignal | undefined,
  wanted: { readonly html: boolean },
): Promise<PdfResult> {
  const read = await readPages(document, Math.min(document.numPages, mostPages), signal);
  const information = await document.information();
  const metadata = pdfMetadata(information);
  const outline = await document.outline();

  const all = read.pages.flatMap(({ fragments }) => fragments);
  const fonts = withoutWideFonts(document.fonts, all);
  const body = bodyStyleOf(all, fonts);
  const regions: Block[][] = [];
  const layout = (some: readonly Fragment[]) => regionsOf(some).map((region) => regionBlocks(region, fonts, body));
  for (const page of withoutFurniture(read.pages, body.size)) {
    const tagged = taggedBlocks(page, (some) => layout(some).flat(), fonts, body, regions.at(-1)?.at(-1));
    if (tagged !== undefined) regions.push(tagged);
    else
      for (const region of regionsOf(page.fragments)) {
        regions.push(regionBlocks(region, fonts, body, regions.at(-1)?.at(-1)));
      }
    await turn();
  }
  const blocks = joinRegions(regions, body);
  await turn();
  const levels = headingLevels(blocks, outline, body);
  await turn();
  const setting = { levels, fonts, body, vocabulary: await vocabularyOf(blocks) };
  const markdown = await markdownOf(blocks, setting);
  const html = wanted.html ? await htmlOf(blocks, setting) : undefined;

  const title = blocks.find((block) => levels.get(block) === 1);
  if (metadata["title"] === undefined && title?.kind === "text") metadata["title"] = headingText(title);
  const warnings = [...elsewhereWarnings(information), ...warningsOf(read, document.numPages)];
  return {
    markdown,
    ...(html === undefined ? {} : { html }),
    metadata,
    numPages: document.numPages,
    readPages: read.count,
    links: unique(read.links),
    ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }),
  };
}

/** @param before what precedes the region, which may end with a table that continues here */
function regionBlocks(region: readonly Fragment[], fonts: PdfFonts, body: BodyStyle, before?: Block): Block[] {
  const columns = before?.kind === "table" ? before.columns : undefined;
  const content = tablesAndLines(withJustifiedLines(rowsOf(region)), (line) => isCodeLine(line, fonts, body), columns);
  return blocksOf(content, fonts, body);
}
