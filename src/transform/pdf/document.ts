/** Opens a PDF file with pdf.js and reads its pages, fonts and outline. Only this file uses pdf.js directly. */

import { setImmediate } from "node:timers";
import { orAborted } from "../../shared/or-aborted.ts";
import { withNamedTexts } from "./actual-text.ts";
import { alternatives } from "./alternatives.ts";
import { CharacterMaps } from "./character-maps.ts";
import { withDingbats } from "./dingbats.ts";
import { DrawingMessages } from "./drawing-messages.ts";
import { drawnMarks, mayDrawMarks } from "./drawn-marks.ts";
import { drawnPaths } from "./drawn-paths.ts";
import { drawnRules } from "./drawn-rules.ts";
import { mayHaveSeemingSpaces, withoutSeemingSpaces } from "./drawn-spaces.ts";
import { FontNames } from "./font-names.ts";
import { fieldItems } from "./form-fields.ts";
import { type Layers, seenItems, seenOperators } from "./layers.ts";
import { linkAreas } from "./link-areas.ts";
import { LocalPort } from "./local-port.ts";
import { quantile } from "./measures.ts";
import type { PdfFont, PdfPage } from "./page.ts";
import { readItems } from "./page-items.ts";
import { placed } from "./placed-text.ts";
import { withStatedTexts } from "./stated-text.ts";
import { withStraysIgnored } from "./stray-rejections.ts";
import { type Structure, type StructureNode, structureOf } from "./structure.ts";
import { type TurnedItem, upright } from "./upright.ts";
import { withUprightLines } from "./upright-letters.ts";

/** More than any real page contains. */
const mostAnnotationsOfPage = 10_000;
const mostOutlineEntries = 20_000;

export interface OutlineEntry {
  readonly title: string;
  /** 0 for the outermost. */
  readonly depth: number;
}

interface ReadPage {
  readonly parts: readonly PdfPage[];
  /** The addresses of all its links, of which some may be over pictures. */
  readonly urls: readonly string[];
  readonly isCut: boolean;
}

export interface PdfDocument {
  readonly numPages: number;
  /** The page's text by direction: the main direction first, then text that is rotated. */
  page(number: number): Promise<ReadPage>;
  /** The fonts of the pages read so far, by the names that their items use. */
  readonly fonts: ReadonlyMap<string, PdfFont>;
  outline(): Promise<OutlineEntry[]>;
  /** The entries of the information dictionary, and after them those of the XMP packet, by their own names. */
  information(): Promise<Record<string, unknown>>;
}

type PdfJs = typeof import("unpdf/pdfjs");
type LoadedDocument = Awaited<ReturnType<PdfJs["getDocument"]>["promise"]>;
type LoadedPage = Awaited<ReturnType<LoadedDocument["getPage"]>>;

/** The half of pdf.js that parses; when loaded, it sets this global name. */
interface ParsingHalf {
  pdfjsWorker: { WorkerMessageHandler: { initializeFromPort(port: LocalPort): void } };
}

let loading: Promise<PdfJs & ParsingHalf> | undefined;

/**
 * Both halves of pdf.js. Not loaded through the entry point of `unpdf`, which gives every part of a program the build
 * that one of them has chosen. The parsing half is kept, because another pdf.js that the host loads later replaces the
 * global name.
 */
function loadPdfJs(): Promise<PdfJs & ParsingHalf> {
  loading ??= import("unpdf/pdfjs").then((pdfjs) => {
    const { pdfjsWorker } = globalThis as unknown as ParsingHalf;
    return { ...pdfjs, pdfjsWorker };
  });
  return loading;
}

/** Why a file could not be opened. */
type OpenFailure = "locked" | "damaged";

/**
 * Opens the file, calls `use` to read it, and frees it again. Resolves with the result of `use`, or with the reason why
 * the file cannot be opened.
 *
 * Rejects with the signal's reason as soon as it is aborted, whatever pdf.js is doing.
 */
export async function withPdf<Result extends object>(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
  use: (document: PdfDocument) => Promise<Result>,
): Promise<Result | OpenFailure> {
  const pdfjs = await loadPdfJs();
  const named = await withNamedTexts(bytes);
  signal?.throwIfAborted();
  // pdf.js takes over the buffer, so it gets a copy.
  const data = named?.file ?? new Uint8Array(bytes);
  return withStraysIgnored((end) => openPdf(pdfjs, data, named?.texts ?? [], signal, use, end));
}

/** @param end called when pdf.js has ended its work on the file */
async function openPdf<Result extends object>(
  pdfjs: PdfJs & ParsingHalf,
  data: Uint8Array,
  texts: readonly string[],
  signal: AbortSignal | undefined,
  use: (document: PdfDocument) => Promise<Result>,
  end: () => void,
): Promise<Result | OpenFailure> {
  const drawing = new DrawingMessages(pdfjs.OPS);
  const port = new LocalPort((message) => drawing.lean(message));
  const worker = new pdfjs.PDFWorker({ port, verbosity: 0 } as never);
  pdfjs.pdfjsWorker.WorkerMessageHandler.initializeFromPort(port);
  const task = pdfjs.getDocument({
    data,
    worker,
    verbosity: 0,
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    BinaryDataFactory: CharacterMaps,
    cMapPacked: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    // Pictures are never used; without this, getting the names of fonts would decode them.
    maxImageSize: 1,
  } as Parameters<PdfJs["getDocument"]>[0]);
  try {
    const used = task.promise.then(
      (loaded): Promise<Result | OpenFailure> => use(documentOf(loaded, port, drawing, texts)),
      (error: unknown) => (error instanceof Error && error.name === "PasswordException" ? "locked" : "damaged"),
    );
    return await orAborted(used, signal);
  } finally {
    release(task, worker, port, end);
  }
}

