// Turns the bytes of a page into the fields of a document: the steps in order, with the reason for each one's place.

import { ScrapeError } from "../errors.ts";
import { runSteps, type Steps } from "../shared/turn.ts";
import { baseUrl, makeUrlsAbsolute, resolveUrl, UrlGrowth, urlResolver } from "./absolute-urls.ts";
import { queryEncoder } from "./charset/encode-query.ts";
import { clean, dropHidden } from "./clean.ts";
import { dropHandlers } from "./drop-handlers.ts";
import { openDrawnPages } from "./html/drawn-pages.ts";
import { type HtmlPage, readHtmlInSteps } from "./html/read-html.ts";
import { openShadowRoots } from "./html/shadow-roots.ts";
import { placeStreamedParts } from "./html/streamed-parts.ts";
import { writeHtml } from "./html/write-html.ts";
import { readLinkTexts } from "./link-texts.ts";
import { discoverLinks, readLinks } from "./links.ts";
import { showsAnything } from "./main-content/seen-content.ts";
import { keepMainContent } from "./main-content.ts";
import { Repetition } from "./markdown/repetition.ts";
import { markdownInSteps } from "./markdown/to-markdown.ts";
import { type MarkdownConverter, turndownMarkdown, turndownWithoutData } from "./markdown/turndown-adapter.ts";
import { detectKind, unsupportedFileError } from "./media-type.ts";
import { readMetadata } from "./metadata.ts";
import { PageText } from "./page-text.ts";
import { readStructuredData } from "./structured-data/read-structured-data.ts";
import { hasSelectors, type TagFilter, tagFilter } from "./tags.ts";
import { type TransformLimits, unlimited } from "./takes-long.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";
import { transformText } from "./transform-text.ts";

export type { TransformInput, TransformOptions, TransformResult } from "./transform-shapes.ts";

/**
 * Transforms one page. Pure: the same input gives the same result, here or in a worker thread.
 *
 * @param converter makes the markdown of HTML pages instead of the built-in writer: a Turndown service with its rules
 * @throws RequestError `BAD_REQUEST` if a selector is invalid
 * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` if the page is too large, or no page at all
 * @throws TakesLong when it would take more than the limits
 */
export async function transform(
  input: TransformInput,
  signal?: AbortSignal,
  converter?: MarkdownConverter,
  limits: TransformLimits = unlimited,
): Promise<TransformResult> {
  try {
    return await transformBody(input, signal, converter, limits);
  } catch (error) {
    throw isTooLong(error) ? tooLarge(error) : error;
  }
}

/** Whether a text became longer than the platform allows, as that of a page of hundreds of megabytes may. */
const isTooLong = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === "Invalid string length" || ("code" in error && error.code === "ERR_STRING_TOO_LONG"));

function tooLarge(cause: unknown): ScrapeError {
  const message = "The page is too large: what it is turned into would be longer than a text can be";
  return new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", message, { cause });
}

async function transformBody(
  input: TransformInput,
  signal: AbortSignal | undefined,
  converter: MarkdownConverter | undefined,
  limits: TransformLimits,
): Promise<TransformResult> {
  signal?.throwIfAborted();
  const { body, contentType } = input;
  const kind = input.rendered ? "html" : detectKind(body, contentType, input.url);
  if (kind === "unsupported") throw unsupportedFileError(body, contentType);
  if (kind === "pdf") {
    // A tenth of this package's code, which most processes never need.
    const { transformPdf } = await import("./transform-pdf.ts");
    return withoutTags(input, await transformPdf(input, signal));
  }
  // Before the page becomes a string, which would be kept in memory while this waits.
  const filterTags = await tagFilter(input.options, limits.selectorSteps);
  const text = new PageText(input);
  const result =
    kind === "html"
      ? await runSteps(transformHtml(text, input, { filterTags, limits, converter }), signal)
      : await transformText(text.whole(), kind, input, signal);
  if (result.markdown === "") result.warning = "The page is empty, or nothing of it is left.";
  return kind === "html" ? { ...result, kind } : withoutTags(input, { ...result, kind });
}

