/** Puts the parts together, starts the worker, and closes everything in reverse order. */

import { batchScrape } from "./calls/batch-scrape.ts";
import type { CallParts } from "./calls/call-parts.ts";
import { activeCrawls, crawl } from "./calls/crawl.ts";
import { failedDeliveries, redeliver } from "./calls/deliveries.ts";
import { extract, extractStatus } from "./calls/extract.ts";
import type { ExtractJob } from "./calls/extract-job.ts";
import { cancel, jobErrors, jobStatus } from "./calls/job-views.ts";
import { map } from "./calls/map.ts";
import { untilStopped } from "./calls/open-call.ts";
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
import type { Feature } from "./contract/features.ts";
import type { ActiveCrawls, Cancelled, JobErrors, JobStatus, StatusPage } from "./contract/job.ts";
import type { MapRequest, MapResponse } from "./contract/map.ts";
import type { SchemaOption, SchemaOutput } from "./contract/schema-option.ts";
import type { ScrapeRequest } from "./contract/scrape.ts";
import type { SearchRequest, SearchResponse } from "./contract/search.ts";
import type { CreditUsage, TokenUsage, UsageQuery } from "./contract/usage.ts";
import { memoryStorage } from "./drivers/memory/index.ts";
import { memoryQueue } from "./drivers/memory-queue.ts";
import { safeLogger } from "./drivers/safe-logger.ts";
import { safeTelemetry } from "./drivers/safe-telemetry.ts";
import { ownIndex } from "./drivers/search/own-index.ts";
import { webhookSender } from "./drivers/webhook.ts";
import { RequestError } from "./errors.ts";
import { createAddressGuard } from "./fetch/address-guard.ts";
import { browserFetcher } from "./fetch/browser/browser-fetcher.ts";
import { createConnectors } from "./fetch/connectors.ts";
import { createFetchPage } from "./fetch/fetch-page.ts";
import { httpFetcher } from "./fetch/http.ts";
import { createHttpClient } from "./fetch/http-client.ts";
import { createProxies } from "./fetch/proxies.ts";
import { batchWork } from "./jobs/batch-work.ts";
import { consumeTasks } from "./jobs/consume.ts";
import { crawlWork } from "./jobs/crawl-work.ts";
import { createDelivery, type DeliveryTarget } from "./jobs/deliver.ts";
import { billingTarget, sinkTarget } from "./jobs/delivery-targets.ts";
import { extractWork } from "./jobs/extract-work.ts";
import { createHosts } from "./jobs/hosts.ts";
import { createJobModels } from "./jobs/job-models.ts";
import { defaultPublicUrl } from "./jobs/job-url.ts";
import { createLanes } from "./jobs/lanes.ts";
import { createProgress } from "./jobs/progress.ts";
import { createReaders } from "./jobs/readers.ts";
import { recoverJobs, recoverOutbox } from "./jobs/recover.ts";
import { createSingleCalls } from "./jobs/single-calls.ts";
import { createSiteFiles } from "./jobs/site-files.ts";
import { createSweeper } from "./jobs/sweep.ts";
import { createWebSearch } from "./jobs/web-search.ts";
import { createWorker, type JobWork, nameWorker } from "./jobs/worker.ts";
import { createModelCalls } from "./model/model-calls.ts";
import { networkDefaults } from "./network-options.ts";
import { defaultLimits, defaultPricing, defaultWebhooks, type EngineOptions, parseOptions } from "./options.ts";
import { createCachedFetch } from "./page/cached-fetch.ts";
import { createIndexPage } from "./page/index-page.ts";
import { createScrapePage, type ScrapedPage, type ScrapePageRequest } from "./page/scrape-page.ts";
import { tracedModels } from "./page/traced-models.ts";
import { createTransformRunner } from "./page/transform-runner.ts";
import type { JobRecord } from "./ports/job-store.ts";
import type { SearchProvider } from "./ports/search-provider.ts";
import { createTransformPool } from "./transform/pool.ts";
import { checkSelectors } from "./transform/selectors.ts";

/**
 * Crawls, scrapes and maps inside this process. Every promise rejects with a `CrawlcoreError`, or with the reason of
 * the signal that stopped it.
 */
