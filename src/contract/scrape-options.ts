/** The scrape options: how one page is fetched and what is made of it. Shared by every request that scrapes. */
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

/** How one page is fetched and what is made of it. */
export interface ScrapeOptions<Schema extends SchemaOption = SchemaOption> {
  /**
   * What to return: `markdown`, `html` (cleaned), `rawHtml` (as received), `links`, `screenshot` or
   * `screenshot@fullPage`, `json` (with `jsonOptions`), `extract` (its old name, with `extract`), `summary`,
   * `changeTracking` (together with `markdown`). An empty list returns the metadata only.
   * @default ["markdown"]
   */
  formats?: readonly Format[] | undefined;
  /**
   * Leave out headers, navigation, footers and the like.
   * @default true
   */
  onlyMainContent?: boolean | undefined;
  /** CSS selectors: only what they match is kept. Up to 200 of 1000 characters; blank ones do not count. */
  includeTags?: readonly string[] | undefined;
  /** CSS selectors: what they match is left out. Up to 200 of 1000 characters; blank ones do not count. */
  excludeTags?: readonly string[] | undefined;
  /**
   * Milliseconds, 0 or more. A stored copy of the page that is younger is returned instead of fetching; 0: always fetch.
   * @default 0
   */
  maxAge?: number | undefined;
  /** Headers sent with the page request, such as cookies or a user agent. Up to 100. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Milliseconds to wait after the page has loaded, 0 to 60000 and at most half of `timeout`. More than 0 needs a browser.
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
   * Milliseconds for one page, everything included; 1 to 2147483647.
   * @default 30000
   */
  timeout?: number | undefined;
  /**
   * Turn a PDF into markdown (1 credit a page). false: return it as base64 (1 credit).
   * @default true
   */
  parsePDF?: boolean | undefined;
  /** For the format `json`, which needs it and is needed by it: what a model takes from the page. */
  jsonOptions?: JsonOptions<Schema> | undefined;
  /** For the format `extract`: the same as `jsonOptions` under its old name. */
  extract?: JsonOptions<Schema> | undefined;
  /** What to do on the page before its content is taken; up to 50 actions that wait 60 s in all. Needs a browser. */
  actions?: readonly Action[] | undefined;
  /** Where the page should think its reader is: proxy, language and time zone follow. Needs a browser. */
  location?: LocationOptions | undefined;
  /** Old name of `location`, which goes before it. */
  geolocation?: LocationOptions | undefined;
  /**
   * Put a placeholder for pictures that are embedded as base64; their alternative text stays.
   * @default true
   */
  removeBase64Images?: boolean | undefined;
  /**
   * Block advertisements and cookie pop-ups.
   * @default true
   */
  blockAds?: boolean | undefined;
  /**
   * Way out to the network: `basic` (fast), `stealth` (for sites that refuse robots, +4 credits), `auto` (stealth only
   * when basic is refused; where the engine has no stealth proxies, a `warning` says so then).
   * @default "basic"
   */
  proxy?: "basic" | "stealth" | "auto" | undefined;
  /**
   * Keep the page in the cache. `actions` or `headers` make it false.
   * @default true
   */
  storeInCache?: boolean | undefined;
  /** For the format `changeTracking`, without which it does not apply: how the page is compared with its last version. */
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

/** Scrape options as the engine uses them: old names resolved, and only what has an effect. */
export type ParsedScrapeOptions = Omit<ScrapeOptionValues, "geolocation">;

/** The longest time a timer of Node can hold, in milliseconds. */
export const maxTimeout = 2_147_483_647;

const selectors = list(z.string().max(1000), 200);

export const scrapeOptionFields = {
  formats: pageFormats.default(["markdown"]),
  onlyMainContent: z.boolean().default(true),
  includeTags: selectors.optional(),
  excludeTags: selectors.optional(),
  maxAge: z.int().min(0).default(0),
  headers: headers.optional(),
  waitFor: z.int().min(0).max(60_000).default(0),
  mobile: z.boolean().default(false),
  skipTlsVerification: z.boolean().default(false),
  timeout: z.int().min(1).max(maxTimeout).default(30_000),
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
 * What the options come to. `geolocation` becomes `location`; `extract` gives way to `json` when both are asked for;
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
