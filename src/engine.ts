/** The engine: what a program creates and calls. */

import { assembleEngine } from "./assemble.ts";
import { batchScrape } from "./calls/batch-scrape.ts";
import { activeCrawls, crawl } from "./calls/crawl.ts";
import { failedDeliveries, redeliver } from "./calls/deliveries.ts";
import { extract, extractStatus } from "./calls/extract.ts";
import type { ExtractJob } from "./calls/extract-job.ts";
import { cancel, jobErrors, jobStatus } from "./calls/job-views.ts";
import { map } from "./calls/map.ts";
import { closedError, requireOpen, untilAborted } from "./calls/open-call.ts";
import type { PageJob } from "./calls/page-job.ts";
import { scrape } from "./calls/scrape.ts";
import { sealErrors } from "./calls/seal-errors.ts";
import { search } from "./calls/search.ts";
import { creditUsage, tokenUsage } from "./calls/usage.ts";
import type { BatchScrapeRequest } from "./contract/batch-scrape.ts";
import type { CallContext } from "./contract/call-context.ts";
import type { CrawlRequest } from "./contract/crawl.ts";
import type { DeliveryFilter, FailedDeliveries } from "./contract/deliveries.ts";
import type { ScrapeResponse } from "./contract/document.ts";
import type { ExtractRequest, ExtractStatus } from "./contract/extract.ts";
import type { ActiveCrawls, Cancelled, JobErrors, JobStatus, StatusPage } from "./contract/job.ts";
import type { MapRequest, MapResponse } from "./contract/map.ts";
import { orAborted } from "./contract/or-aborted.ts";
import type { SchemaOption, SchemaOutput } from "./contract/schema-option.ts";
import type { ScrapeRequest } from "./contract/scrape.ts";
import type { SearchRequest, SearchResponse } from "./contract/search.ts";
import type { CreditUsage, TokenUsage, UsageQuery } from "./contract/usage.ts";
import type { EngineOptions } from "./options.ts";

/**
 * Crawls, scrapes and maps inside this process. Every promise rejects with a `CrawlcoreError`, or with the reason of
 * the signal that stopped it. The codes that any call may reject with: `BAD_REQUEST` (all that is wrong is in `details`),
 * `UNSUPPORTED` (this engine was not given what the request needs), `INSUFFICIENT_CREDITS` (its billing refuses),
 * `NOT_FOUND` (no such job, or one of another team, or one that has expired), `ENGINE_CLOSED`.
 */
export interface Engine extends AsyncDisposable {
  /**
   * One page, now. What a site answers is a page, whatever its status code (`metadata.statusCode`).
   *
   * @throws ScrapeError when no answer could be had
   * @example
   * const { data } = await engine.scrape({ url: "https://example.com", formats: ["markdown", "links"] });
   * console.log(data.markdown);
   */
  scrape<Schema extends SchemaOption = SchemaOption>(
    request: ScrapeRequest<Schema>,
    context?: CallContext,
  ): Promise<ScrapeResponse<SchemaOutput<Schema>>>;
  /**
   * A site, from one URL on: a job that outlives the call, and the process with a durable storage.
   * @example
   * const job = await engine.crawl({ url: "https://example.com", limit: 100 });
   * for await (const page of job) console.log(page.metadata.sourceURL);
   */
  crawl<Schema extends SchemaOption = SchemaOption>(
    request: CrawlRequest<Schema>,
    context?: CallContext,
  ): Promise<PageJob<SchemaOutput<Schema>>>;
  /**
   * Status of a crawl of the caller's team, with a chunk of its results.
   * @example
   * const { status, completed, total } = await engine.getCrawlStatus(job.id, { limit: 1 });
   */
  getCrawlStatus(id: string, page?: StatusPage, context?: CallContext): Promise<JobStatus>;
  /** Pages of a crawl that failed, and URLs that were left out, each with the reason. */
  getCrawlErrors(id: string, context?: CallContext): Promise<JobErrors>;
  /** The crawls of the caller's team that are at work. */
  getActiveCrawls(context?: CallContext): Promise<ActiveCrawls>;
  /** Stops a crawl; what is done stays readable. */
  cancelCrawl(id: string, context?: CallContext): Promise<Cancelled>;
  /**
   * A list of URLs: a job like a crawl.
   * @example
   * const job = await engine.batchScrape({ urls: ["https://example.com/a", "https://example.com/b"] });
   * const { data } = await job.wait();
   */
  batchScrape<Schema extends SchemaOption = SchemaOption>(
    request: BatchScrapeRequest<Schema>,
    context?: CallContext,
  ): Promise<PageJob<SchemaOutput<Schema>>>;
  /** Status of a batch scrape of the caller's team, with a chunk of its results. */
  getBatchScrapeStatus(id: string, page?: StatusPage, context?: CallContext): Promise<JobStatus>;
  /** Pages of a batch scrape that failed, each with the reason. */
  getBatchScrapeErrors(id: string, context?: CallContext): Promise<JobErrors>;
  /** Stops a batch scrape; what is done stays readable. */
  cancelBatchScrape(id: string, context?: CallContext): Promise<Cancelled>;
  /**
   * A web search; with `scrapeOptions.formats` the pages of its results too.
   * @example
   * const { data } = await engine.search({ query: "kettle site:example.com", limit: 3 });
   */
  search<Schema extends SchemaOption = SchemaOption>(
    request: SearchRequest<Schema>,
    context?: CallContext,
  ): Promise<SearchResponse<SchemaOutput<Schema>>>;
  /**
   * Structured data from pages and whole sites: a job like a crawl.
   * @example
   * const job = await engine.extract({ urls: ["https://example.com/*"], schema: z.object({ products: z.array(product) }) });
   * const { data, warning } = await job.wait();
   */
  extract<Schema extends SchemaOption = SchemaOption>(
    request: ExtractRequest<Schema>,
    context?: CallContext,
  ): Promise<ExtractJob<SchemaOutput<Schema>>>;
  /** What an extract job of the caller's team has come to. */
  getExtractStatus(id: string, context?: CallContext): Promise<ExtractStatus>;
  /**
   * The URLs of a site, from its sitemaps and the links of one page.
   *
   * @throws ScrapeError `MAP_TIMEOUT` when the request's `timeout` is up
   * @example
   * const { links } = await engine.map({ url: "https://example.com", search: "docs", limit: 20 });
   */
  map(request: MapRequest, context?: CallContext): Promise<MapResponse>;
  /** Credits used by the caller's team, by calendar month in UTC. */
  getCreditUsageHistorical(query?: UsageQuery, context?: CallContext): Promise<CreditUsage>;
  /** Tokens used by the caller's team in extract jobs, by calendar month in UTC. */
  getTokenUsageHistorical(query?: UsageQuery, context?: CallContext): Promise<TokenUsage>;
  /** Events for webhooks and sinks that were given up, and are kept as long as their job. */
  getFailedDeliveries(filter?: DeliveryFilter, context?: CallContext): Promise<FailedDeliveries>;
  /** Puts an event that was given up back into the outbox: `id` is that of a failed delivery. */
  redeliver(id: string, context?: CallContext): Promise<{ success: true }>;
  /** Takes up the jobs that a stopped or killed process left unfinished in the storage; resolves with their ids. */
  resume(): Promise<{ resumed: string[] }>;
  /** Stops all work and releases everything; unfinished jobs stay resumable. Idempotent. */
  close(): Promise<void>;
}