/**
 * Frees what pdf.js holds. A malicious file can keep it from ending, but once its channel is closed, its memory can be
 * collected.
 */
function release(
  task: { destroy(): Promise<void> },
  worker: { destroy(): void },
  port: LocalPort,
  end: () => void,
): void {
  const close = () => {
    clearTimeout(timer);
    worker.destroy();
    port.close();
    setImmediate(end);
  };
  const timer = setTimeout(close, 1_000);
  timer.unref();
  task.destroy().then(close, close);
}

function documentOf(
  loaded: LoadedDocument,
  port: LocalPort,
  drawing: DrawingMessages,
  texts: readonly string[],
): PdfDocument {
  const fonts = new FontNames(port);
  let marks: Promise<boolean> | undefined;
  let layers: Promise<Layers | undefined> | undefined;
  const hasMarks = () => {
    marks ??= readInformation(loaded).then(({ Producer, Creator }) => mayDrawMarks([Producer, Creator]));
    return marks;
  };
  return {
    // The file's own number, which may be nonsense.
    numPages: Math.max(0, loaded.numPages),
    fonts: fonts.byName,
    page: async (number) => {
      layers ??= readLayers(loaded, drawing);
      return readPage(loaded, number, fonts, drawing, texts, await hasMarks(), await layers);
    },
    outline: () => readOutline(loaded),
    information: () => readInformation(loaded),
  };
}

async function readPage(
  loaded: LoadedDocument,
  number: number,
  fonts: FontNames,
  drawing: DrawingMessages,
  texts: readonly string[],
  hasMarks: boolean,
  layers: Layers | undefined,
): Promise<ReadPage> {
  const page = await loaded.getPage(number);
  // In the units of the page, whatever their size: widths of text are in these, too.
  const viewport = page.getViewport({ scale: 1 / page.userUnit });
  const { parts, partOf } = await readStructure(page);
  const correctedBefore = drawing.corrected;
  const read = () => readItems(page, viewport.transform, partOf, texts);
  const first = await read();
  const { styles, isCut } = first;
  let { items } = first;
  // The rest of a page that is cut may be endless.
  if (isCut)
    return { parts: upright(withStatedTexts(items), [], [], parts, viewport.width, viewport.height), urls: [], isCut };
  if (mayHaveSeemingSpaces(items)) drawing.keepLetters();
  await fonts.learn(page, styles, items);
  let operators = await fonts.prepare(page);
  if (drawing.corrected > correctedBefore) ({ items } = await read());
  if (operators !== undefined && mayHaveSeemingSpaces(items))
    items = withoutSeemingSpaces(items, operators, drawing.numbers.showText);
  if (operators !== undefined && layers !== undefined) {
    const seen = seenOperators(operators, drawing.numbers, layers);
    operators = seen.operators;
    if (seen.drawn !== undefined) items = seenItems(items, seen.drawn);
  }
  items = withDingbats(items, fonts.dingbats);
  const whole = withUprightLines(texts.length === 0 ? items : withStatedTexts(items));
  const paths = operators === undefined ? [] : drawnPaths(operators, drawing.numbers, viewport.transform);
  const rules = drawnRules(paths);
  if (hasMarks) whole.push(...drawnMarks(paths, whole));
  const annotations: unknown[] = await page.getAnnotations().catch(() => []);
  const some = annotations.slice(0, mostAnnotationsOfPage);
  const links = linkAreas(some, viewport.transform);
  for (const field of fieldItems(some, usualSize(whole))) whole.push(placed(field, viewport.transform));
  page.cleanup();
  const urls = links.map(({ url }) => url);
  return { parts: upright(whole, links, rules, parts, viewport.width, viewport.height), urls, isCut };
}

/** The layers of the file; `undefined` if it has none, as most have. */
async function readLayers(loaded: LoadedDocument, drawing: DrawingMessages): Promise<Layers | undefined> {
  const layers = await loaded.getOptionalContentConfig().catch(() => undefined);
  if (layers === undefined || [...layers].length === 0) return undefined;
  drawing.keepLayers();
  return layers;
}

async function readStructure(page: LoadedPage): Promise<Structure> {
  const root = await page.getStructTree().catch(() => null);
  return structureOf((root ?? {}) as StructureNode);
}

/** Font size of the text in fields, on pages without other text. */
const plainSize = 10;

function usualSize(items: readonly TurnedItem[]): number {
  const sizes = items.map(({ fontSize }) => fontSize);
  return quantile(sizes, 0.5) || plainSize;
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
  return { ...read?.info, ...xmp, ...alternatives(String(read?.metadata?.getRaw() ?? "")) };
}
