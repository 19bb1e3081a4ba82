/** One error names everything that is wrong with a request, whichever part of the engine finds it. */
import { expect, test } from "vitest";
import { CrawlcoreError, createEngine, type Engine } from "../src/index.ts";
import { fakeModel } from "../src/testing/index.ts";

const url = "http://127.0.0.1:9/a/b/c";
const engine = createEngine({ model: fakeModel({}), browser: false });
const json = { formats: ["json"], jsonOptions: { schema: { type: "objekt" } } };
const manyPatterns = Array.from({ length: 3 }, () => "a{900}");

test.each<[call: keyof Engine, request: object, faults: string[]]>([
  ["scrape", { url: "no url", includeTags: ["[["], ...json }, ["includeTags.0", "jsonOptions.schema.type", "url"]],
  [
    "scrape",
    { url, includeTags: ["main"], excludeTags: ["p["], ...json },
    ["excludeTags.0", "jsonOptions.schema.type"],
  ],
  ["scrape", { url, includeTags: 5, excludeTags: ["p["] }, ["excludeTags.0", "includeTags"]],
  // Of options that have no effect only what is no option at all is a fault.
  ["scrape", { url: "no url", changeTrackingOptions: { schema: { type: "objekt" } } }, ["url"]],
  [
    "batchScrape",
    { urls: ["no url"], excludeTags: ["p["], ...json },
    ["excludeTags.0", "jsonOptions.schema.type", "urls.0"],
  ],
  ["search", { query: "", scrapeOptions: { includeTags: ["[["] } }, ["query", "scrapeOptions.includeTags.0"]],
  [
    "crawl",
    { url, maxDepth: 1, webhook: { url, metadata: [], headers: [] }, scrapeOptions: { includeTags: ["[["], ...json } },
    [
      "scrapeOptions.includeTags.0",
      "scrapeOptions.jsonOptions.schema.type",
      "url",
      "webhook.headers",
      "webhook.metadata",
    ],
  ],
  // A number that is not whole, and an item of the wrong type, hide nothing.
  [
    "crawl",
    { url, maxDepth: 1, maxDiscoveryDepth: 1.5, limit: 10_001, includePaths: ["("], excludePaths: ["(", 5] },
    ["excludePaths.0", "excludePaths.1", "includePaths.0", "limit", "maxDiscoveryDepth", "url"],
  ],
  ["scrape", { url, formats: ["json"], maxAge: 0.5, waitFor: 16_000 }, ["jsonOptions", "maxAge", "waitFor"]],
  ["scrape", { url, formats: ["json", "screenshot", "screenshot"] }, ["formats", "jsonOptions"]],
  // One format that does not exist hides nothing of the others.
  [
    "scrape",
    {
      url,
      formats: ["x", "screenshot", "screenshot@fullPage", "changeTracking"],
      jsonOptions: { prompt: "x" },
      extract: {},
      changeTrackingOptions: { modes: ["q"], schema: { type: "objekt" } },
    },
    [
      "changeTrackingOptions.modes.0",
      "changeTrackingOptions.schema.type",
      "formats",
      "formats",
      "formats",
      "formats",
      "formats.0",
    ],
  ],
  ["scrape", { url, formats: [5, "json"] }, ["formats.0", "jsonOptions"]],
  // Selectors of actions, too; each action that is none has its own fault.
  [
    "scrape",
    { url: 5, actions: [{ type: "click", selector: "p[" }, null, { type: "scroll", selector: "p >> text=x" }] },
    ["actions.0.selector", "actions.1", "actions.2.selector", "url"],
  ],
  [
    "crawl",
    { url, scrapeOptions: { actions: [{ type: "wait", selector: "//p" }], includeTags: ["[["] } },
    ["scrapeOptions.actions.0.selector", "scrapeOptions.includeTags.0"],
  ],
  [
    "extract",
    { urls: [url], scrapeOptions: { actions: [{ type: "click", selector: "text=go" }] } },
    ["scrapeOptions.actions.0.selector"],
  ],
  ["scrape", { url, maxAge: -0.5, timeout: 1e300 }, ["maxAge", "timeout"]],
  ["batchScrape", { urls: ["no url", 5, url], timeout: 1.5 }, ["timeout", "urls.0", "urls.1"]],
  [
    "scrape",
    { url, includeTags: ["[[", 5], excludeTags: [{}, "p["] },
    ["excludeTags.0", "excludeTags.1", "includeTags.0", "includeTags.1"],
  ],
  ["extract", { urls: ["no url", null, url] }, ["urls.0", "urls.1"]],
  ["crawl", { url, limit: 0, excludePaths: manyPatterns }, ["excludePaths.2", "limit"]],
  ["crawl", { url: `http://a.example/${"é".repeat(3000)}`, limit: 0 }, ["limit", "url"]],
  [
    "extract",
    { urls: ["http://http//x/*", `http://a.example/${"é".repeat(3000)}/*`], limit: 0 },
    ["limit", "urls.0", "urls.1"],
  ],
  ["map", { url, limit: 0, excludePaths: manyPatterns }, ["excludePaths.2", "limit"]],
  [
    "extract",
    {
      urls: ["no url", "https://a.example/*a*b*c"],
      schema: { $ref: "#/no" },
      scrapeOptions: { includeTags: ["[["], ...json },
    },
    ["schema.$ref", "scrapeOptions.includeTags.0", "urls.0", "urls.1"],
  ],
  ["scrape", null as never, [""]],
])("%s %j", async (call, request, faults) => {
  const error = await (engine[call] as (input: object) => Promise<unknown>)(request).catch((thrown: unknown) => thrown);
  if (!CrawlcoreError.isInstance(error)) throw error;
  expect(error.code).toBe("BAD_REQUEST");
  expect(error.details?.map(({ path }) => path.join(".")).sort()).toEqual(faults);
});

