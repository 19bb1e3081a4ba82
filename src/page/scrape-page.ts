/**
 * Scrapes one page: fetches and transforms it, adds what models make of it and the comparison with its last version,
 * and assembles the document.
 */
import type { Document } from "../contract/document.ts";
import type { StructuredData } from "../contract/structured-data.ts";
import { type Deadline, orOverdue, withDeadline } from "../fetch/deadline.ts";
import type { ModelCalls } from "../model/model-calls.ts";
import type { Pricing } from "../options.ts";
import type { BeforeRedirect } from "../ports/fetcher.ts";
import type { HeadersFor } from "../ports/http-client.ts";
import type { PageCache } from "../ports/page-cache.ts";
import type { NewPageVersion, PageVersions } from "../ports/page-versions.ts";
import type { SpanName, Telemetry, TelemetrySpan } from "../ports/telemetry.ts";
import { orAborted } from "../shared/or-aborted.ts";
import type { Waiter } from "../shared/team-turns.ts";
import type { TransformInput, TransformOptions, TransformResult } from "../transform/transform.ts";
import type { MaybeCachedPage } from "./cached-copy.ts";
import { type CacheableFetch, untrackedCopy } from "./cached-fetch.ts";
import { findEarlier, isTracked, type TrackedPage, trackChanges } from "./change-tracking.ts";
import { compareVersions } from "./compare-versions.ts";
import { fetchRequestOf } from "./fetch-request.ts";
import { browserFields, type KeepFile } from "./files.ts";
import type { IndexPage } from "./index-page.ts";
import { isReadByModel, makeModelFormats, unreadPdf } from "./model-formats.ts";
import { creditsOf, type DocumentedPage, documentOf } from "./page-document.ts";
import { traced } from "./traced.ts";
import { tracedModels } from "./traced-models.ts";
import { waitingModels } from "./waiting-models.ts";

export interface ScrapePageRequest extends DocumentedPage {
  /** Whether the links of the whole page are wanted, whatever part of it the options select. */
  readonly discover: boolean;
  /** With `discover`: the texts of the links are wanted too. */
  readonly linkTexts?: boolean;
  /** For an extract job: the page's structured data is wanted too, and nothing that the page hides. */
  readonly forModel?: boolean;
  /** The caller's own language model, instead of the engine's. */
  readonly model?: unknown;
  /** Nobody is waiting for this page in particular, so its time begins when there is room for it. */
  readonly isOfJob?: boolean;
  /** Called with each address that a redirect leads to; if it rejects, the scrape ends with its reason. */
  readonly beforeRedirect?: BeforeRedirect | undefined;
  /** The caller's headers for another origin, to which a redirect leads; absent: none. */
  readonly headersFor?: HeadersFor | undefined;
  /** The span of the job. */
  readonly parent?: TelemetrySpan | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of this signal and the page's timeout, if its time has begun before. Whoever created it disposes of it. */
  readonly deadline?: Deadline | undefined;
}

export interface ScrapedPage {
  readonly document: Document;
  readonly finalUrl: string;
  readonly statusCode: number;
  /** The `Retry-After` header. */
  readonly retryAfter: string | undefined;
  /** The page came from the cache. */
  readonly isCached: boolean;
  /** Absolute URLs of the page's links, when asked for. */
  readonly discovered: readonly string[];
  /** Those of them that only `nofollow` links lead to. */
  readonly unendorsed: readonly string[];
  /** With `linkTexts`, for HTML pages: for each entry of `discovered`, the texts of the page's links to it. */
  readonly linkTexts?: readonly string[] | undefined;
  /** With `forModel`, for HTML pages. */
  readonly structuredData?: StructuredData | undefined;
  /** A PDF that was not read: the document contains the file instead of its text. */
  readonly isEncoded: boolean;
  readonly credits: number;
  readonly tokens: number;
  /** To be stored with the page, for change tracking. */
  readonly version: NewPageVersion | undefined;
  /** Settles once the page cache and the search index have stored what they keep of the page; never rejects. */
  readonly kept: Promise<unknown>;
  /** To be called once `version` is stored; see {@link MaybeCachedPage.keep}. */
  readonly keep: (() => Promise<void>) | undefined;
}

