import { expect, test } from "vitest";
import type { z } from "zod";
import { batchScrapeRequest } from "../src/contract/batch-scrape.ts";
import { crawlRequest } from "../src/contract/crawl.ts";
import { extractRequest } from "../src/contract/extract.ts";
import { type Feature, type ParsedRequests, refuseUnsupported, requiredFeatures } from "../src/contract/features.ts";
import { mapRequest } from "../src/contract/map.ts";
import { parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { searchRequest } from "../src/contract/search.ts";

const url = "https://a.example";
const schemas: { [Kind in keyof ParsedRequests]: z.ZodType<ParsedRequests[Kind]> } = {
  scrape: scrapeRequest,
  crawl: crawlRequest({ maxPagesPerJob: 10 }),
  batchScrape: batchScrapeRequest,
  search: searchRequest,
  extract: extractRequest,
  map: mapRequest(),
};

function needs<Kind extends keyof ParsedRequests>(kind: Kind, request: object): string[] {
  return requiredFeatures(kind, parse(schemas[kind], request, kind)).map(
    ({ feature, path, value }) => `${feature}: ${path.join(".")}${value === undefined ? "" : ` ${value}`}`,
  );
}

const options: [object, string[]][] = [
  [{}, []],
  [{ waitFor: 0, mobile: false, proxy: "basic", actions: [] }, []],
  [{ maxAge: 1, zeroDataRetention: true }, []],
  [{ formats: ["markdown", "html", "rawHtml", "links"], headers: { a: "b" }, skipTlsVerification: true }, []],
  [{ waitFor: 1 }, ["waitFor: waitFor"]],
  [{ mobile: true }, ["mobile: mobile"]],
  [{ location: {} }, ["location: location"]],
  [{ geolocation: {} }, ["location: location"]],
  [{ actions: [{ type: "scrape" }] }, ["actions: actions"]],
  [{ proxy: "auto" }, []],
  [{ proxy: "stealth" }, ["stealth: proxy"]],
  [{ formats: ["screenshot"] }, ["screenshot: formats screenshot"]],
  [{ formats: ["screenshot@fullPage"] }, ["screenshot: formats screenshot@fullPage"]],
  [{ formats: ["json"], jsonOptions: {} }, ["model: formats json"]],
  [{ formats: ["extract"], extract: {} }, ["model: formats extract"]],
  [{ formats: ["summary"] }, ["model: formats summary"]],
  [{ formats: ["markdown", "changeTracking"] }, ["changeTracking: formats changeTracking"]],
  [{ changeTrackingOptions: { modes: ["json"] } }, []],
  [
    { formats: ["markdown", "changeTracking"], changeTrackingOptions: { modes: ["json"] } },
    ["changeTracking: formats changeTracking", "model: changeTrackingOptions"],
  ],
];

test.each(options)("a scrape with %j needs %j", (extra, features) => {
  expect(needs("scrape", { url, ...extra })).toEqual(features);
  expect(needs("batchScrape", { urls: [url], ...extra })).toEqual(features);
});

test.each<[keyof ParsedRequests, object, string[]]>([
  ["crawl", { url }, []],
  [
    "crawl",
    { url, scrapeOptions: { mobile: true, formats: ["screenshot"] } },
    ["screenshot: scrapeOptions.formats screenshot", "mobile: scrapeOptions.mobile"],
  ],
  ["search", { query: "a" }, ["search: query"]],
  ["extract", { urls: [url], schema: {} }, []],
  ["extract", { urls: [url], schema: {}, enableWebSearch: true }, ["search: enableWebSearch"]],
  ["extract", { urls: [url], prompt: "a" }, ["model:  without a schema"]],
  ["extract", { prompt: "a", schema: {} }, ["search: urls"]],
  ["extract", { urls: ["notaurl"], ignoreInvalidURLs: true, schema: {} }, []],
  [
    "extract",
    { urls: [url], schema: {}, scrapeOptions: { formats: ["screenshot"], waitFor: 5 } },
    ["waitFor: scrapeOptions.waitFor"],
  ],
  ["map", { url }, []],
  ["map", { url, useIndex: true }, ["index: useIndex"]],
])("%s %j needs %j", (kind, request, features) => {
  expect(needs(kind, request)).toEqual(features);
});

test("what is missing is refused by name, with what to configure; what is there is not", () => {
  const request = { url, formats: ["summary", "screenshot"], waitFor: 5 };
  const needed = requiredFeatures("scrape", parse(scrapeRequest, request, "scrape request"));
  const has =
    (...there: Feature[]) =>
    (feature: Feature) =>
      there.includes(feature);
  const browser =
    "a browser; configure one in options.browser, after `npm install playwright @crawlee/browser-pool`, " +
    "or install one with `npx playwright install chromium`";
  expect(() => refuseUnsupported(needed, has("screenshot", "waitFor", "model"))).not.toThrow();
  expect(() => refuseUnsupported(needed, has("index"))).toThrow(
    expect.objectContaining({
      code: "UNSUPPORTED",
      statusCode: 501,
      message:
        "Not supported: formats (summary) needs a language model; configure one in options.model or name one in the " +
        `call context. formats (screenshot) needs ${browser}. waitFor needs ${browser}.`,
      details: [
        expect.objectContaining({ path: ["formats"] }),
        expect.objectContaining({ path: ["formats"] }),
        expect.objectContaining({ path: ["waitFor"] }),
      ],
    }),
  );
});

test("of a request without a schema it says that this is why", () => {
  const needed = requiredFeatures("extract", parse(extractRequest, { urls: [url], prompt: "a" }, "extract request"));
  expect(() => refuseUnsupported(needed, () => false)).toThrow(
    "Not supported: the request (without a schema) needs a language model; configure one",
  );
});
