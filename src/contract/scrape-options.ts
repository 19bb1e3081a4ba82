/** The scrape options: how one page is fetched and what is made of it. Shared by every request that scrapes. */
import { z } from "zod";
import { actions } from "./actions.ts";
import { pageFormats } from "./formats.ts";
import { headers } from "./headers.ts";
import { list } from "./list.ts";
import { location } from "./location.ts";
import { changeTrackingOptions, jsonOptions } from "./model-options.ts";

/** The longest time a timer of Node can hold, in milliseconds. */
export const maxTimeout = 2_147_483_647;

const selectors = list(z.string().max(2000), 1000);

export const scrapeOptionFields = {
  /**
   * What to return: `markdown`, `html` (cleaned), `rawHtml` (as received), `links`, `screenshot` or
   * `screenshot@fullPage`, `json` (with `jsonOptions`), `extract` (its old name, with `extract`), `summary`,
   * `changeTracking` (together with `markdown`). An empty list returns the metadata only.
   * @default ["markdown"]
   */
  formats: pageFormats.default(["markdown"]),
  /**
   * Leave out headers, navigation, footers and the like.
   * @default true
   */
  onlyMainContent: z.boolean().default(true),
  /** CSS selectors: only what they match is kept. Up to 1000, blank ones do not count. */
  includeTags: selectors.optional(),
  /** CSS selectors: what they match is left out. Up to 1000, blank ones do not count. */
  excludeTags: selectors.optional(),
  /**
   * Milliseconds. A stored copy of the page that is younger is returned instead of fetching; 0: always fetch.
   * @default 0
   */
  maxAge: z.int().min(0).default(0),
  /** Headers sent with the page request, such as cookies or a user agent. Up to 100. */
  headers: headers.optional(),
  /**
   * Milliseconds to wait after the page has loaded, 0 to 60000 and at most half of `timeout`. More than 0 needs a browser.
   * @default 0
   */
  waitFor: z.int().min(0).max(60_000).default(0),
  /**
   * Emulate a mobile device. Needs a browser.
   * @default false
   */
  mobile: z.boolean().default(false),
  /**
   * Accept any TLS certificate.
   * @default false
   */
  skipTlsVerification: z.boolean().default(false),
  /**
   * Milliseconds for one page, everything included; at least 1.
   * @default 30000
   */
  timeout: z.int().min(1).max(maxTimeout).default(30_000),
  /**
   * Turn a PDF into markdown (1 credit a page). false: return it as base64 (1 credit).
   * @default true
   */
  parsePDF: z.boolean().default(true),
  /** For the format `json`, which needs it and is needed by it: what a model takes from the page. */
  jsonOptions: jsonOptions.optional(),
  /** For the format `extract`: the same as `jsonOptions` under its old name. */
  extract: jsonOptions.optional(),
  /** What to do on the page before its content is taken; up to 50 actions that wait 60 s in all. Needs a browser. */
  actions: actions.optional(),
  /** Where the page should think its reader is: proxy, language and time zone follow. */
  location: location.optional(),
  /** Old name of `location`, which goes before it. */
  geolocation: location.optional(),
  /**
   * Put a placeholder for pictures that are embedded as base64; their alternative text stays.
   * @default true
   */
  removeBase64Images: z.boolean().default(true),
  /**
   * Block advertisements and cookie pop-ups.
   * @default true
   */
  blockAds: z.boolean().default(true),
  /**
   * Way out to the network: `basic` (fast), `stealth` (for sites that refuse robots, +4 credits), `auto` (stealth only
   * when basic is refused).
   * @default "basic"
   */
  proxy: z.enum(["basic", "stealth", "auto"]).default("basic"),
  /**
   * Keep the page in the cache. `actions` or `headers` make it false.
   * @default true
   */
  storeInCache: z.boolean().default(true),
  /** For the format `changeTracking`: how the page is compared with its last version. */
  changeTrackingOptions: changeTrackingOptions.optional(),
};

const unruled = z.object(scrapeOptionFields);
/** Scrape options as a caller writes them. */
export type ScrapeOptions = z.input<typeof unruled>;
/** Scrape options with their defaults, before {@link effectiveScrapeOptions}. */
export type ScrapeOptionValues = z.output<typeof unruled>;

/** Scrape options as the engine uses them: old names resolved, and only what has an effect. */
export type ParsedScrapeOptions = Omit<ScrapeOptionValues, "geolocation">;

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
