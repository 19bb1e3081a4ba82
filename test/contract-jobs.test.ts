import { describe, expect, test } from "vitest";
import { batchScrapeRequest } from "../src/contract/batch-scrape.ts";
import { callContext } from "../src/contract/call-context.ts";
import { crawlRequest } from "../src/contract/crawl.ts";
import { extractRequest } from "../src/contract/extract.ts";
import { jobId, statusPage } from "../src/contract/job.ts";
import { parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { usageQuery } from "../src/contract/usage.ts";
import { webhook } from "../src/contract/webhook.ts";
import { pathDepth } from "../src/frontier/scope.ts";
import { faults } from "./contract-faults.ts";

const url = "https://a.example";
const crawl = crawlRequest({ maxPagesPerJob: 10_000, pathDepth });
const defaults = parse(scrapeRequest, { url }, "scrape request").scrapeOptions;

/** A field with values that are legal for it, and with values that are not. */
type Row = [field: string, good: unknown[], bad: unknown[]];

const webhookRow: Row = [
  "webhook",
  [
    "https://hook.example",
    { url: "hook.example" },
    { url, headers: { a: "b" }, metadata: { a: [1, { b: null }] }, events: [] },
    { url, headers: { a: "b".repeat(16_383), b: "c".repeat(16_383) } },
    { url, metadata: { a: "x".repeat(65_528) } },
  ],
  [
    "",
    "ftp://hook.example",
    {},
    { url: 1 },
    { url, headers: { a: 1 } },
    { url, headers: { a: "b".repeat(16_383), b: "c".repeat(16_384) } },
    { url, metadata: { a: "x".repeat(65_529) } },
    { url, metadata: "x" },
    { url, events: ["done"] },
  ],
];

describe("crawl", () => {
  test("every default", () => {
    expect(parse(crawl, { url }, "crawl request")).toEqual({
      url,
      excludePaths: [],
      includePaths: [],
      maxDepth: 10,
      ignoreSitemap: false,
      ignoreQueryParameters: false,
      limit: 10_000,
      pagesAsked: 1,
      crawlEntireDomain: false,
      allowExternalLinks: false,
      allowSubdomains: false,
      scrapeOptions: defaults,
      zeroDataRetention: false,
      ignoreRobotsTxt: false,
      regexOnFullURL: false,
      deduplicateSimilarURLs: true,
    });
  });

  test.each<Row>([
    ["url", ["a.example"], ["", "notaurl", 1, undefined, null]],
    ["excludePaths", [[], ["^/a"]], ["^/a", [1], Array(1001).fill("a"), ["a".repeat(2001)]]],
    ["includePaths", [[], Array(1000).fill("a".repeat(2000))], ["^/a", [null], Array(1001).fill("a")]],
    ["maxDepth", [0, 1, 100], [-1, 1.5, "1"]],
    ["maxDiscoveryDepth", [0, 3], [-1, 0.5]],
    ["ignoreSitemap", [true, false], [1]],
    ["ignoreQueryParameters", [true, false], ["x"]],
    ["limit", [1, 10_000], [0, -1, 1.5, 10_001, "5"]],
    ["allowBackwardLinks", [true, false], ["x"]],
    ["crawlEntireDomain", [true, false], [null]],
    ["allowExternalLinks", [true, false], [0]],
    ["allowSubdomains", [true, false], [0]],
    ["delay", [0.001, 1.5, 3600], [0, -1, 3601, "1", Number.NaN]],
    ["maxConcurrency", [1, 100], [0, -1, 1.5]],
    ["scrapeOptions", [{}, { formats: [] }], [null, { timeout: 0 }, { nope: 1 }]],
    ["zeroDataRetention", [true, false], ["yes"]],
    ["ignoreRobotsTxt", [true, false], ["yes"]],
    ["regexOnFullURL", [true, false], ["yes"]],
    ["deduplicateSimilarURLs", [true, false], ["yes"]],
    ["origin", ["sdk", null], [1]],
    ["integration", ["sdk", null], [1]],
    webhookRow,
  ])("%s: what it accepts and refuses", (field, good, bad) => {
    for (const value of good) expect(faults(crawl, { url, [field]: value })).toEqual([]);
    for (const value of bad) {
      const found = faults(crawl, { url, [field]: value });
      expect(found, JSON.stringify(value)).not.toEqual([]);
      for (const path of found) expect(path.split(".")[0]).toBe(field);
    }
  });

  test("the host decides how large a crawl may be", () => {
    expect(faults(crawlRequest({ maxPagesPerJob: 50_000 }), { url, limit: 50_000 })).toEqual([]);
    expect(parse(crawlRequest({ maxPagesPerJob: 50_000 }), { url }, "crawl").limit).toBe(10_000);
    expect(parse(crawlRequest({ maxPagesPerJob: 20 }), { url }, "crawl").limit).toBe(20);
    expect(() => parse(crawlRequest({ maxPagesPerJob: 20 }), { url, limit: 21 }, "crawl")).toThrow(
      "limit must be at most 20",
    );
  });

  test.each([
    [`${url}`, 0],
    [`${url}/index.html`, 0],
    [`${url}//index.php?a=/b/c#/d`, 0],
    [`${url}/a`, 1],
    [`${url}/a/b/index.html`, 2],
    [`${url}/a//b/`, 2],
    [`${url}/a/b/c.html`, 3],
  ])("%s lies %i deep", (start, depth) => {
    expect(faults(crawl, { url: start, maxDepth: depth })).toEqual([]);
    if (depth > 0) expect(faults(crawl, { url: start, maxDepth: depth - 1 })).toEqual(["url"]);
  });

  test("crawlEntireDomain, when given, goes before its old name", () => {
    const both = (options: object) => parse(crawl, { url, ...options }, "crawl").crawlEntireDomain;
    expect(both({ allowBackwardLinks: true })).toBe(true);
    expect(both({ allowBackwardLinks: true, crawlEntireDomain: false })).toBe(false);
    expect(both({ allowBackwardLinks: false, crawlEntireDomain: true })).toBe(true);
  });

  test("patterns are checked by whoever can run them, together with everything else", () => {
    const patternProblems = (patterns: readonly string[], field: string) =>
      patterns.flatMap((pattern, at) =>
        pattern.includes("(?=") ? [{ path: [field, at], message: "looks ahead" }] : [],
      );
    const checked = crawlRequest({ maxPagesPerJob: 10, patternProblems });
    expect(
      faults(checked, { url, limit: 11, delay: 0, excludePaths: ["a", "(?=b)"], includePaths: ["(?=c)"] }),
    ).toEqual(["delay", "limit", "excludePaths.1", "includePaths.0"]);
    expect(faults(checked, { url, excludePaths: [1], includePaths: ["(?=c)"] })).toEqual([
      "excludePaths.0",
      "includePaths.0",
    ]);
  });
});

describe("webhook", () => {
  const read = (given: unknown) => parse(webhook("crawl"), given, "webhook");
  const events = ["started", "page", "completed", "failed"];

  test("text is its URL; everything else has defaults", () => {
    expect(read("hook.example/x")).toEqual({ url: "http://hook.example/x", headers: {}, metadata: {}, events });
    expect(read({ url })).toEqual({ url, headers: {}, metadata: {}, events });
  });

  test("events by their short and full names, each once, none if none is asked for", () => {
    expect(read({ url, events: ["page", "crawl.page", "crawl.failed"] }).events).toEqual(["page", "failed"]);
    expect(read({ url, events: [] }).events).toEqual([]);
    expect(faults(webhook("crawl"), { url, events: ["page", "extract.page"] })).toEqual(["events.1"]);
    expect(faults(webhook("batch_scrape"), { url, events: ["batch_scrape.page"] })).toEqual([]);
    expect(faults(webhook("extract"), { url, events: ["extract.failed"] })).toEqual([]);
  });

  test("metadata is any JSON object, taken as it is now", () => {
    const metadata = { tenant: "a", list: [1, { deep: true }], at: new Date(0) };
    const read1 = read({ url, metadata });
    metadata.list.push(2);
    expect(read1.metadata).toEqual({ tenant: "a", list: [1, { deep: true }], at: "1970-01-01T00:00:00.000Z" });
  });
});

describe("batch scrape", () => {
  test("every default", () => {
    expect(parse(batchScrapeRequest, { urls: ["a.example", url] }, "batch")).toEqual({
      urls: ["http://a.example", url],
      zeroDataRetention: false,
      scrapeOptions: defaults,
    });
  });

  test.each<Row>([
    ["urls", [[], [url], [url, url]], [undefined, url, [1], ["notaurl"], [null]]],
    ["maxConcurrency", [1], [0, 1.5]],
    ["ignoreInvalidURLs", [true, false], ["x", null]],
    ["zeroDataRetention", [true, false], ["x"]],
    ["appendToId", ["6F1C0000-0000-4000-8000-000000000001"], ["6f1c", 1, null]],
    ["timeout", [1000], [0]],
    ["formats", [["html"]], [["pdf"]]],
    webhookRow,
  ])("%s: what it accepts and refuses", (field, good, bad) => {
    for (const value of good) expect(faults(batchScrapeRequest, { urls: [url], [field]: value })).toEqual([]);
    for (const value of bad) {
      const found = faults(batchScrapeRequest, { urls: [url], [field]: value });
      expect(found, JSON.stringify(value)).not.toEqual([]);
      for (const path of found) expect(path.split(".")[0]).toBe(field);
    }
  });

  test("one bad URL refuses the request, and every bad one is named", () => {
    expect(faults(batchScrapeRequest, { urls: [url, "notaurl", url, "ftp://a.example"], timeout: 0 })).toEqual([
      "timeout",
      "urls.1",
      "urls.3",
    ]);
  });

  test("ignoreInvalidURLs lists the bad ones as they were typed", () => {
    const read = (urls: string[]) => parse(batchScrapeRequest, { urls, ignoreInvalidURLs: true }, "batch");
    expect(read([" NotAUrl ", "a.example"])).toMatchObject({ urls: ["http://a.example"], invalidURLs: [" NotAUrl "] });
    expect(read([url])).toMatchObject({ urls: [url], invalidURLs: [] });
    expect(read(["notaurl"])).toMatchObject({ urls: [], invalidURLs: ["notaurl"] });
    expect(parse(batchScrapeRequest, { urls: [url] }, "batch")).not.toHaveProperty("invalidURLs");
  });
});

/** As many wildcards as one glob may have, and one more. */
const globs = {
  good: ["/*a*/b", "/*".repeat(10), "/a/**/b/**/**", `/${"a".repeat(2029)}*`],
  bad: ["/*a*b*/c", "/*".repeat(11), "/a/**/b/**/c/**/**", `/${"a".repeat(2030)}*`],
};
const globsIn = (list: readonly string[]) => list.map((path) => [url + path]);

describe("extract", () => {
  test("every default; without scrapeOptions the whole page is read", () => {
    expect(parse(extractRequest, { urls: ["a.example/*"] }, "extract")).toEqual({
      urls: ["http://a.example/*"],
      ignoreSitemap: false,
      includeSubdomains: true,
      allowExternalLinks: false,
      enableWebSearch: false,
      showSources: false,
      scrapeOptions: { ...defaults, onlyMainContent: false },
    });
    expect(parse(extractRequest, { urls: [url], scrapeOptions: {} }, "extract").scrapeOptions).toEqual(defaults);
  });

  test.each<Row>([
    [
      "urls",
      [[url], ["https://*.a.example/docs/**"], ...globsIn(globs.good)],
      [[], ["notaurl"], url, [1], Array(1001).fill(url), ...globsIn(globs.bad)],
    ],
    ["prompt", ["", "x".repeat(10_000)], ["x".repeat(10_001), 1]],
    ["systemPrompt", ["x"], ["x".repeat(10_001), 1]],
    ["schema", [{}, { type: "object" }, null], ["x", [], 1]],
    ["limit", [1, 5], [0, 1.5]],
    ["ignoreSitemap", [true, false], ["x"]],
    ["includeSubdomains", [true, false], ["x"]],
    ["allowExternalLinks", [true, false], ["x"]],
    ["enableWebSearch", [true, false], ["x"]],
    ["showSources", [true, false], ["x"]],
    ["scrapeOptions", [{ waitFor: 5 }], [{ waitFor: -1 }, null]],
    ["ignoreInvalidURLs", [true, false], ["x"]],
    webhookRow,
  ])("%s: what it accepts and refuses", (field, good, bad) => {
    for (const value of good) expect(faults(extractRequest, { urls: [url], [field]: value })).toEqual([]);
    for (const value of bad) {
      const found = faults(extractRequest, { urls: [url], [field]: value });
      expect(found, JSON.stringify(value)).not.toEqual([]);
      for (const path of found) expect(path.split(".")[0]).toBe(field);
    }
  });

  test("urls may be left out with a prompt", () => {
    expect(parse(extractRequest, { prompt: "the price" }, "extract").urls).toEqual([]);
    expect(faults(extractRequest, {})).toEqual(["urls"]);
    expect(faults(extractRequest, { urls: [], prompt: " " })).toEqual(["urls"]);
  });

  test("invalid URLs by the same rule as a batch", () => {
    expect(faults(extractRequest, { urls: ["notaurl", url] })).toEqual(["urls.0"]);
    expect(parse(extractRequest, { urls: ["notaurl", url], ignoreInvalidURLs: true }, "extract")).toMatchObject({
      urls: [url],
      invalidURLs: ["notaurl"],
    });
    expect(parse(extractRequest, { urls: [url] }, "extract")).not.toHaveProperty("invalidURLs");
  });
});

describe("calls about jobs", () => {
  test("ids are UUIDs, in small letters", () => {
    expect(parse(jobId, "6F1C0000-0000-4000-8000-00000000000A", "job id")).toBe("6f1c0000-0000-4000-8000-00000000000a");
    for (const id of ["", "6f1c", 5, undefined, "../../x"]) expect(faults(jobId, id)).toEqual([""]);
  });

  test("a part of the data by skip and limit", () => {
    expect(parse(statusPage, undefined, "page")).toEqual({ skip: 0 });
    expect(parse(statusPage, { skip: 5, limit: 2 }, "page")).toEqual({ skip: 5, limit: 2 });
    for (const bad of [{ skip: -1 }, { skip: 0.5 }, { limit: 0 }, { page: 1 }, null]) {
      expect(faults(statusPage, bad)).toHaveLength(1);
    }
  });

  test("a part of the data by the next of an earlier answer", () => {
    const next = "crawlcore://engine/v1/crawl/6f1c?skip=40";
    expect(parse(statusPage, { next }, "page")).toMatchObject({ skip: 40 });
    expect(parse(statusPage, { next, limit: 3 }, "page")).toMatchObject({ skip: 40, limit: 3 });
    expect(parse(statusPage, { next: `${next}&limit=9`, limit: 3 }, "page")).toMatchObject({ skip: 40, limit: 3 });
    expect(parse(statusPage, { next: "https://api.a.example/v1/crawl/6f1c/?skip=2&limit=9" }, "page")).toMatchObject({
      skip: 2,
      limit: 9,
    });
    expect(faults(statusPage, { next, skip: 1 })).toEqual(["skip"]);
    for (const bad of ["", "x", url, `${url}?skip=-1`, `${url}?skip=1&limit=0`, `${url}?skip=1e3`, null]) {
      expect(faults(statusPage, { next: bad })).toEqual(["next"]);
    }
  });

  test("the context of a call", () => {
    expect(parse(callContext, undefined, "context")).toEqual({ team: "default" });
    expect(parse(callContext, { team: "a", apiKey: "k" }, "context")).toEqual({ team: "a", apiKey: "k" });
    for (const bad of [
      { team: "" },
      { team: 1 },
      { apiKey: "x".repeat(201) },
      { signal: {} },
      { signal: true },
      { user: 1 },
    ]) {
      expect(faults(callContext, bad)).toHaveLength(1);
    }
  });

  test("the query for usage", () => {
    expect(parse(usageQuery, undefined, "query")).toEqual({ byApiKey: false });
    expect(parse(usageQuery, { byApiKey: true }, "query")).toEqual({ byApiKey: true });
    expect(faults(usageQuery, { byApiKey: "true" })).toEqual(["byApiKey"]);
    expect(faults(usageQuery, { byKey: true })).toEqual([""]);
  });
});