/** The result for what has no elements to choose from: a caller who named some is told. */
function withoutTags({ options }: TransformInput, result: TransformResult): TransformResult {
  if (!hasSelectors(options.includeTags) && !hasSelectors(options.excludeTags)) return result;
  const told = "The page is no HTML, so includeTags and excludeTags had no effect on it.";
  return { ...result, warning: result.warning === undefined ? told : `${result.warning} ${told}` };
}

interface HtmlMeans {
  readonly filterTags: TagFilter | undefined;
  readonly limits: TransformLimits;
  readonly converter: MarkdownConverter | undefined;
}

function* transformHtml(
  text: PageText,
  input: TransformInput,
  { filterTags, limits, converter }: HtmlMeans,
): Steps<Omit<TransformResult, "kind">> {
  const { options, url, body } = input;
  const xhtml = !input.rendered && /^\s*application\/xhtml\+xml/i.test(input.contentType ?? "");
  const wanted = new Set(options.formats);
  const page = yield* readHtmlInSteps(text.html(), { xhtml, elements: limits.elements });
  const base = baseUrl(page, url);
  const resolve = urlResolver(base, new UrlGrowth(body.byteLength), queryEncoder(text.encoding));
  yield;

  // Metadata and links are read before anything is removed from the page.
  const result: Omit<TransformResult, "kind"> = { metadata: readMetadata(page, base) };
  if (options.discoverLinks) {
    const { urls, unendorsed } = discoverLinks(page, resolve, url);
    result.discovered = urls;
    result.unendorsed = unendorsed;
    if (options.linkTexts) result.linkTexts = readLinkTexts(page, resolve, result.discovered);
  }
  if (options.structuredData) result.structuredData = readStructuredData(page, base, body.byteLength);
  if (wanted.has("rawHtml")) result.rawHtml = text.whole();
  if (!wanted.has("markdown") && !wanted.has("html") && !wanted.has("links")) return result;
  yield;

  let cleaned = page;
  // Callers' selectors come first, because they were written for the original page.
  if (filterTags !== undefined) yield* filterTags(page.document);
  if (!(yield* reduce(page, input, options.onlyMainContent))) {
    // The tree has already been reduced, so the page is parsed again and its whole body used.
    cleaned = yield* readHtmlInSteps(text.html(), { xhtml });
    if (filterTags !== undefined) yield* filterTags(cleaned.document);
    yield* reduce(cleaned, input, false);
    result.warning = "No main content was found; the whole page is returned instead.";
  }
  const { document } = cleaned;
  yield;
  // Last, so that only what is left is rewritten.
  const sourceSets = wanted.has("html") || converter !== undefined;
  const links = makeUrlsAbsolute(document, resolve, { sourceSets });
  if (wanted.has("html")) {
    dropHandlers(document);
    result.html = writeHtml(document);
  }
  if (wanted.has("links")) result.links = readLinks(links);
  yield;
  if (wanted.has("markdown") && converter !== undefined) {
    result.markdown = (options.removeBase64Images ? turndownWithoutData : turndownMarkdown)(document, converter);
  } else if (wanted.has("markdown")) {
    const pageUrls = [...new Set([url, base])].map(
      (address) => resolveUrl(address, url)?.replace(/#.*$/s, "") ?? address,
    );
    const { removeBase64Images } = options;
    const repetition = new Repetition(body.byteLength);
    result.markdown = yield* markdownInSteps(document, { pageUrls, removeBase64Images, repetition });
  }
  return result;
}

/** Reduces a page to what is wanted of it. False if main content was wanted and none was found. */
function* reduce(page: HtmlPage, { url, rendered, options }: TransformInput, onlyMainContent: boolean): Steps<boolean> {
  const { document } = page;
  // What the caller selected with `includeTags` is kept whole, including any boilerplate.
  const whole = !onlyMainContent || hasSelectors(options.includeTags);
  placeStreamedParts(page, { onlyInText: !whole });
  openShadowRoots(page);
  openDrawnPages(page);
  if (options.visibleOnly) dropHidden(document);
  // Before cleaning, because the head, structured data and hidden elements tell much about the rest.
  const kept = whole || (yield* keepMainContent(document, { url })).kept;
  yield;
  if (kept) clean(document, { rendered });
  // What was chosen may all have been dropped again, such as a heading with nothing below it, or be hidden.
  return kept && (whole || showsAnything(document));
}
