// From the bytes of a page to the fields of a Document: the steps in their order, each with the reason for its place.

import { isAscii } from "node:buffer";
import { Turn } from "../contract/turn.ts";
import { baseUrl, makeUrlsAbsolute, resolveUrl, urlResolver } from "./absolute-urls.ts";
import { clean, dropHidden } from "./clean.ts";
import { decodeBody } from "./decode.ts";
import { readLinkTexts } from "./link-texts.ts";
import { discoverLinks, readLinks } from "./links.ts";
import { keepMainContent } from "./main-content.ts";
import { toMarkdown } from "./markdown.ts";
import { detectKind, unsupportedFileError } from "./media-type.ts";
import { readMetadata } from "./metadata.ts";
import { type HtmlPage, readHtml } from "./read-html.ts";
import { repairEncoding } from "./repair-encoding.ts";
import { readStructuredData } from "./structured-data/read-structured-data.ts";
import { applyTags, hasSelectors } from "./tags.ts";
import { transformPdf } from "./transform-pdf.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";
import { transformText } from "./transform-text.ts";
import { type MarkdownConverter, turndownMarkdown, turndownWithoutData } from "./turndown-adapter.ts";
import { writeHtml } from "./write-html.ts";

export type { TransformInput, TransformOptions, TransformResult } from "./transform-shapes.ts";

/**
 * Transforms one page. Pure: the same input gives the same result, here or in a worker thread.
 *
 * @param converter makes the markdown of HTML pages instead of the built-in writer: a Turndown service with its rules
 * @throws RequestError `BAD_REQUEST` when a selector is not valid or takes too much work
 */
export async function transform(
  input: TransformInput,
  signal?: AbortSignal,
  converter?: MarkdownConverter,
): Promise<TransformResult> {
  signal?.throwIfAborted();
  const { body, contentType } = input;
  const kind = input.rendered ? "html" : detectKind(body, contentType, input.url);
  if (kind === "unsupported") throw unsupportedFileError(body, contentType);
  if (kind === "pdf") return transformPdf(input, signal);
  const decoded = decodeBody(body, contentType, input.rendered);
  const text = isAscii(body) ? decoded : repairEncoding(decoded);
  const result =
    kind === "html" ? await transformHtml(text, input, signal, converter) : await transformText(text, kind, input);
  if (result.markdown === "") result.warning = "The page is empty, or nothing of it is left.";
  return { ...result, kind };
}

async function transformHtml(
  html: string,
  input: TransformInput,
  signal: AbortSignal | undefined,
  converter: MarkdownConverter | undefined,
): Promise<Omit<TransformResult, "kind">> {
  const { options, url } = input;
  const turn = new Turn();
  /** Between two steps of a page that takes long. */
  const giveWay = async (): Promise<void> => {
    await turn.next();
    signal?.throwIfAborted();
  };
  const xhtml = !input.rendered && /^\s*application\/xhtml\+xml/i.test(input.contentType ?? "");
  const wanted = new Set(options.formats);
  const page = readHtml(html, { xhtml });
  const base = baseUrl(page, url);
  const resolve = urlResolver(base);
  if (turn.isOver()) await giveWay();

  // What the page says of itself and where it leads: before anything is removed from it.
  const result: Omit<TransformResult, "kind"> = { metadata: readMetadata(page, base) };
  if (options.discoverLinks) {
    result.discovered = discoverLinks(page, resolve);
    if (options.linkTexts) result.linkTexts = readLinkTexts(page, resolve, result.discovered);
  }
  if (options.structuredData) result.structuredData = readStructuredData(page, base);
  if (wanted.has("rawHtml")) result.rawHtml = html;
  if (!wanted.has("markdown") && !wanted.has("html") && !wanted.has("links")) return result;

  if (turn.isOver()) await giveWay();
  let cleaned = page;
  // Suspended only for callers' selectors: what was suspended while it held a tree keeps it when it has become old.
  const hasTags = hasSelectors(options.includeTags) || hasSelectors(options.excludeTags);
  // They come first: they were written for the page as its author wrote it.
  if (hasTags) await applyTags(page.document, options);
  if (!reduce(page, input, options.onlyMainContent)) {
    // The tree has been cut to pieces: read it again, and take the whole body.
    cleaned = readHtml(html, { xhtml });
    if (hasTags) await applyTags(cleaned.document, options);
    reduce(cleaned, input, false);
    result.warning = "No main content was found; the whole page is given instead.";
  }
  const { document } = cleaned;
  if (turn.isOver()) await giveWay();
  // Last, so that only what is left is rewritten.
  const sourceSets = wanted.has("html") || converter !== undefined;
  const links = makeUrlsAbsolute(document, resolve, { sourceSets });
  if (wanted.has("html")) result.html = writeHtml(document);
  if (wanted.has("links")) result.links = readLinks(links);
  if (wanted.has("markdown") && converter !== undefined) {
    result.markdown = (options.removeBase64Images ? turndownWithoutData : turndownMarkdown)(document, converter);
  } else if (wanted.has("markdown")) {
    const pageUrls = [...new Set([url, base])].map(
      (address) => resolveUrl(address, url)?.replace(/#.*$/s, "") ?? address,
    );
    result.markdown = toMarkdown(document, { pageUrls, removeBase64Images: options.removeBase64Images });
  }
  return result;
}

/** Reduces a page to what is wanted of it. False when main content was wanted and none was found. */
function reduce({ document }: HtmlPage, { url, rendered, options }: TransformInput, onlyMainContent: boolean): boolean {
  if (options.visibleOnly) dropHidden(document);
  // What the caller has chosen with `includeTags` is wanted whole: boilerplate inside it stays.
  const whole = !onlyMainContent || hasSelectors(options.includeTags);
  // Before the cleaning: the head, declared data and what is hidden say much about the rest.
  const kept = whole || keepMainContent(document, { url }).kept;
  if (kept) clean(document, { rendered });
  return kept;
}
