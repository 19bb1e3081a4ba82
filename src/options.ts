/** What a host may set when it creates an engine, with every default. */

import type { NetworkOptions } from "./network-options.ts";
import type { Billing } from "./ports/billing.ts";
import type { EventSink } from "./ports/event-sink.ts";
import type { JobQueue } from "./ports/job-queue.ts";
import type { Logger } from "./ports/logger.ts";
import type { SearchProvider } from "./ports/search-provider.ts";
import type { Storage } from "./ports/storage.ts";
import type { Telemetry } from "./ports/telemetry.ts";

/**
 * What a host may set. All of it may be left out.
 *
 * @example
 * const engine = createEngine({
 *   storage: sqliteStorage({ path: "crawl.db" }),
 *   network: { allowHosts: ["intranet.example"] },
 *   limits: { maxConcurrency: 50 },
 * });
 */
export interface EngineOptions {
  /** Where jobs, results and charges live. @default memoryStorage(): nothing is written to disk */
  storage?: Storage | undefined;
  /** Who may spend, and where charges go. @default everything is allowed and booked in the storage's ledger */
  billing?: Billing | undefined;
  /** Receivers of job events in this process, beside the webhooks that a request asks for. @default none */
  events?: EventSink | EventSink[] | undefined;
  /** Search providers, tried in order. @default the pages that the team has scraped, where the storage has an index of them */
  search?: SearchProvider | SearchProvider[] | undefined;
  /** A language model of the AI SDK; without it a request that needs one is refused. @default none */
  model?: unknown;
  /** How to get a browser, or false for none. @default one that is installed, if `playwright` is */
  browser?: BrowserOptions | false | undefined;
  /** Proxies by tier and country, or a function that names one. @default none */
  proxies?: ProxyPool | undefined;
  /** What the engine may reach, and within which bounds. */
  network?: NetworkOptions | undefined;
  /** How deliveries to webhooks are signed and retried. */
  webhooks?: WebhookOptions | undefined;
  /** How much may be done at once, and how long things are kept. */
  limits?: Limits | undefined;
  /**
   * Whether robots.txt is obeyed, by crawls and by extracts for the pages that they find; a crawl's `ignoreRobotsTxt`
   * overrides `respect`. @default "respect"
   */
  robots?: "respect" | "ignore" | undefined;
  /** Credits for each thing; what is not named costs as much as in `defaultPricing`. */
  pricing?: { readonly [Price in keyof Pricing]?: number | undefined } | undefined;
  /** Base of the `url` and `next` of jobs: `https://api.example.com`. @default "crawlcore://engine" */
  publicUrl?: string | undefined;
  /** Secrets are taken out of what it gets. @default silent */
  logger?: Logger | undefined;
  /** Spans and counters; `openTelemetry(api)` of `crawlcore/opentelemetry` makes one. @default none */
  telemetry?: Telemetry | undefined;
  /**
   * A Turndown service whose rules and plugins make the markdown of HTML pages, over the tree that was parsed already.
   * @default the built-in writer, which is faster
   */
  turndown?: { turndown(node: never): string } | undefined;
  /** Delivers job ids to the engines that share a storage. @default within this process */
  queue?: JobQueue | undefined;
  /** False: this engine accepts jobs and leaves the work to others on the same storage and queue. @default true */
  work?: boolean | undefined;
}

/** How deliveries to webhooks are signed, tried again and given up. */
export interface WebhookOptions {
  /** Key of the signature, or a function of the team. Without it deliveries are not signed. @default none */
  secret?: (string | ((team: string) => string | undefined | Promise<string | undefined>)) | undefined;
  /** @default "X-Service-Signature" */
  signatureHeader?: string | undefined;
  /** Milliseconds to wait before each further attempt; as many attempts as entries, and one. @default [60000, 300000, 900000] */
  retryDelays?: readonly number[] | undefined;
  /** Milliseconds a receiver has to answer. @default 30000 */
  timeoutMs?: number | undefined;
}

