/** The engine: what a program creates and calls. */

import { setImmediate as nextTurn } from "node:timers/promises";
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
import type { SchemaOption, SchemaOutput } from "./contract/schema-option.ts";
import type { ScrapeRequest } from "./contract/scrape.ts";
import type { SearchRequest, SearchResponse } from "./contract/search.ts";
import type { CreditUsage, TokenUsage, UsageQuery } from "./contract/usage.ts";
import type { EngineOptions } from "./options.ts";
import { orAborted } from "./shared/or-aborted.ts";

/**
 * The service's calls, answered inside this process. A promise that rejects does so with a `CrawlcoreError`, or with
 * the reason of the signal that stopped the call. Any call may reject with the codes `BAD_REQUEST` (`details` lists
 * everything that is wrong), `UNSUPPORTED` (this engine was not given what the request needs), `INSUFFICIENT_CREDITS`
 * (its billing refuses), `NOT_FOUND` (the job does not exist, belongs to another team or has expired) and
 * `ENGINE_CLOSED`.
 */
export interface Engine extends AsyncDisposable {
  /**
   * Scrapes one page and resolves with it. Any answer of a site is a page, whatever its status code
   * (`metadata.statusCode`).
   *
   * @throws ScrapeError when the site gave no usable answer; RequestError `FORBIDDEN_ADDRESS` when the page is at an
   * address that the engine may not reach
   * @example
   * const { data } = await engine.scrape({ url: "https://example.com", formats: ["markdown", "links"] });
   * console.log(data.markdown);
   */
  scrape<Schema extends SchemaOption = SchemaOption>(
    request: ScrapeRequest<Schema>,
    context?: CallContext,
  ): Promise<ScrapeResponse<SchemaOutput<Schema>>>;
  /**
   * Crawls a site, starting from one URL, as a job that outlives the call; with a durable storage it outlives the
   * process too.
   * @example
   * const job = await engine.crawl({ url: "https://example.com", limit: 100 });
   * for await (const page of job) console.log(page.metadata.sourceURL);
   */
  crawl<Schema extends SchemaOption = SchemaOption>(
    request: CrawlRequest<Schema>,
    context?: CallContext,
  ): Promise<PageJob<SchemaOutput<Schema>>>;
  /**
   * The status of a crawl of the caller's team, with a chunk of its results.
   * @example
   * const { status, completed, total } = await engine.getCrawlStatus(job.id, { limit: 1 });
   */
  getCrawlStatus(id: string, page?: StatusPage, context?: CallContext): Promise<JobStatus>;
  /** The pages of a crawl that failed and the URLs that were left out, each with the reason. */
  getCrawlErrors(id: string, context?: CallContext): Promise<JobErrors>;
  /** The crawls of the caller's team that are in progress. */
  getActiveCrawls(context?: CallContext): Promise<ActiveCrawls>;
  /** Cancels a crawl; finished pages stay readable. */
  cancelCrawl(id: string, context?: CallContext): Promise<Cancelled>;
  /**
   * Scrapes a list of URLs, as a job like a crawl.
   * @example
   * const job = await engine.batchScrape({ urls: ["https://example.com/a", "https://example.com/b"] });
   * const { data } = await job.wait();
   */
  batchScrape<Schema extends SchemaOption = SchemaOption>(
    request: BatchScrapeRequest<Schema>,
    context?: CallContext,
  ): Promise<PageJob<SchemaOutput<Schema>>>;
  /** The status of a batch scrape of the caller's team, with a chunk of its results. */
  getBatchScrapeStatus(id: string, page?: StatusPage, context?: CallContext): Promise<JobStatus>;
  /** The pages of a batch scrape that failed, each with the reason. */
  getBatchScrapeErrors(id: string, context?: CallContext): Promise<JobErrors>;
  /** Cancels a batch scrape; finished pages stay readable. */
  cancelBatchScrape(id: string, context?: CallContext): Promise<Cancelled>;
  /**
   * Searches the web; with `scrapeOptions.formats`, the pages of the results are scraped as well.
   * @example
   * const { data } = await engine.search({ query: "kettle site:example.com", limit: 3 });
   */
  search<Schema extends SchemaOption = SchemaOption>(
    request: SearchRequest<Schema>,
    context?: CallContext,
  ): Promise<SearchResponse<SchemaOutput<Schema>>>;
  /**
   * Takes structured data from pages and whole sites, as a job like a crawl.
   * @example
   * const job = await engine.extract({ urls: ["https://example.com/*"], schema: z.object({ products: z.array(product) }) });
   * const { data, warning } = await job.wait();
   */
  extract<Schema extends SchemaOption = SchemaOption>(
    request: ExtractRequest<Schema>,
    context?: CallContext,
  ): Promise<ExtractJob<SchemaOutput<Schema>>>;
  /** The status of an extract job of the caller's team, and its data once it has completed. */
  getExtractStatus(id: string, context?: CallContext): Promise<ExtractStatus>;
  /**
   * Lists the URLs of a site, from its sitemaps and the links of one page.
   *
   * @throws ScrapeError `MAP_TIMEOUT` when the request's `timeout` has expired before any URL but the given one was known
   * @example
   * const { links } = await engine.map({ url: "https://example.com", search: "docs", limit: 20 });
   */
  map(request: MapRequest, context?: CallContext): Promise<MapResponse>;
  /** The credits used by the caller's team, by calendar month in UTC. */
  getCreditUsageHistorical(query?: UsageQuery, context?: CallContext): Promise<CreditUsage>;
  /** The tokens used by the caller's team in extract jobs, by calendar month in UTC. */
  getTokenUsageHistorical(query?: UsageQuery, context?: CallContext): Promise<TokenUsage>;
  /**
   * Events for webhooks and sinks whose delivery was given up, oldest first: the first 1000, or those that the filter
   * asks for. They are kept as long as their job.
   */
  getFailedDeliveries(filter?: DeliveryFilter, context?: CallContext): Promise<FailedDeliveries>;
  /**
   * Puts an event whose delivery was given up back into the outbox. `id` is the id of a {@link FailedDeliveries failed
   * delivery}.
   */
  redeliver(id: string, context?: CallContext): Promise<{ success: true }>;
  /**
   * Continues the jobs that a stopped or killed process left unfinished in the storage, and resolves with their ids.
   * Call it once after start.
   */
  resume(): Promise<{ resumed: string[] }>;
  /**
   * Stops all work and releases all resources. Unfinished jobs stay resumable, and events and charges that wait to be
   * delivered stay in the storage. An engine that was given no `storage` takes up to five seconds to deliver them
   * before. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Creates an engine. Nothing is opened, started or written before the first call.
 *
 * @throws RequestError `BAD_REQUEST` when options are invalid; `details` lists all of them
 * @example
 * const engine = createEngine({ storage: sqliteStorage({ path: "crawl.db" }) });
 * const { data } = await engine.scrape({ url: "https://example.com" });
 * await engine.close();
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const { parts, consume, recover, close } = assembleEngine(options);
  let closed: Promise<void> | undefined;
  const ended = new AbortController();

  function call<Value>(context: CallContext | undefined, run: () => Promise<Value>): Promise<Value> {
    return sealErrors(context, async () => {
      const running = run();
      parts.track(running);
      // Once everything is closed, what the call waits for will never come.
      const value = await orAborted(untilAborted(context, running), ended.signal);
      // A storage in memory answers at once: nothing else would happen while a caller asks again and again.
      await nextTurn();
      return value;
    });
  }

  function closeOnce(): Promise<void> {
    closed ??= sealErrors(undefined, close).finally(() => ended.abort(closedError()));
    return closed;
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
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}
