/** Opens a PDF file with pdf.js and reads its pages, fonts and outline; all that touches pdf.js is here. */

import { setImmediate as turn } from "node:timers/promises";
import type { PdfFont, PdfLink, PdfPage } from "./page.ts";
import { type TurnedItem, upright } from "./upright.ts";

/** More than any real page holds; a page made to exhaust memory is cut here. */
const mostItemsOfPage = 200_000;
const mostLinksOfPage = 10_000;
const mostOutlineEntries = 20_000;

export interface OutlineEntry {
  readonly title: string;
  /** 0 for the outermost. */
  readonly depth: number;
}

export interface PdfDocument {
  readonly numPages: number;
  /** The page's text by direction: what most of it runs along first, then what stands turned beside it. */
  page(number: number, signal: AbortSignal | undefined): Promise<{ parts: PdfPage[]; isCut: boolean }>;
  /** The fonts of the pages read so far, by the names their items use. */
  readonly fonts: ReadonlyMap<string, PdfFont>;
  outline(): Promise<OutlineEntry[]>;
  /** The entries of the information dictionary, and after them those of the XMP packet, by their own names. */
  information(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

type PdfJs = typeof import("unpdf/pdfjs");
type LoadedDocument = Awaited<ReturnType<PdfJs["getDocument"]>["promise"]>;
type LoadedPage = Awaited<ReturnType<LoadedDocument["getPage"]>>;

/** Rejects with the error of pdf.js; its `name` tells a password from a damaged file. */
export async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  const { getResolvedPDFJS } = await import("unpdf");
  const pdfjs = await getResolvedPDFJS();
  const task = pdfjs.getDocument({
    // pdf.js takes the buffer over, so that it gets one of its own.
    data: Uint8Array.from(bytes),
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    // Pictures are never looked at; without this the fonts' names would cost their decoding.
    maxImageSize: 1,
  } as Parameters<PdfJs["getDocument"]>[0]);
  let loaded: LoadedDocument;
  try {
    loaded = await task.promise;
  } catch (error) {
    await task.destroy().catch(() => undefined);
    throw error;
  }
  const fonts = new Map<string, PdfFont>();
  return {
    numPages: loaded.numPages,
    fonts,
    page: (number, signal) => readPage(loaded, number, fonts, signal),
    outline: () => readOutline(loaded),
    information: () => readInformation(loaded),
    close: () => task.destroy(),
  };
}

async function readPage(
  loaded: LoadedDocument,
  number: number,
  fonts: Map<string, PdfFont>,
  signal: AbortSignal | undefined,
): Promise<{ parts: PdfPage[]; isCut: boolean }> {
  const page = await loaded.getPage(number);
  try {
    const viewport = page.getViewport({ scale: 1 });
    const { items, styles, isCut } = await readItems(page, viewport.transform, signal);
    await readFonts(page, styles, fonts);
    const links = await readLinks(page, viewport.transform);
    return { parts: upright(items, links, viewport.width, viewport.height), isCut };
  } finally {
    page.cleanup();
  }
}

type Styles = Record<string, { fontFamily?: string }>;
/** The six numbers of a transformation: scale and turn, then the shift. */
type Matrix = readonly number[];

async function readItems(page: LoadedPage, view: Matrix, signal: AbortSignal | undefined) {
  const items: TurnedItem[] = [];
  const styles: Styles = {};
  const reader = page.streamTextContent().getReader();
  let isCut = false;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    Object.assign(styles, value.styles);
    for (const item of value.items) {
      if ("str" in item) items.push(placed(item, view));
    }
    if (items.length > mostItemsOfPage) {
      isCut = true;
      await reader.cancel(new Error("enough")).catch(() => undefined);
      break;
    }
    await turn();
    signal?.throwIfAborted();
  }
  return { items, styles, isCut };
}

interface RawItem {
  str: string;
  width: number;
  transform: number[];
  fontName: string;
}

function placed({ str, width, transform, fontName }: RawItem, view: Matrix): TurnedItem {
  const [a, b, c, d, e, f] = transform as [number, number, number, number, number, number];
  const [x, y] = at(view, e, f);
  const [alongX, alongY] = at(view, e + a, f + b);
  const angle = Math.atan2(alongY - y, alongX - x);
  return { text: str, x, y, width, fontSize: Math.hypot(c, d) || Math.hypot(a, b), fontName, angle };
}

function at(view: Matrix, x: number, y: number): [number, number] {
  const [a, b, c, d, e, f] = view as [number, number, number, number, number, number];
  return [a * x + c * y + e, b * x + d * y + f];
}

/** pdf.js tells a font's own name only where the page is prepared for drawing: done for pages with a new font. */
async function readFonts(page: LoadedPage, styles: Styles, fonts: Map<string, PdfFont>): Promise<void> {
  const unknown = Object.entries(styles).filter(([name]) => !fonts.has(name));
  if (unknown.length === 0) return;
  await page.getOperatorList().catch(() => undefined);
  for (const [name, style] of unknown) {
    const realName = page.commonObjs.has(name) ? String(page.commonObjs.get(name)?.name ?? "") : "";
    fonts.set(name, {
      isBold: /bold|black|heavy|demi|[-,]medi(?:um)?\b|\bcmbx|\bsfbx/i.test(realName.slice(0, 200)),
      isMonospace:
        style.fontFamily === "monospace" || /mono|courier|consol|\bcmtt|typewriter/i.test(realName.slice(0, 200)),
    });
  }
}

async function readLinks(page: LoadedPage, view: Matrix): Promise<PdfLink[]> {
  const annotations: unknown[] = await page.getAnnotations().catch(() => []);
  const links: PdfLink[] = [];
  for (const annotation of annotations.slice(0, mostLinksOfPage)) {
    const { subtype, url, rect } = annotation as { subtype?: string; url?: string; rect?: number[] };
    if (subtype !== "Link" || typeof url !== "string" || rect === undefined) continue;
    const [x0, y0] = at(view, rect[0]!, rect[1]!);
    const [x1, y1] = at(view, rect[2]!, rect[3]!);
    links.push({
      url,
      left: Math.min(x0, x1),
      right: Math.max(x0, x1),
      top: Math.min(y0, y1),
      bottom: Math.max(y0, y1),
    });
  }
  return links;
}

interface RawOutline {
  title: string;
  items: RawOutline[];
}

async function readOutline(loaded: LoadedDocument): Promise<OutlineEntry[]> {
  const outline = ((await loaded.getOutline().catch(() => null)) ?? []) as RawOutline[];
  const entries: OutlineEntry[] = [];
  const waiting = outline.map((entry) => ({ entry, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined && entries.length < mostOutlineEntries; next = waiting.pop()) {
    const { entry, depth } = next;
    entries.push({ title: entry.title, depth });
    for (const child of entry.items.toReversed()) waiting.push({ entry: child, depth: depth + 1 });
  }
  return entries;
}

async function readInformation(loaded: LoadedDocument): Promise<Record<string, unknown>> {
  const read = await loaded.getMetadata().catch(() => undefined);
  const xmp: Record<string, unknown> = {};
  for (const [name, value] of (read?.metadata ?? []) as Iterable<[string, unknown]>) xmp[name] = value;
  return { ...read?.info, ...xmp };
}
