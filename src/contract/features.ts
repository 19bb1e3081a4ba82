/** What each option needs beyond fetching pages, so that an engine without it can refuse the option by name. */
import { RequestError } from "../errors.ts";
import { pathText } from "../shared/path-text.ts";
import type { ParsedBatchScrapeRequest } from "./batch-scrape.ts";
import type { ParsedCrawlRequest } from "./crawl.ts";
import { namesNoUrls, type ParsedExtractRequest } from "./extract.ts";
import type { Format } from "./formats.ts";
import type { ParsedMapRequest } from "./map.ts";
import type { ParsedScrapeRequest } from "./scrape.ts";
import type { ParsedScrapeOptions } from "./scrape-options.ts";
import type { ParsedSearchRequest } from "./search.ts";

const browser =
  "a browser; configure one in options.browser, after `npm install playwright @crawlee/browser-pool`, " +
  "or install one with `npx playwright install chromium`";

/** Features that an engine may lack, with what a caller is told to do about it. */
const features = {
  waitFor: browser,
  mobile: browser,
  location: browser,
  actions: browser,
  screenshot: browser,
  stealth: "stealth proxies; configure them in options.proxies.stealth",
  model: "a language model; configure one in options.model or name one in the call context",
  search: "a search provider; configure one in options.search",
  index: "an index of the pages scraped; use a storage that has one",
  changeTracking: "a history of pages; use a storage that keeps one",
} as const;

export type Feature = keyof typeof features;

/** An option in a request, and the feature that it needs. */
interface FeatureNeed {
  readonly feature: Feature;
  readonly path: readonly string[];
  /** The value that needs it, if the option has several: a format. Of the request itself, what is special about it. */
  readonly value?: string;
}

/** Parsed requests by the name of their call. */
export interface ParsedRequests {
  scrape: ParsedScrapeRequest;
  crawl: ParsedCrawlRequest;
  batchScrape: ParsedBatchScrapeRequest;
  search: ParsedSearchRequest;
  extract: ParsedExtractRequest;
  map: ParsedMapRequest;
}

/** An empty option stands for the request itself. */
type Row<Value> = readonly [feature: Feature, option: string, isAskedFor: (value: Value) => boolean, value?: string];

/** Formats that need more than the page's bytes. */
const formatNeeds: Partial<Record<Format, Feature>> = {
  screenshot: "screenshot",
  "screenshot@fullPage": "screenshot",
  json: "model",
  extract: "model",
  summary: "model",
  changeTracking: "changeTracking",
};

const optionNeeds: readonly Row<ParsedScrapeOptions>[] = [
  ["waitFor", "waitFor", ({ waitFor }) => waitFor > 0],
  ["mobile", "mobile", ({ mobile }) => mobile],
  ["location", "location", ({ location }) => location !== undefined],
  ["actions", "actions", ({ actions = [] }) => actions.length > 0],
  ["stealth", "proxy", ({ proxy }) => proxy === "stealth"],
  ["model", "changeTrackingOptions", (options) => options.changeTrackingOptions?.modes.includes("json") ?? false],
];

const requestNeeds: { readonly [Kind in keyof ParsedRequests]: readonly Row<ParsedRequests[Kind]>[] } = {
  scrape: [],
  crawl: [],
  batchScrape: [],
  search: [["search", "query", () => true]],
  extract: [
    // With a schema, the structured data of the pages may answer everything without a model.
    ["model", "", (request) => request.schema === undefined, "without a schema"],
    ["search", "urls", namesNoUrls],
    ["search", "enableWebSearch", (request) => request.enableWebSearch],
  ],
  map: [["index", "useIndex", (request) => request.useIndex]],
};

/**
 * Which features a request cannot do without, each with the option that asks for it.
 * Values that switch a thing off (`waitFor: 0`, `mobile: false`, `proxy: "basic"`) need nothing; what falls back on a
 * thing (`proxy: "auto"`) can do without.
 *
 * @example
 * const request = parse(scrapeRequest, { url: "a.example", mobile: true }, "scrape request");
 * requiredFeatures("scrape", request); // [{ feature: "mobile", path: ["mobile"] }]
 */
export function requiredFeatures<Kind extends keyof ParsedRequests>(
  kind: Kind,
  request: ParsedRequests[Kind],
): FeatureNeed[] {
  const rows: readonly Row<ParsedRequests[Kind]>[] = requestNeeds[kind];
  const needs = rows.flatMap(([feature, option, asked, value]) =>
    asked(request) ? [{ feature, path: option === "" ? [] : [option], ...(value === undefined ? {} : { value }) }] : [],
  );
  return "scrapeOptions" in request ? [...needs, ...pageNeeds(kind, request.scrapeOptions)] : needs;
}

function pageNeeds(kind: keyof ParsedRequests, options: ParsedScrapeOptions): FeatureNeed[] {
  const start = kind === "scrape" || kind === "batchScrape" ? [] : ["scrapeOptions"];
  // The answer of an extract is data, so formats have no effect there.
  const formats = kind === "extract" ? [] : options.formats;
  return [
    ...formats.flatMap((format) => {
      const feature = formatNeeds[format];
      return feature === undefined ? [] : [{ feature, path: [...start, "formats"], value: format }];
    }),
    ...optionNeeds.flatMap(([feature, option, asked]) =>
      asked(options) ? [{ feature, path: [...start, option] }] : [],
    ),
  ];
}

/**
 * Refuses a request that needs features that the engine does not have.
 *
 * @throws RequestError `UNSUPPORTED` that names every such option and what to configure
 */
export function refuseUnsupported(needs: readonly FeatureNeed[], has: (feature: Feature) => boolean): void {
  const missing = needs.filter(({ feature }) => !has(feature));
  if (missing.length === 0) return;
  const details = missing.map(({ feature, path, value }) => ({
    code: "unsupported",
    path,
    message: `${value === undefined ? "" : `(${value}) `}needs ${features[feature]}`,
  }));
  const named = details.map(({ path, message }) => `${pathText(path) || "the request"} ${message}`);
  throw new RequestError("UNSUPPORTED", `Not supported: ${named.join(". ")}.`, { details });
}