interface ScrapePageParts {
  readonly fetchPage: CacheableFetch;
  readonly transform: (input: TransformInput, signal: AbortSignal, waiter: Waiter) => Promise<TransformResult>;
  readonly models: ModelCalls;
  /** The engine's language model, if it has one. */
  readonly model: unknown;
  readonly pricing: Pricing;
  /** Keeps pictures; absent: they are in the document. */
  readonly keepFile?: KeepFile | undefined;
  readonly cache: PageCache;
  readonly versions: PageVersions | undefined;
  readonly historyTtlMs: number;
  readonly telemetry: Telemetry;
  readonly indexPage: IndexPage;
}

/** Rejects with a `ScrapeError`, a `RequestError`, or the signal's reason. */
export type ScrapePage = (request: ScrapePageRequest) => Promise<ScrapedPage>;

/** Time after the page's deadline for assembling what there is. */
const graceMs = 1000;

export function createScrapePage(parts: ScrapePageParts): ScrapePage {
  /** The markdown, made with the present options, of the page that a scrape without change tracking left in the cache. */
  async function untrackedMarkdown(page: TrackedPage, signal: AbortSignal, waiter: Waiter) {
    const request = { ...page, discover: false };
    const copy = await untrackedCopy(parts.cache, fetchRequestOf(request, signal));
    if (copy?.cachedAt === undefined) return null;
    const { markdown } = await parts.transform(new PageInput(request, copy), signal, waiter);
    return { scrapedAt: copy.cachedAt, markdown: markdown ?? "" };
  }

  async function work(request: ScrapePageRequest, span: TelemetrySpan, deadline: Deadline): Promise<ScrapedPage> {
    const { options, isOfJob, beforeRedirect, headersFor } = request;
    const { signal, untimed, awaits } = deadline;
    const waiter = { team: request.team, untimed: isOfJob ? untimed : undefined };
    const under = <Value>(name: SpanName, part: () => Promise<Value>) =>
      traced(parts.telemetry, name, { parent: span }, part);
    const left = () => untrackedMarkdown(request, signal, waiter);
    const earlier = isTracked(request) ? await orAborted(findEarlier(parts, request, left), signal) : undefined;
    const fetched = await under("crawlcore.fetch", () =>
      orAborted(
        parts.fetchPage(
          {
            ...fetchRequestOf(request, signal),
            awaits,
            ...(isOfJob ? { untimed } : {}),
            ...(request.zeroDataRetention ? { zeroDataRetention: true } : {}),
            ...(beforeRedirect === undefined ? {} : { beforeRedirect }),
            ...(headersFor === undefined ? {} : { headersFor }),
          },
          request,
        ),
        signal,
      ),
    );
    span.set({ statusCode: fetched.statusCode, engine: fetched.engine, cacheState: fetched.cacheState });
    const transformed = await under("crawlcore.transform", () =>
      parts.transform(new PageInput(request, fetched), signal, waiter),
    );
    signal.throwIfAborted();
    const models = tracedModels(waitingModels(parts.models, waiter), parts.telemetry, span);
    const asked = { model: request.model ?? parts.model, url: fetched.url, signal };
    const markdown = transformed.markdown ?? "";
    // At the same time, so that a model that takes all the time leaves some for the comparison.
    const [made, changes] = await Promise.all([
      makeModelFormats(models, { ...asked, statusCode: fetched.statusCode, options, transformed }),
      trackChanges(parts, request, earlier, {
        statusCode: fetched.statusCode,
        markdown,
        compare: async (previous, how) =>
          transformed.isEncoded
            ? { json: null, warning: unreadPdf, tokens: 0 }
            : compareVersions(models, { ...asked, previous, current: markdown }, how),
        signal,
      }),
    ]);
    // Under zero data retention nothing goes into a file store.
    const pictures = await browserFields(fetched, request.team, request.zeroDataRetention ? undefined : parts.keepFile);
    const credits = creditsOf(parts.pricing, request, fetched, transformed);
    const document = documentOf(request, fetched, transformed, { changes, made, pictures, credits });
    return new Scraped(document, fetched, transformed, {
      credits,
      tokens: changes.tokens + made.tokens,
      version: changes.version,
      keep: fetched.keep,
      kept: Promise.all([
        fetched.kept,
        ...(transformed.isEncoded ? [] : [parts.indexPage(request, fetched, document)]),
      ]),
    });
  }

  return async (request) => {
    const deadline = request.deadline ?? withDeadline(request.signal, request.options.timeout);
    const { url, team, zeroDataRetention, parent } = request;
    try {
      const attributes = { team, url: zeroDataRetention ? undefined : url };
      // A part of the host may ignore the signal. And a page whose model did not finish in time is returned without the
      // model's answer, a moment later.
      return await traced(parts.telemetry, "crawlcore.page", { attributes, parent }, (span) =>
        orOverdue(work(request, span, deadline), deadline.signal, { caller: request.signal, graceMs }),
      );
    } finally {
      if (deadline !== request.deadline) deadline.dispose();
    }
  };
}

