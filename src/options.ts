/** The options of an engine, with every default. */

import type { NetworkOptions } from "./network-options.ts";
import type { Billing } from "./ports/billing.ts";
import type { EventSink } from "./ports/event-sink.ts";
import type { Fetcher } from "./ports/fetcher.ts";
import type { JobQueue } from "./ports/job-queue.ts";
import type { Logger } from "./ports/logger.ts";
import type { SearchProvider } from "./ports/search-provider.ts";
import type { Storage } from "./ports/storage.ts";
import type { Telemetry } from "./ports/telemetry.ts";

/**
 * The options of an engine. All of them may be left out.
 *
 * @example
 * const engine = createEngine({
 *   storage: sqliteStorage({ path: "crawl.db" }),
 *   network: { allowHosts: ["intranet.example"] },
 *   limits: { maxConcurrency: 50 },
 * });
 */
export interface EngineOptions {
  /** Where jobs, results and charges are kept. @default memoryStorage(): nothing is written to disk */
  storage?: Storage | undefined;
  /** Who may spend, and where charges go. @default everything is allowed and booked in the storage's ledger */
  billing?: Billing | undefined;
  /** Receivers of job events in this process, beside the webhooks that a request asks for. @default none */
  events?: EventSink | readonly EventSink[] | undefined;
  /**
   * Search providers, tried in order.
   * @default the pages that the team has scraped, if the storage has an index of them
   */
  search?: SearchProvider | readonly SearchProvider[] | undefined;
  /** A language model of the AI SDK. Without one, requests that need it are refused. @default none */
  model?: unknown;
  /** How to get a browser, or false for none. @default one that is installed, if `playwright` is installed too */
  browser?: BrowserOptions | false | undefined;
  /**
   * What fetches pages, in the order in which it is tried: fetchers of the host's own, and the engine's by their names.
   * What is left out is not used. robots.txt and sitemaps are requested by the engine itself, and whoever made a fetcher
   * closes it.
   *
   * @default ["http", "browser"]
   * @example
   * const engine = createEngine({ fetchers: ["http", scrapingService({ key })] });
   */
  fetchers?: readonly (Fetcher | "http" | "browser")[] | undefined;
  /** Proxies by tier and country, or a function that chooses one. @default none */
  proxies?: ProxyPool | undefined;
  /** What the engine may reach on the network, and its limits there. */
  network?: NetworkOptions | undefined;
  /** How deliveries to webhooks are signed and retried. */
  webhooks?: WebhookOptions | undefined;
  /** How much is done at once, and how long things are kept. */
  limits?: Limits | undefined;
  /**
   * Whether robots.txt is obeyed, by crawls and by extracts for the pages that they find themselves. A crawl's
   * `ignoreRobotsTxt` overrides `respect`.
   * @default "respect"
   */
  robots?: "respect" | "ignore" | undefined;
  /** Prices in credits; those left out are as in `defaultPricing`. */
  pricing?: { readonly [Price in keyof Pricing]?: number | undefined } | undefined;
  /** Base of the `url` and `next` of jobs, such as `https://api.example.com`. @default "crawlcore://engine" */
  publicUrl?: string | undefined;
  /** Receives log messages, without secrets. @default none: the engine is silent */
  logger?: Logger | undefined;
  /** Receives spans and counters; `openTelemetry(api)` of `crawlcore/opentelemetry` creates one. @default none */
  telemetry?: Telemetry | undefined;
  /**
   * A Turndown service whose rules and plugins write the markdown of HTML pages, from the tree that is already parsed.
   * @default the built-in writer, which is faster
   */
  turndown?: { turndown(node: never): string } | undefined;
  /** Delivers job ids to the engines that share a storage. @default a queue within this engine */
  queue?: JobQueue | undefined;
  /** False: this engine accepts jobs and leaves the work to others on the same storage and queue. @default true */
  work?: boolean | undefined;
}

