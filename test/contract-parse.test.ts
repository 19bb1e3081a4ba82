import { expect, test } from "vitest";
import { z } from "zod";
import { batchScrapeRequest } from "../src/contract/batch-scrape.ts";
import { crawlRequest } from "../src/contract/crawl.ts";
import { extractRequest } from "../src/contract/extract.ts";
import { mapRequest } from "../src/contract/map.ts";
import { badRequest, parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { searchRequest } from "../src/contract/search.ts";
import { CrawlcoreError, RequestError } from "../src/errors.ts";
import { pathDepth } from "../src/frontier/scope.ts";

const crawl = crawlRequest({ maxPagesPerJob: 10_000, pathDepth });
const url = "https://a.example";

function errorOf(schema: z.ZodType, input: unknown): RequestError {
  try {
    parse(schema, input, "test request");
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  throw new Error("accepted");
}

test("a refusal is a BAD_REQUEST with code, path and message of every issue", () => {
  const error = errorOf(scrapeRequest, { url: 3, timeout: 0, wiatFor: 1, location: { country: "USA" } });
  expect(CrawlcoreError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ code: "BAD_REQUEST", statusCode: 400 });
  expect(error.details).toEqual([
    { code: "invalid_type", path: ["url"], message: "must be a string, not 3" },
    { code: "too_small", path: ["timeout"], message: "must be at least 1" },
    { code: "invalid_format", path: ["location", "country"], message: "must be a country code of two letters" },
    { code: "unrecognized_keys", path: [], message: 'has the unknown option "wiatFor"', keys: ["wiatFor"] },
  ]);
  expect(error.message).toBe(
    "Invalid test request: url must be a string, not 3; timeout must be at least 1; " +
      'location.country must be a country code of two letters; it has the unknown option "wiatFor".',
  );
});

test("rules between fields are reported together with faults of other fields", () => {
  const error = errorOf(crawl, {
    url: `${url}/a/b/c`,
    maxDepth: 2,
    limit: 20_000,
    delay: 0,
    typo: 1,
    scrapeOptions: { formats: ["json", "changeTracking"], extract: {}, waitFor: 20_000, mobile: "yes" },
  });
  const at = error.details?.map(({ path }) => path.join("."));
  expect(at?.sort()).toEqual(
    [
      "",
      "delay",
      "limit",
      "scrapeOptions.formats",
      "scrapeOptions.formats",
      "scrapeOptions.jsonOptions",
      "scrapeOptions.mobile",
      "scrapeOptions.waitFor",
      "url",
    ].sort(),
  );
});

test.each([
  ["scrape", scrapeRequest, (extra: object) => ({ url, ...extra })],
  ["batch scrape", batchScrapeRequest, (extra: object) => ({ urls: [url], ...extra })],
  ["crawl", crawl, (extra: object) => ({ url, scrapeOptions: extra })],
  ["search", searchRequest, (extra: object) => ({ query: "a", scrapeOptions: extra })],
  ["extract", extractRequest, (extra: object) => ({ urls: [url], scrapeOptions: extra })],
])("%s: unknown options are refused at every level of the scrape options", (_name, schema, request) => {
  const error = errorOf(
    schema,
    request({
      one: 1,
      two: 2,
      formats: ["json"],
      jsonOptions: { three: 3 },
      extract: { four: 4 },
      location: { five: 5 },
      geolocation: { six: 6 },
      changeTrackingOptions: { seven: 7 },
      actions: [
        { type: "scrape", eight: 8 },
        { type: "wait", milliseconds: 1, nine: 9 },
      ],
    }),
  );
  const keys = error.details?.flatMap((detail) => detail.keys ?? []).sort();
  expect(keys).toEqual(["eight", "five", "four", "nine", "one", "seven", "six", "three", "two"]);
});

test.each([
  ["scrape", scrapeRequest, { url }],
  ["batch scrape", batchScrapeRequest, { urls: [url] }],
  ["crawl", crawl, { url }],
  ["search", searchRequest, { query: "a" }],
  ["extract", extractRequest, { urls: [url] }],
  ["map", mapRequest(), { url }],
])("%s: origin and integration are accepted and left out; other strangers are refused", (_name, schema, request) => {
  const parsed = parse(schema, { ...request, origin: "js-sdk@1", integration: null }, "request");
  expect(parsed).toEqual(parse(schema, request, "request"));
  expect(parsed).not.toHaveProperty("origin");
  expect(errorOf(schema, { ...request, fulPage: 1, agent: {} }).details).toEqual([
    expect.objectContaining({ code: "unrecognized_keys", path: [], keys: ["fulPage", "agent"] }),
  ]);
  expect(errorOf(schema, { ...request, agent: {} }).message).toContain("there is no browsing agent");
});

test("an option that stands in the wrong place is told where it belongs", () => {
  const { scrapeOptions } = parse(crawl, { url: "https://a.example" }, "crawl request");
  for (const name of ["actions", "excludeTags", "location", ...Object.keys(scrapeOptions)]) {
    expect(() => parse(crawl, { url: "https://a.example", [name]: 1 }, "crawl request")).toThrow(
      `has the unknown option "${name}" (an option of scrapeOptions, which map does not have).`,
    );
  }
  const nested = { url: "https://a.example", scrapeOptions: { formats: ["html"] } };
  for (const schema of [scrapeRequest, mapRequest()]) {
    expect(() => parse(schema, nested, "request")).toThrow(
      '"scrapeOptions" (crawl, search and extract have it; scrape and batchScrape have its options directly).',
    );
  }
});

test.each([
  [{ type: "write", text: "kettle", selector: "#search" }, /"selector" \(use click to focus the element first\)/],
  [{ type: "scroll", direction: "down", amount: 500 }, /"amount" \(scroll moves by the visible height\)/],
])("options of actions that the service drops are refused, and what to do instead is told: %j", (action, message) => {
  expect(errorOf(scrapeRequest, { url, actions: [action] }).message).toMatch(message);
});

test("where a page could have no such option, nothing is told of actions", () => {
  for (const [name, value] of [
    ["selector", "#search"],
    ["amount", 500],
  ] as const) {
    const { message } = errorOf(scrapeRequest, { url, [name]: value });
    expect(message).toMatch(new RegExp(`"${name}"\\.$`));
  }
  const action = { type: "screenshot", selector: "#search" };
  expect(errorOf(scrapeRequest, { url, actions: [action] }).message).toMatch(/"selector"\.$/);
});

test("a webhook refuses unknown options too", () => {
  expect(errorOf(crawl, { url, webhook: { url, secret: "x" } }).details).toEqual([
    expect.objectContaining({ path: ["webhook"], keys: ["secret"] }),
  ]);
});

test("the message names some issues and counts the rest; the details hold them all", () => {
  const error = errorOf(batchScrapeRequest, { urls: Array.from({ length: 500 }, () => "ftp://a.example") });
  expect(error.details).toHaveLength(500);
  expect(error.message).toContain("and 480 more");
  expect(error.message.length).toBeLessThan(2000);
});

test.each([
  [undefined, "is required"],
  [null, "must be an object, not null"],
  [[], "must be an object, not a list"],
  ["https://a.example", "must be an object, not a string"],
  [7, "must be an object, not 7"],
])("%j is no request", (input, message) => {
  expect(errorOf(scrapeRequest, input).details).toEqual([{ code: "invalid_type", path: [], message }]);
});

test("the input is never changed, not even when it is frozen", () => {
  const request = {
    url: " a.example ",
    formats: ["markdown", "markdown", "json"] as const,
    jsonOptions: { schema: { type: "object" } },
    actions: [{ type: "click", selector: "a" }] as const,
    headers: { "X-A": "1" },
    geolocation: { country: "de" },
  };
  const before = structuredClone(request);
  for (const part of [request, ...Object.values(request)]) Object.freeze(part);
  const parsed = parse(scrapeRequest, request, "scrape request");
  expect(request).toEqual(before);
  expect(parsed.scrapeOptions.formats).toEqual(["markdown", "json"]);
});

test("a later check can refuse in the same form", () => {
  const error = badRequest("crawl request", [{ path: ["includePaths", 2], message: "is no regular expression" }]);
  expect(error.message).toBe("Invalid crawl request: includePaths[2] is no regular expression.");
  expect(error.toJSON()).toMatchObject({
    success: false,
    code: "BAD_REQUEST",
    details: [{ path: ["includePaths", 2] }],
  });
});

test("a schema's own refusals are worded for reading", () => {
  const schema = z.strictObject({
    a: z.int(),
    b: z.enum(["x", "y"]),
    c: z.string().min(1),
    d: z.number().gt(0),
    e: z.literal(1),
  });
  const error = errorOf(schema, { a: 1.5, b: "z", c: "", d: 0, e: 2 });
  expect(error.message).toBe(
    "Invalid test request: a must be a whole number, not 1.5; b must be one of x, y; " +
      "c must have at least 1 character; d must be more than 0; e must be 1.",
  );
});

test("undefined is the same as absent, and parsed values share nothing", () => {
  const absent = { url, limit: undefined, webhook: undefined, includePaths: undefined, scrapeOptions: undefined };
  const [one, two] = [parse(crawl, absent, "crawl request"), parse(crawl, { url }, "crawl request")];
  expect(one).toEqual(two);
  expect(one.scrapeOptions.formats).not.toBe(two.scrapeOptions.formats);
  expect(one.includePaths).not.toBe(two.includePaths);
});