/** A class for the same reason as {@link Scraped}: the body belongs to it. */
class PageInput implements TransformInput {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly url: string;
  readonly rendered: boolean;
  readonly options: TransformOptions;

  constructor({ options, discover, linkTexts = false, forModel = false }: ScrapePageRequest, fetched: MaybeCachedPage) {
    this.body = fetched.body;
    this.contentType = fetched.headers["content-type"];
    this.url = fetched.url;
    this.rendered = fetched.rendered;
    this.options = {
      formats: isReadByModel(options) ? [...options.formats, "markdown"] : options.formats,
      onlyMainContent: options.onlyMainContent,
      includeTags: options.includeTags,
      excludeTags: options.excludeTags,
      removeBase64Images: options.removeBase64Images,
      parsePDF: options.parsePDF,
      discoverLinks: discover,
      linkTexts,
      visibleOnly: forModel || isReadByModel(options),
      structuredData: forModel,
    };
  }
}

/**
 * A class: V8 may take objects of a literal for long-lived, and with them everything that belongs to the page (see
 * "Time and memory" in `docs/architecture.md`).
 */
class Scraped implements ScrapedPage {
  readonly document: Document;
  readonly finalUrl: string;
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  readonly isCached: boolean;
  readonly discovered: readonly string[];
  readonly unendorsed: readonly string[];
  readonly linkTexts: readonly string[] | undefined;
  readonly structuredData: StructuredData | undefined;
  readonly isEncoded: boolean;
  readonly credits: number;
  readonly tokens: number;
  readonly version: NewPageVersion | undefined;
  readonly kept: Promise<unknown>;
  readonly keep: (() => Promise<void>) | undefined;

  constructor(
    document: Document,
    { url, statusCode, headers, cacheState }: MaybeCachedPage,
    { discovered = [], unendorsed = [], linkTexts, structuredData, isEncoded = false }: TransformResult,
    { credits, tokens, version, kept, keep }: Pick<ScrapedPage, "credits" | "tokens" | "version" | "kept" | "keep">,
  ) {
    this.document = document;
    this.finalUrl = url;
    this.statusCode = statusCode;
    this.retryAfter = headers["retry-after"];
    this.isCached = cacheState === "hit";
    this.discovered = discovered;
    this.unendorsed = unendorsed;
    this.linkTexts = linkTexts;
    this.structuredData = structuredData;
    this.isEncoded = isEncoded;
    this.credits = credits;
    this.tokens = tokens;
    this.version = version;
    this.kept = kept;
    this.keep = keep;
  }
}