/** How deliveries to webhooks are signed, retried and given up. */
export interface WebhookOptions {
  /**
   * Key of the signature, or a function that returns it for a team. Without one, deliveries are not signed.
   * @default none
   */
  secret?: (string | ((team: string) => string | undefined | Promise<string | undefined>)) | undefined;
  /** @default "X-Service-Signature" */
  signatureHeader?: string | undefined;
  /** Milliseconds to wait before each retry; there are as many retries as entries. @default [60000, 300000, 900000] */
  retryDelays?: readonly number[] | undefined;
  /** Milliseconds that a receiver has to answer. @default 30000 */
  timeoutMs?: number | undefined;
}

/** Limits of one engine. Engines that share a storage each have their own. */
export interface Limits {
  /** Most pages of one team at once, over all its jobs and single scrapes. @default 32 */
  maxConcurrency?: number | undefined;
  /**
   * Most pages from one host at once, over all teams. One that takes longer than a minute does not count any more.
   * @default 16
   */
  maxConcurrencyPerHost?: number | undefined;
  /** How long a job stays readable after its end, or when nobody works on it, in milliseconds. @default 86400000 (24 h) */
  jobTtlMs?: number | undefined;
  /** Most bytes of documents in one status answer. @default 10485760 (10 MiB) */
  statusChunkBytes?: number | undefined;
  /** Largest `limit` of a crawl. @default 10000 */
  maxPagesPerJob?: number | undefined;
  /** Most calls of language models at once, over all teams. @default 8 */
  modelConcurrency?: number | undefined;
  /** Most tokens of a page in one call of a model, by estimate; longer pages are read in parts. @default 24000 */
  modelInputTokens?: number | undefined;
  /** Most parts that one page is read in; a warning says when there were more. @default 20 */
  modelPartsPerPage?: number | undefined;
  /** How long one call of a model may take, in milliseconds, including retries. @default 120000 */
  modelTimeoutMs?: number | undefined;
  /**
   * Threads for work that would hold up the event loop: PDFs, and pages that take long, such as those over 512 KiB.
   * They start with the first such page and end when idle. A thread whose PDF takes far more memory than its size
   * explains is ended. With 0, or if none can be started, all pages are transformed in the caller's thread, and nothing
   * limits what a PDF unpacks to. With 2 or more, the threads also take other pages of 48 KiB and more if these arrive
   * faster than one thread transforms them. Each takes some 100 MB of memory, which is worth it if the host has
   * processors to spare.
   * @default 1
   */
  transformThreads?: number | undefined;
  /** How long the last version of a page is kept for change tracking, in milliseconds. @default 7776000000 (90 days) */
  changeHistoryTtlMs?: number | undefined;
}

/**
 * Which browser is used, and how. Of `browser`, `endpoint`, `executablePath` and `channel`, the first that is given
 * counts; if none is, an installed browser is used.
 */
export interface BrowserOptions {
  /** Path of a Chromium executable. */
  executablePath?: string | undefined;
  /** The name of an installed browser: `chrome`, `msedge`, `chromium`. */
  channel?: string | undefined;
  /** WebSocket or CDP endpoint of a browser that runs on this machine. */
  endpoint?: string | undefined;
  /** A Playwright `Browser` that the caller owns and closes. */
  browser?: unknown;
  /** Most pages open at once. @default as processors and memory allow: four per processor, 300 MiB each */
  maxPages?: number | undefined;
  /** Pages after which a browser is replaced. Pages in progress finish in the old one. @default 500 */
  maxPagesPerBrowser?: number | undefined;
  /** Milliseconds after which a browser is replaced. @default 1800000 (half an hour) */
  maxBrowserAgeMs?: number | undefined;
  /**
   * Most bytes that all processes of a browser may occupy, checked every ten pages, on Linux only. A browser that
   * occupies more is replaced.
   * @default half of the machine's memory, or of the container's limit
   */
  maxBrowserMemory?: number | undefined;
  /** Additional command-line arguments for the browser. */
  launchArgs?: readonly string[] | undefined;
  /**
   * Filter lists in the usual syntax (the text itself, not a URL), which `blockAds` uses in addition to the engine's
   * own table. Needs the package `@ghostery/adblocker-playwright`.
   */
  filterLists?: readonly string[] | undefined;
  /**
   * Decides whether a page is opened in the browser. It is called before a page is fetched, and again with the answer
   * over HTTP; requests that need the browser go there in any case. Return undefined to follow the suggestion. Of other
   * `fetchers`, those that can `render` count as browsers.
   */
  choose?: BrowserChoice | undefined;
  /** Whether callers may run scripts with the action `executeJavascript`. @default true */
  allowScripts?: boolean | undefined;
}