export interface Engine extends AsyncDisposable {
  /**
   * One page, now.
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
  crawl(request: CrawlRequest, context?: CallContext): Promise<PageJob>;
  /** Status of a crawl of the caller's team, with a chunk of its results. */
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
  batchScrape(request: BatchScrapeRequest, context?: CallContext): Promise<PageJob>;
  getBatchScrapeStatus(id: string, page?: StatusPage, context?: CallContext): Promise<JobStatus>;
  getBatchScrapeErrors(id: string, context?: CallContext): Promise<JobErrors>;
  cancelBatchScrape(id: string, context?: CallContext): Promise<Cancelled>;
  /**
   * A web search; with `scrapeOptions.formats` the pages of its results too.
   * @example
   * const { data } = await engine.search({ query: "kettle site:example.com", limit: 3 });
   */
  search(request: SearchRequest, context?: CallContext): Promise<SearchResponse>;
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
  getExtractStatus(id: string, context?: CallContext): Promise<ExtractStatus>;
  /** The URLs of a site, from its sitemaps and the links of one page. */
  map(request: MapRequest, context?: CallContext): Promise<MapResponse>;
  /** Credits used by the caller's team, by calendar month in UTC. */
  getCreditUsageHistorical(query?: UsageQuery, context?: CallContext): Promise<CreditUsage>;
  /** Tokens used by the caller's team in extract jobs, by calendar month in UTC. */
  getTokenUsageHistorical(query?: UsageQuery, context?: CallContext): Promise<TokenUsage>;
  /** Events for webhooks and sinks that were given up, and are kept as long as their job. */
  getFailedDeliveries(filter?: DeliveryFilter, context?: CallContext): Promise<FailedDeliveries>;
  /** Puts an event that was given up back into the outbox. */
  redeliver(id: string, context?: CallContext): Promise<{ success: true }>;
  /** Takes up the jobs that a stopped or killed process left unfinished in the storage. */
  resume(): Promise<{ resumed: string[] }>;
  /** Stops all work and releases everything; unfinished jobs stay resumable. Idempotent. */
  close(): Promise<void>;
}

/** What every engine has; more depends on its options, and all else that a request may need is refused by name. */
const builtIn: ReadonlySet<Feature> = new Set(["webhooks", "cache", "zeroDataRetention"]);