/** Bounds of one engine. Several engines on one storage have each its own. */
export interface Limits {
  /** Pages at once for one team, over all its jobs. @default 32 */
  maxConcurrency?: number | undefined;
  /** Pages at once from one host, over all teams. @default 16 */
  maxConcurrencyPerHost?: number | undefined;
  /** How long a job stays readable after its end, or when nobody works on it, in milliseconds. @default 86400000 (24 h) */
  jobTtlMs?: number | undefined;
  /** Most bytes of documents in one status answer. @default 10485760 (10 MiB) */
  statusChunkBytes?: number | undefined;
  /** Largest `limit` of a crawl. @default 10000 */
  maxPagesPerJob?: number | undefined;
  /** Calls of language models at once, over all teams. @default 8 */
  modelConcurrency?: number | undefined;
  /** Most tokens of a page in one call of a model, as estimated; longer pages are read in parts. @default 24000 */
  modelInputTokens?: number | undefined;
  /** Most parts that one page is read in; a warning says when there were more. @default 20 */
  modelPartsPerPage?: number | undefined;
  /** How long one call of a model may take, in milliseconds, further tries included. @default 120000 */
  modelTimeoutMs?: number | undefined;
  /**
   * Threads for what would hold the event loop: PDFs, and pages over 256 KiB. They start with the first such page and
   * end when idle. A thread whose PDF takes far more memory than its size explains is ended. 0, or where none can be
   * started: all pages are transformed in the caller's thread, and nothing bounds what a PDF unpacks to. With 2 or more
   * they also take other pages of 48 KiB and more when these come faster than one thread transforms them, for some 100
   * MB of memory each: worth it where the host has processors to spare. @default 1
   */
  transformThreads?: number | undefined;
  /** How long the last version of a page is kept for change tracking, in milliseconds. @default 7776000000 (90 days) */
  changeHistoryTtlMs?: number | undefined;
}

/**
 * Which browser is used, and how. Of `browser`, `endpoint`, `executablePath` and `channel` the first that is given counts;
 * without any, one that is installed.
 */
export interface BrowserOptions {
  /** Path of the program of a Chromium. */
  executablePath?: string | undefined;
  /** An installed browser by name: `chrome`, `msedge`, `chromium`. */
  channel?: string | undefined;
  /** WebSocket or CDP endpoint of a running browser. */
  endpoint?: string | undefined;
  /** A Playwright `Browser` that the caller owns and closes. */
  browser?: unknown;
  /** Pages open at once. @default as processors and memory allow: four a processor, 300 MiB each */
  maxPages?: number | undefined;
  /** Pages after which a browser is replaced by a new one. Pages under way end in the old one. @default 500 */
  maxPagesPerBrowser?: number | undefined;
  /** Milliseconds after which a browser is replaced. @default 1800000 (half an hour) */
  maxBrowserAgeMs?: number | undefined;
  /**
   * Bytes that the processes of a browser may hold together; looked at every ten pages, on Linux. One that holds more is
   * replaced. @default half of the memory, of the container if it has a limit
   */
  maxBrowserMemory?: number | undefined;
  /** Further arguments for the program of the browser. */
  launchArgs?: readonly string[] | undefined;
  /**
   * Filter lists in the usual syntax (the text itself, not a URL), for `blockAds` beside the engine's own table. Needs
   * the package `@ghostery/adblocker-playwright`.
   */
  filterLists?: readonly string[] | undefined;
  /**
   * Overrules whether a page is opened in the browser. Asked before a page is fetched over HTTP, and again with the
   * answer; a request that needs the browser anyway goes there. Undefined: as suggested.
   */
  choose?: BrowserChoice | undefined;
  /** Whether the action `executeJavascript` may run scripts of callers. @default true */
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
  /** What the engine would do. */
  readonly suggestion: "http" | "browser";
  /**
   * Why the browser is suggested: `frames`, `empty-root`, `asks-for-scripts`, `hardly-any-text`, `challenge`, `host-experience`, `blocked`.
   */
  readonly reason?: string | undefined;
  /** The answer over HTTP; absent when the page has not been fetched yet. */
  readonly response?: {
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  };
}) => "http" | "browser" | undefined;

/** Proxy URLs (`http://user:password@host:port`) by tier and country, or a function that names one for a request. */
export type ProxyPool =
  | {
      readonly basic?: readonly string[] | undefined;
      readonly stealth?: readonly string[] | undefined;
      /** Two-letter country code to proxy URLs. */
      readonly byCountry?: Readonly<Record<string, readonly string[]>> | undefined;
    }
  | ((request: {
      readonly url: string;
      readonly tier: "basic" | "stealth";
      readonly country?: string;
    }) => string | null | Promise<string | null>);

/** Credits for each thing. */
export interface Pricing {
  /** A page, whatever its status code; a PDF of one page too. @default 1 */
  readonly page: number;
  /** Each page of a parsed PDF beyond the first. @default 1 */
  readonly pdfPage: number;
  /** Added when `json` is among the formats, or change tracking in `json` mode. @default 4 */
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

/** What things cost unless the host says otherwise. */
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

/** The options given, each that is absent or undefined with its default. */
export function withDefaults<Options extends object>(defaults: Options, given: Partial<Options> = {}): Options {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}
