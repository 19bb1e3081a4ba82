/** Assembles the parts that turn a URL into a document: network, browser, transform, models, cache and history. */

import { parseOptions } from "./check-options.ts";
import { allowedHostProblem, createAddressGuard } from "./fetch/address-guard.ts";
import { browserFetcher } from "./fetch/browser/browser-fetcher.ts";
import { certificateProblem, createConnectors } from "./fetch/connectors.ts";
import { createFetchPage } from "./fetch/fetch-page.ts";
import { hostFetcher } from "./fetch/host-fetcher.ts";
import { createHttpClient } from "./fetch/http-client.ts";
import { httpFetcher } from "./fetch/http-fetcher.ts";
import { createProxies, type Proxies } from "./fetch/proxies.ts";
import { createModelCalls, type ModelCalls } from "./model/model-calls.ts";
import { networkDefaults } from "./network-options.ts";
import { defaultLimits, defaultPricing, type EngineOptions, withDefaults } from "./options.ts";
import { createCachedFetch } from "./page/cached-fetch.ts";
import { createKeepFile } from "./page/files.ts";
import { createIndexPage } from "./page/index-page.ts";
import { createScrapePage, type ScrapePage } from "./page/scrape-page.ts";
import { createTransformRunner } from "./page/transform-runner.ts";
import { createTurns } from "./page/turns.ts";
import type { Fetcher, FetchNeed } from "./ports/fetcher.ts";
import type { HttpClient } from "./ports/http-client.ts";
import type { Logger } from "./ports/logger.ts";
import type { Storage } from "./ports/storage.ts";
import type { Telemetry } from "./ports/telemetry.ts";
import { createTransformPool, type TransformPool } from "./transform/pool.ts";

interface AssembledPages {
  readonly scrapePage: ScrapePage;
  /** Whether a fetcher can do something beyond fetching bytes. */
  readonly can: (need: FetchNeed) => boolean;
  readonly client: HttpClient;
  readonly userAgent: string;
  readonly proxies: Proxies;
  readonly models: ModelCalls;
  /** To be closed once no page is in progress any more, and before the client. */
  readonly browser: Fetcher | undefined;
  readonly pool: TransformPool | null;
}

interface PagesContext {
  readonly storage: Storage;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** Called when a page has been fetched, with the number of fetched pages that still wait to be transformed. */
  readonly arrived: (waiting: number) => void;
}

/** @throws RequestError `BAD_REQUEST` that names everything that is wrong with a host's options */
export function readOptions(options: EngineOptions): EngineOptions {
  return parseOptions(options, { allowedHostProblem, certificateProblem });
}

export function assemblePages(
  options: EngineOptions,
  { storage, logger, telemetry, arrived }: PagesContext,
): AssembledPages {
  const { network = {} } = options;
  const limits = withDefaults(defaultLimits, options.limits);
  const userAgent = network.userAgent ?? networkDefaults.userAgent;
  const connectorOf = createConnectors(network);
  const client = createHttpClient(connectorOf, network);
  const proxies = createProxies(options.proxies);
  const browser =
    options.browser === false
      ? undefined
      : browserFetcher({ options: options.browser, network, connectorOf, proxies, logger });
  const own = { http: httpFetcher(client, { userAgent, proxies }), browser };
  const guard = createAddressGuard(network);
  const maxBodyBytes = network.maxBodyBytes ?? networkDefaults.maxBodyBytes;
  const fetchers = (options.fetchers ?? ["http", "browser"])
    .map((one) => (typeof one === "string" ? own[one] : hostFetcher(one, { guard, maxBodyBytes })))
    .filter((one) => one !== undefined);
  const choose = options.browser === false ? undefined : options.browser?.choose;
  const pool = limits.transformThreads > 0 ? createTransformPool({ threads: limits.transformThreads }) : null;
  const fetchPage = createFetchPage(fetchers, choose);
  const models = createModelCalls(limits);
  const scrapePage = createScrapePage({
    fetchPage: createCachedFetch(fetchPage, storage.cache, logger),
    transform: createTransformRunner(pool, createTurns(arrived), logger, options.turndown),
    models,
    model: options.model,
    pricing: withDefaults(defaultPricing, options.pricing),
    keepFile: createKeepFile(storage.files, logger),
    cache: storage.cache,
    versions: storage.versions,
    historyTtlMs: limits.changeHistoryTtlMs,
    indexPage: createIndexPage(storage.index, logger),
    telemetry,
  });
  const can = (need: FetchNeed) => fetchers.some((fetcher) => fetcher.can.has(need));
  return { scrapePage, can, client, userAgent, proxies, models, browser, pool };
}