/**
 * Decides between HTTP and the browser for one page.
 *
 * @example
 * const choose: BrowserChoice = ({ url, suggestion }) => (url.includes("/app/") ? "browser" : suggestion);
 */
export type BrowserChoice = (page: {
  readonly url: string;
  /** What the engine would do by itself. */
  readonly suggestion: "http" | "browser";
  /**
   * Why the browser is suggested: `frames`, `empty-root`, `empty-main`, `loading`, `asks-for-scripts`,
   * `hardly-any-text`, `challenge`, `host-experience`, `blocked`.
   */
  readonly reason?: string | undefined;
  /** The answer over HTTP; absent if the page has not been fetched yet. */
  readonly response?: {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  };
}) => "http" | "browser" | undefined;

/**
 * Proxy URLs (`http://user:password@host:port`) by tier and country, or a function that returns one for a request, or
 * null for none.
 */
export type ProxyPool =
  | {
      readonly basic?: readonly string[] | undefined;
      readonly stealth?: readonly string[] | undefined;
      /** Proxy URLs by two-letter country code. */
      readonly byCountry?: Readonly<Record<string, readonly string[]>> | undefined;
    }
  | ((request: {
      readonly url: string;
      readonly tier: "basic" | "stealth";
      readonly country?: string;
    }) => string | null | Promise<string | null>);

/** Prices in credits. */
export interface Pricing {
  /** A page, whatever its status code, including the first page of a PDF. @default 1 */
  readonly page: number;
  /** Each page of a parsed PDF beyond the first. @default 1 */
  readonly pdfPage: number;
  /** Added when `json` or `extract` is among the formats, or change tracking in `json` mode. @default 4 */
  readonly json: number;
  /** Added when the stealth proxy produced the page. @default 4 */
  readonly stealth: number;
  /** Added for each page under zero data retention. @default 1 */
  readonly zeroDataRetention: number;
  /** A search result that was not scraped. @default 1 */
  readonly searchResult: number;
  /** A call of `map`. @default 1 */
  readonly map: number;
}

/** The prices unless the host sets others. */
export const defaultPricing: Pricing = {
  page: 1,
  pdfPage: 1,
  json: 4,
  stealth: 4,
  zeroDataRetention: 1,
  searchResult: 1,
  map: 1,
};

export const defaultWebhooks: Required<Omit<WebhookOptions, "secret">> = {
  signatureHeader: "X-Service-Signature",
  retryDelays: [60_000, 300_000, 900_000],
  timeoutMs: 30_000,
};

export const defaultBrowser = {
  maxPagesPerBrowser: 500,
  maxBrowserAgeMs: 30 * 60 * 1000,
} satisfies BrowserOptions;

/** The limits of an engine that was given none. */
export const defaultLimits: Required<Limits> = {
  maxConcurrency: 32,
  maxConcurrencyPerHost: 16,
  jobTtlMs: 24 * 60 * 60 * 1000,
  statusChunkBytes: 10 * 1024 * 1024,
  maxPagesPerJob: 10_000,
  modelConcurrency: 8,
  modelInputTokens: 24_000,
  modelPartsPerPage: 20,
  modelTimeoutMs: 120_000,
  transformThreads: 1,
  changeHistoryTtlMs: 90 * 24 * 60 * 60 * 1000,
};

/** The given options; those that are absent or undefined have their defaults. */
export function withDefaults<Options extends object>(defaults: Options, given: Partial<Options> = {}): Options {
  // By the names of the defaults: what a host computes, or its class inherits, is no property of the object itself.
  const names = Object.keys(defaults) as (keyof Options)[];
  return Object.fromEntries(names.map((name) => [name, given[name] ?? defaults[name]])) as Options;
}
