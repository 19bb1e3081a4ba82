/** One page: fetched, transformed, and put together as a Document with its price. */
import { randomUUID } from "node:crypto";
import type { Document, DocumentMetadata } from "../contract/document.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { StructuredData } from "../contract/structured-data.ts";
import { withDeadline } from "../fetch/deadline.ts";
import type { ModelCalls } from "../model/model-calls.ts";
import type { Pricing } from "../options.ts";
import type { TransformInput, TransformResult } from "../transform/transform.ts";
import type { CacheableFetch, MaybeCachedPage } from "./cached-fetch.ts";
import { pageCredits } from "./credits.ts";
import { fetchRequestOf } from "./fetch-request.ts";
import type { IndexPage } from "./index-page.ts";
import { type ModelFormats, makeModelFormats, wantsModel } from "./model-formats.ts";

export interface ScrapePageRequest {
  /** As requested; becomes `metadata.sourceURL`. */
  readonly url: string;
  readonly options: ParsedScrapeOptions;
  readonly team: string;
  readonly zeroDataRetention: boolean;
  /** Whether the links of the whole page are wanted, whatever the options leave of it. */
  readonly discover: boolean;
  /** What the page declares for machines is wanted too, and nothing of what it hides: an extract job reads it. */
  readonly forModel?: boolean;
  /** The caller's own language model, instead of the engine's. */
  readonly model?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface ScrapedPage {
  readonly document: Document;
  readonly finalUrl: string;
  readonly statusCode: number;
  /** The `Retry-After` header. */
  readonly retryAfter: string | undefined;
  /** Absolute URLs of the page's links, when asked for. */
  readonly discovered: readonly string[];
  /** With `forModel`, of HTML pages. */
  readonly structuredData?: StructuredData | undefined;
  readonly credits: number;
  readonly tokens: number;
}

export interface ScrapePageParts {
  readonly fetchPage: CacheableFetch;
  readonly transform: (input: TransformInput, signal: AbortSignal) => Promise<TransformResult>;
  readonly models: ModelCalls;
  /** The engine's language model, if it has one. */
  readonly model: unknown;
  readonly pricing: Pricing;
  readonly indexPage: IndexPage;
}

/** Rejects with a `ScrapeError`, a `RequestError`, or the signal's reason. */
export type ScrapePage = (request: ScrapePageRequest) => Promise<ScrapedPage>;

export function createScrapePage(parts: ScrapePageParts): ScrapePage {
  return async (request) => {
    const { options } = request;
    const deadline = withDeadline(request.signal, options.timeout);
    try {
      const fetched = await parts.fetchPage(fetchRequestOf(request, deadline.signal), request);
      const transformed = await parts.transform(transformInputOf(request, fetched), deadline.signal);
      deadline.signal.throwIfAborted();
      const made = await makeModelFormats(parts.models, {
        model: request.model ?? parts.model,
        url: fetched.url,
        statusCode: fetched.statusCode,
        options,
        transformed,
        signal: deadline.signal,
      });
      const page = assemble(parts.pricing, request, fetched, transformed, made);
      await parts.indexPage(request, fetched, page.document);
      return page;
    } finally {
      deadline.dispose();
    }
  };
}

function transformInputOf(
  { url, options, discover, forModel = false }: ScrapePageRequest,
  fetched: MaybeCachedPage,
): TransformInput {
  return {
    body: fetched.body,
    contentType: fetched.headers["content-type"],
    url: fetched.url,
    sourceURL: url,
    statusCode: fetched.statusCode,
    rendered: fetched.rendered,
    options: {
      formats: wantsModel(options) ? [...options.formats, "markdown"] : options.formats,
      onlyMainContent: options.onlyMainContent,
      includeTags: options.includeTags,
      excludeTags: options.excludeTags,
      removeBase64Images: options.removeBase64Images,
      parsePDF: options.parsePDF,
      discoverLinks: discover,
      visibleOnly: forModel || wantsModel(options),
      structuredData: forModel,
    },
  };
}

function assemble(
  pricing: Pricing,
  request: ScrapePageRequest,
  fetched: MaybeCachedPage,
  transformed: TransformResult,
  made: ModelFormats,
): ScrapedPage {
  const { formats } = request.options;
  const credits = pageCredits(
    {
      numPages: transformed.numPages,
      json: formats.includes("json") || formats.includes("extract"),
      stealth: fetched.proxyUsed === "stealth",
      zeroDataRetention: request.zeroDataRetention,
    },
    pricing,
  );
  const warning = [transformed.warning, fetched.warning, ...made.warnings]
    .filter((text) => text !== undefined)
    .join(" ");
  const document: Document = {
    ...(transformed.markdown === undefined || !formats.includes("markdown") ? {} : { markdown: transformed.markdown }),
    ...(transformed.html === undefined ? {} : { html: transformed.html }),
    ...(transformed.rawHtml === undefined ? {} : { rawHtml: transformed.rawHtml }),
    ...(transformed.links === undefined ? {} : { links: transformed.links }),
    ...made.fields,
    ...(warning === "" ? {} : { warning }),
    metadata: metadataOf(request, fetched, transformed, credits),
  };
  return {
    document,
    finalUrl: fetched.url,
    statusCode: fetched.statusCode,
    retryAfter: fetched.headers["retry-after"],
    discovered: transformed.discovered ?? [],
    structuredData: transformed.structuredData,
    credits,
    tokens: made.tokens,
  };
}

function metadataOf(
  request: ScrapePageRequest,
  fetched: MaybeCachedPage,
  transformed: TransformResult,
  creditsUsed: number,
): DocumentMetadata {
  const isBad = fetched.statusCode >= 400;
  return {
    ...transformed.metadata,
    scrapeId: randomUUID(),
    sourceURL: request.url,
    url: fetched.url,
    statusCode: fetched.statusCode,
    ...(isBad ? { error: fetched.statusText } : {}),
    ...(fetched.headers["content-type"] === undefined ? {} : { contentType: fetched.headers["content-type"] }),
    ...(transformed.numPages === undefined ? {} : { numPages: transformed.numPages }),
    proxyUsed: fetched.proxyUsed,
    ...(fetched.cacheState === undefined ? {} : { cacheState: fetched.cacheState }),
    ...(fetched.cachedAt === undefined ? {} : { cachedAt: new Date(fetched.cachedAt).toISOString() }),
    engine: fetched.engine,
    engineReason: fetched.engineReason,
    creditsUsed,
  };
}
