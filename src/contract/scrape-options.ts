/** The scrape options, shared by every request that scrapes: how a page is fetched, and what is returned of it. */
import { z } from "zod";
import { type Action, actions, type ParsedAction } from "./actions.ts";
import type { Fields, Filled } from "./fields.ts";
import { type Format, pageFormats } from "./formats.ts";
import { headers } from "./headers.ts";
import { list } from "./list.ts";
import { type LocationOptions, location, type ParsedLocation } from "./location.ts";
import {
  type ChangeTrackingOptions,
  changeTrackingOptions,
  type JsonOptions,
  jsonOptions,
  type ParsedChangeTrackingOptions,
} from "./model-options.ts";
import type { SchemaOption } from "./schema-option.ts";
import { wholeNumber } from "./whole-number.ts";

/** How a page is fetched, and what is returned of it. */
export interface ScrapeOptions<Schema extends SchemaOption = SchemaOption> {
  /**
   * What to return: `markdown`, `html` (cleaned), `rawHtml` (as received), `links`, `screenshot` or
   * `screenshot@fullPage`, `json` (needs `jsonOptions`), `extract` (the old name of `json`, needs the option
   * `extract`), `summary`, `changeTracking` (only together with `markdown`). With an empty list only the metadata is
   * returned.
   * @default ["markdown"]
   */
  formats?: readonly Format[] | undefined;
  /**
   * Return only the main content, without headers, navigation, footers and the like.
   * @default true
   */
  onlyMainContent?: boolean | undefined;
  /** CSS selectors: only what they match is kept. Up to 200 selectors of 1000 characters; blank ones are ignored. */
  includeTags?: readonly string[] | undefined;
  /** CSS selectors: what they match is removed. Up to 200 selectors of 1000 characters; blank ones are ignored. */
  excludeTags?: readonly string[] | undefined;
  /**
   * Milliseconds, 0 or more. If the cache holds a copy of the page that is younger than this, it is returned instead of
   * fetching the page. 0: always fetch. Pages with `waitFor`, `actions`, `headers`, a password in their URL, the
   * `stealth` proxy, change tracking or zero data retention are always fetched.
   * @default 0
   */
  maxAge?: number | undefined;
  /** Headers to send with the request for the page, such as cookies or a user agent. Up to 100. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Milliseconds to wait after the page has loaded, 0 to 60000, and at most half of `timeout`. Anything above 0 needs a
   * browser.
   * @default 0
   */
  waitFor?: number | undefined;
  /**
   * Emulate a mobile device. Needs a browser.
   * @default false
   */
  mobile?: boolean | undefined;
  /**
   * Accept any TLS certificate.
   * @default false
   */
  skipTlsVerification?: boolean | undefined;
  /**
   * Milliseconds for one page, from start to finish; 1 to 2147483647.
   * @default 30000
   */
  timeout?: number | undefined;
  /**
   * Convert a PDF to markdown (1 credit for each of its pages). false: return it as base64 (1 credit).
   * @default true
   */
  parsePDF?: boolean | undefined;
  /** What a model takes from the page. Needed for the format `json`, and allowed only with it. */
  jsonOptions?: JsonOptions<Schema> | undefined;
  /** The same as `jsonOptions`, for the format `extract`. */
  extract?: JsonOptions<Schema> | undefined;
  /**
   * What to do on the page before its content is read: up to 50 actions, which may wait 60 s in all. Needs a browser.
   */
  actions?: readonly Action[] | undefined;
  /** Where the page's visitor appears to be; determines proxy, languages and time zone. Needs a browser. */
  location?: LocationOptions | undefined;
  /** Old name of `location`, which takes precedence. */
  geolocation?: LocationOptions | undefined;
  /**
   * Replace pictures that are embedded as base64 with a placeholder; their alternative text stays.
   * @default true
   */
  removeBase64Images?: boolean | undefined;
  /**
   * Block advertisements and cookie pop-ups.
   * @default true
   */
  blockAds?: boolean | undefined;
  /**
   * Which proxies to use: `basic` (fast), `stealth` (for sites that refuse robots, +4 credits), `auto` (stealth only if
   * basic is refused; if the engine has no stealth proxies, a `warning` then says so).
   * @default "basic"
   */
  proxy?: "basic" | "stealth" | "auto" | undefined;
  /**
   * Keep the page in the cache. With `actions`, `headers` or a password in its URL it is never kept.
   * @default true
   */
  storeInCache?: boolean | undefined;
  /** How the page is compared with its last version. Used only with the format `changeTracking`. */
  changeTrackingOptions?: ChangeTrackingOptions | undefined;
}

/** Scrape options with their defaults, before {@link effectiveScrapeOptions}. */
export interface ScrapeOptionValues
  extends Filled<
    Omit<ScrapeOptions, "actions" | "location" | "geolocation" | "changeTrackingOptions">,
    "includeTags" | "excludeTags" | "headers" | "jsonOptions" | "extract"
  > {
  actions?: readonly ParsedAction[] | undefined;
  location?: ParsedLocation | undefined;
  geolocation?: ParsedLocation | undefined;
  changeTrackingOptions?: ParsedChangeTrackingOptions | undefined;
}

/** Scrape options as the engine uses them: old names are resolved, and options without effect are gone. */
export type ParsedScrapeOptions = Omit<ScrapeOptionValues, "geolocation">;

/** The longest delay of a timer in Node, in milliseconds. */
export const maxTimeout = 2_147_483_647;

/** Most selectors in one list. */
export const maxSelectors = 200;
export const selector = z.string().max(1000);
const selectors = list(selector, maxSelectors);

export const scrapeOptionFields = {
  formats: pageFormats.default(["markdown"]),
  onlyMainContent: z.boolean().default(true),
  includeTags: selectors.optional(),
  excludeTags: selectors.optional(),
  maxAge: wholeNumber().min(0).default(0),
  headers: headers.optional(),
  waitFor: wholeNumber().min(0).max(60_000).default(0),
  mobile: z.boolean().default(false),
  skipTlsVerification: z.boolean().default(false),
  timeout: wholeNumber().min(1).max(maxTimeout).default(30_000),
  parsePDF: z.boolean().default(true),
  jsonOptions: jsonOptions.optional(),
  extract: jsonOptions.optional(),
  actions: actions.optional(),
  location: location.optional(),
  geolocation: location.optional(),
  removeBase64Images: z.boolean().default(true),
  blockAds: z.boolean().default(true),
  proxy: z.enum(["basic", "stealth", "auto"]).default("basic"),
  storeInCache: z.boolean().default(true),
  changeTrackingOptions: changeTrackingOptions.optional(),
} satisfies Fields<ScrapeOptions>;

/**
 * The options that take effect. `geolocation` becomes `location`; `extract` is dropped if `json` is asked for too;
 * actions and headers keep the page out of the cache.
 */
export function effectiveScrapeOptions({ geolocation, ...options }: ScrapeOptionValues): ParsedScrapeOptions {
  const result: ParsedScrapeOptions = { ...options };
  const place = options.location ?? geolocation;
  if (place !== undefined) result.location = place;
  if (options.formats.includes("json")) {
    result.formats = options.formats.filter((format) => format !== "extract");
    delete result.extract;
  }
  if (!options.formats.includes("changeTracking")) delete result.changeTrackingOptions;
  if (options.actions?.length || Object.keys(options.headers ?? {}).length > 0) result.storeInCache = false;
  return result;
}