function searchProviders({ search, storage }: EngineOptions): readonly SearchProvider[] {
  if (search !== undefined) return [search].flat();
  return storage?.index === undefined ? [] : [ownIndex(storage.index)];
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
export function createEngine(input: EngineOptions = {}): Engine {
  const options = parseOptions(input);
  const { network = {} } = options;
  const { secret } = options.webhooks ?? {};
  const logger = safeLogger(options.logger, typeof secret === "string" ? [secret] : []);
  const telemetry = safeTelemetry(options.telemetry);
  const storage = options.storage ?? memoryStorage();
  const queue = options.queue ?? memoryQueue();
  const limits = { ...defaultLimits, ...options.limits };
  const pricing = { ...defaultPricing, ...options.pricing };
  const publicUrl = options.publicUrl ?? defaultPublicUrl;
  const userAgent = network.userAgent ?? networkDefaults.userAgent;
  const closing = new AbortController();

  const guard = createAddressGuard(network);
  const client = createHttpClient({ guard, network });
  const proxies = createProxies(options.proxies);
  const connectorOf = createConnectors({ guard, lookup: network.lookup });
  const browser =
    options.browser === false
      ? undefined
      : browserFetcher({ options: options.browser, network, connectorOf, proxies, logger });
  const fetchers = [httpFetcher(client, { userAgent, proxies }), ...(browser ? [browser] : [])];
  const choose = options.browser === false ? undefined : options.browser?.choose;
  const pool = limits.transformThreads > 0 ? createTransformPool({ threads: limits.transformThreads }) : null;
  const models = createModelCalls(limits);
  const scrapePage = createScrapePage({
    fetchPage: createCachedFetch(createFetchPage(fetchers, { choose }), storage.cache, logger),
    transform: createTransformRunner(pool, options.turndown),
    models,
    model: options.model,
    pricing,
    files: storage.files,
    cache: storage.cache,
    versions: storage.versions,
    historyTtlMs: limits.changeHistoryTtlMs,
    indexPage: createIndexPage(storage.index, logger),
    telemetry,
  });
  const webSearch = createWebSearch(searchProviders({ ...options, storage }), client);
  const jobModels = createJobModels();
  const siteFiles = createSiteFiles(client, userAgent);

  const eventSinks = [options.events ?? []].flat();
  const sinks = {
    events: eventSinks.length,
    billing: options.billing !== undefined,
    releases: options.billing?.release !== undefined,
  };
  const workerName = nameWorker();
  const webhooks = { ...defaultWebhooks, ...options.webhooks };
  const targets = new Map<string, DeliveryTarget>([
    ["webhook", webhookSender({ ...webhooks, secret: webhooks.secret, client, userAgent })],
    ...eventSinks.map((sink, index) => [`events.${index}`, sinkTarget(sink)] as const),
  ]);
  if (options.billing !== undefined) targets.set("billing", billingTarget(options.billing));
  const delivery = createDelivery({
    outbox: storage.outbox,
    worker: workerName,
    targetOf: (name) => targets.get(name),
    longestDeliveryMs: Math.max(...[...targets.values()].map(({ timeoutMs }) => timeoutMs)),
    logger,
    telemetry,
  });
  // Engines that only accept jobs leave deliveries to those that work.
  const wakeOutbox = options.work === false ? () => {} : delivery.wake;
  const sweeper = createSweeper(storage, logger);
  const hosts = createHosts(limits.maxConcurrencyPerHost);
  const progress = createProgress();
  const readers = createReaders(() => worker.wake());
  const pageParts = {
    jobs: storage.jobs,
    hosts,
    scrapePage,
    jobModels,
    sinks,
    wakeOutbox,
    sweeper,
    jobTtlMs: limits.jobTtlMs,
    telemetry,
  };
  const crawlParts = {
    ...pageParts,
    versions: storage.versions,
    siteFiles,
    respectRobots: options.robots !== "ignore",
  };
  const works: Record<JobRecord["kind"], (job: JobRecord) => JobWork> = {
    crawl: (job) => crawlWork(crawlParts, job),
    batch_scrape: (job) => batchWork(pageParts, job),
    extract: (job) =>
      extractWork({ ...crawlParts, webSearch, models: tracedModels(models, telemetry), model: options.model }, job),
  };
  const lanes = createLanes(limits.maxConcurrency);
  const singleCalls = createSingleCalls(lanes, hosts, () => worker.wake());
  const worker = createWorker(workerName, {
    jobs: storage.jobs,
    lanes,
    hosts,
    readers,
    progress,
    logger,
    telemetry,
    maxConcurrency: limits.maxConcurrency,
    open: (job) => works[job.kind](job),
  });

  /** Outside of jobs, where completing the page does it. */
  async function scrapeAndKeep(request: ScrapePageRequest): Promise<ScrapedPage> {
    const page = await scrapePage(request);
    if (page.version === undefined) return page;
    try {
      await storage.versions?.put(page.version);
      sweeper.expect(page.version.expiresAt);
    } catch (error) {
      // The next scrape compares with the version before.
      logger.warn("the version of a page could not be kept", { error: (error as Error).name });
    }
    return page;
  }

  let consuming: Promise<void> | undefined;
  function consume(): void {
    if (options.work === false || closing.signal.aborted) return;
    consuming ??= consumeTasks(queue, (task) => worker.take(task.jobId), { signal: closing.signal, logger });
  }

  const available: Partial<Record<Feature, () => boolean>> = {
    browser: () => browser?.isAvailable() ?? false,
    proxies: () => proxies.has("stealth"),
    model: () => options.model !== undefined,
    search: () => searchProviders({ ...options, storage }).length > 0,
    changeTracking: () => storage.versions !== undefined,
  };
  const parts: CallParts = {
    storage,
    start: { jobs: storage.jobs, queue, sinks, wakeOutbox, sweeper, jobTtlMs: limits.jobTtlMs, jobModels },
    following: { jobs: storage.jobs, progress, readers, closing: closing.signal },
    scrapePage: (request) => singleCalls.run(request, () => scrapeAndKeep(request)),
    siteFiles,
    jobModels,
    webSearch,
    billing: options.billing ?? null,
    limits,
    pricing,
    publicUrl,
    has: (feature) => builtIn.has(feature) || (available[feature]?.() ?? false),
    telemetry,
    abandon: (jobId, reason) => worker.abandon(jobId, reason),
    closing: closing.signal,
    checkSelectors,
  };

  async function close(): Promise<void> {
    const reason = new RequestError("ENGINE_CLOSED", "The engine was closed");
    closing.abort(reason);
    sweeper.stop();
    const steps = [
      () => worker.stop(reason),
      () => delivery.stop(),
      () => consuming,
      () => (options.queue === undefined ? queue.close() : undefined),
      () => browser?.close(),
      () => pool?.close(),
      () => client.close(),
      // Also a storage that the host brought: it opens again when another engine uses it.
      () => storage.close(),
    ];
    const failures: unknown[] = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
  let closed: Promise<void> | undefined;

  function call<Value>(context: CallContext | undefined, run: () => Promise<Value>): Promise<Value> {
    return sealErrors(context, () => untilStopped(parts, context, run()));
  }

  return {
    scrape: <Schema extends SchemaOption>(request: ScrapeRequest<Schema>, context?: CallContext) =>
      call(context, () => scrape(parts, request, context) as Promise<ScrapeResponse<SchemaOutput<Schema>>>),
    crawl(request, context) {
      consume();
      return call(context, () => crawl(parts, request, context));
    },
    getCrawlStatus: (id, page, context) => call(context, () => jobStatus(parts, "crawl", id, page, context)),
    getCrawlErrors: (id, context) => call(context, () => jobErrors(parts, "crawl", id, context)),
    getActiveCrawls: (context) => call(context, () => activeCrawls(parts, context)),
    cancelCrawl: (id, context) => call(context, () => cancel(parts, "crawl", id, context)),
    batchScrape(request, context) {
      consume();
      return call(context, () => batchScrape(parts, request, context));
    },
    getBatchScrapeStatus: (id, page, context) =>
      call(context, () => jobStatus(parts, "batch_scrape", id, page, context)),
    getBatchScrapeErrors: (id, context) => call(context, () => jobErrors(parts, "batch_scrape", id, context)),
    cancelBatchScrape: (id, context) => call(context, () => cancel(parts, "batch_scrape", id, context)),
    search: (request, context) => call(context, () => search(parts, request, context)),
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
        if (closing.signal.aborted) throw new RequestError("ENGINE_CLOSED", "The engine is closed");
        consume();
        await recoverOutbox(storage.outbox);
        wakeOutbox();
        await sweeper.sweep();
        return { resumed: await recoverJobs(storage.jobs, queue, (id) => worker.isWorking(id)) };
      }),
    close() {
      closed ??= sealErrors(undefined, close);
      return closed;
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}