/**
 * Makes an engine. Nothing is opened, started or written before the first call.
 *
 * @throws RequestError `BAD_REQUEST` for options that make no sense
 * @example
 * const engine = createEngine({ storage: sqliteStorage({ path: "crawl.db" }) });
 * const { data } = await engine.scrape({ url: "https://example.com" });
 * await engine.close();
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const { parts, track, consume, recover, close } = assembleEngine(options);
  let closed: Promise<void> | undefined;
  const ended = new AbortController();

  function call<Value>(context: CallContext | undefined, run: () => Promise<Value>): Promise<Value> {
    return sealErrors(context, () => {
      const running = run();
      track(running);
      // Once all is closed, nothing that was waited for will come.
      return orAborted(untilAborted(context, running), ended.signal);
    });
  }

  return {
    scrape: <Schema extends SchemaOption>(request: ScrapeRequest<Schema>, context?: CallContext) =>
      call(context, () => scrape(parts, request, context) as Promise<ScrapeResponse<SchemaOutput<Schema>>>),
    crawl<Schema extends SchemaOption>(request: CrawlRequest<Schema>, context?: CallContext) {
      consume();
      return call(context, () => crawl(parts, request, context) as Promise<PageJob<SchemaOutput<Schema>>>);
    },
    getCrawlStatus: (id, page, context) => call(context, () => jobStatus(parts, "crawl", id, page, context)),
    getCrawlErrors: (id, context) => call(context, () => jobErrors(parts, "crawl", id, context)),
    getActiveCrawls: (context) => call(context, () => activeCrawls(parts, context)),
    cancelCrawl: (id, context) => call(context, () => cancel(parts, "crawl", id, context)),
    batchScrape<Schema extends SchemaOption>(request: BatchScrapeRequest<Schema>, context?: CallContext) {
      consume();
      return call(context, () => batchScrape(parts, request, context) as Promise<PageJob<SchemaOutput<Schema>>>);
    },
    getBatchScrapeStatus: (id, page, context) =>
      call(context, () => jobStatus(parts, "batch_scrape", id, page, context)),
    getBatchScrapeErrors: (id, context) => call(context, () => jobErrors(parts, "batch_scrape", id, context)),
    cancelBatchScrape: (id, context) => call(context, () => cancel(parts, "batch_scrape", id, context)),
    search: <Schema extends SchemaOption>(request: SearchRequest<Schema>, context?: CallContext) =>
      call(context, () => search(parts, request, context) as Promise<SearchResponse<SchemaOutput<Schema>>>),
    extract<Schema extends SchemaOption>(request: ExtractRequest<Schema>, context?: CallContext) {
      consume();
      return call(context, () => extract(parts, request, context) as Promise<ExtractJob<SchemaOutput<Schema>>>);
    },
    getExtractStatus: (id, context) => call(context, () => extractStatus(parts, id, context)),
    map: (request, context) => call(context, () => map(parts, request, context)),
    getCreditUsageHistorical: (query, context) => call(context, () => creditUsage(parts, query, context)),
    getTokenUsageHistorical: (query, context) => call(context, () => tokenUsage(parts, query, context)),
    getFailedDeliveries: (filter, context) => call(context, () => failedDeliveries(parts, filter, context)),
    redeliver: (id, context) => call(context, () => redeliver(parts, id, context)),
    resume: () =>
      call(undefined, async () => {
        requireOpen(parts);
        return { resumed: await recover() };
      }),
    close() {
      closed ??= sealErrors(undefined, close).finally(() => ended.abort(closedError()));
      return closed;
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}