test.each<[call: keyof Engine, request: unknown, faults: string[]]>([
  ["scrape", { url: 5, timeout: -1 }, ["url", "timeout"]],
  ["crawl", { url: 5, limit: -1 }, ["url", "limit"]],
  ["batchScrape", { urls: 5, timeout: -1 }, ["urls", "timeout"]],
  ["extract", { urls: 5, limit: -1 }, ["urls", "limit"]],
  ["search", { query: 5, limit: -1 }, ["query", "limit"]],
  ["map", { url: 5, limit: -1 }, ["url", "limit"]],
  ["getCreditUsageHistorical", { byApiKey: 5 }, ["byApiKey"]],
  ["getFailedDeliveries", { jobId: 5 }, ["jobId"]],
])("a wrong context hides nothing of the request: %s", async (call, request, faults) => {
  const wrong = { team: "", signal: 5 };
  const ask = engine[call] as (input: unknown, context: object) => Promise<unknown>;
  const error = await ask(request, wrong).catch((thrown: unknown) => thrown);
  if (!CrawlcoreError.isInstance(error)) throw error;
  expect(error.details?.map(({ path }) => path.join(".")).sort()).toEqual([...faults, "signal", "team"].sort());
  expect(error.message).toMatch(/^Invalid .*\. Invalid call context: team .*; signal must be an AbortSignal\.$/);
});

test("a wrong context hides nothing of the page of a status that is asked for", async () => {
  const id = "0196f0aa-0000-7000-8000-000000000000";
  const wrong = { team: "", signal: 5 } as object;
  for (const ask of [engine.getCrawlStatus, engine.getBatchScrapeStatus]) {
    const error = await ask(id, { skip: -1, limit: 0 }, wrong).catch((thrown: unknown) => thrown);
    if (!CrawlcoreError.isInstance(error)) throw error;
    expect(error.details?.map(({ path }) => path.join("."))).toEqual(["skip", "limit", "team", "signal"]);
  }
});

test("a glob that cannot be used is left out with the other bad URLs", async () => {
  const urls = ["no url", "https://a.example/*a*b*c"];
  const job = await engine.extract({ urls, ignoreInvalidURLs: true, schema: { type: "object" } });
  expect(job.invalidURLs).toEqual(urls);
  await job.cancel();
  await engine.close();
});
