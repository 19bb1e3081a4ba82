import { expect, test } from "vitest";
import { z } from "zod";
import { batchScrapeRequest, maxBatchUrls } from "../src/contract/batch-scrape.ts";
import { callContext } from "../src/contract/call-context.ts";
import { crawlRequest } from "../src/contract/crawl.ts";
import { parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { cpuTime } from "./cpu-time.ts";

const crawl = crawlRequest({ maxPagesPerJob: 10_000 });
const url = "https://a.example";

function thrower(): never {
  throw new Error("trap");
}

const throwingProxy = () =>
  new Proxy(
    {},
    { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower, getOwnPropertyDescriptor: thrower },
  );

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const cyclic: Record<string, unknown> = { url };
cyclic["self"] = cyclic;

let deep = {};
for (let at = 0; at < 200_000; at++) deep = { a: deep };

test.each<[string, unknown]>([
  [
    "a throwing getter",
    {
      get url() {
        return thrower();
      },
    },
  ],
  [
    "a getter that throws something odd",
    {
      get url() {
        throw Object.create(null);
      },
    },
  ],
  ["a proxy whose traps throw", throwingProxy()],
  ["a revoked proxy", revoked({})],
  ["a revoked list", { url, formats: revoked([]) }],
  ["a proxy as headers", { url, headers: throwingProxy() }],
  ["a proxy as an action", { url, actions: [throwingProxy()] }],
  ["a proxy as a schema", { url, formats: ["json"], jsonOptions: { schema: throwingProxy() } }],
  ["a cycle", cyclic],
  ["a cycle of options", { url, location: cyclic }],
  ["a symbol", { url: Symbol("x") }],
  ["a function", () => url],
  ["a bigint", { url, timeout: 5n }],
  ["a giant sparse list", { url, formats: new Array(4_000_000_000) }],
  ["a giant sparse list of actions", { url, actions: new Array(4_000_000_000) }],
  ["a deep nest", { url, location: deep }],
  ["a number as text", { url, timeout: "5" }],
  ["a very long URL", { url: `${url}/${"a".repeat(10_000_000)}` }],
  ["a very long unknown key", { url, ["k".repeat(1_000_000)]: 1 }],
  ["many headers", { url, headers: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`h${at}`, "v"])) }],
])("%s is refused as a bad request", (_name, input) => {
  const start = cpuTime();
  expect(() => parse(scrapeRequest, input, "scrape request")).toThrow(
    expect.objectContaining({ name: "RequestError", code: "BAD_REQUEST" }),
  );
  expect(cpuTime() - start).toBeLessThan(2000);
});

test("__proto__ is an unknown option like any other and reaches no prototype", () => {
  const input = JSON.parse(`{"url": "${url}", "__proto__": {"mobile": true}, "constructor": 1}`);
  expect(() => parse(scrapeRequest, input, "scrape request")).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ keys: ["__proto__", "constructor"] })] }),
  );
  const parsed = parse(
    crawl,
    JSON.parse(`{"url": "${url}", "webhook": {"url": "${url}", "metadata": {"__proto__": {"polluted": 1}}}}`),
    "crawl request",
  );
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(Object.getPrototypeOf(parsed.webhook?.metadata)).toBe(Object.prototype);
  const headers = parse(
    scrapeRequest,
    JSON.parse(`{"url": "${url}", "headers": {"__proto__": "x"}}`),
    "scrape request",
  );
  expect(Object.getPrototypeOf(headers.scrapeOptions.headers)).toBe(Object.prototype);
});

test.each<[string, unknown]>([
  ["a cycle", cyclic],
  ["a bigint", { a: 1n }],
  ["a deep nest", deep],
  ["a toJSON that throws", { toJSON: thrower }],
  ["a toJSON that gives text", { toJSON: () => "x" }],
  ["a list", [1]],
  ["text", "x"],
  ["too much", { a: "x".repeat(70_000) }],
])("webhook metadata: %s is refused at its path", (_name, metadata) => {
  expect(() => parse(crawl, { url, webhook: { url, metadata } }, "crawl request")).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ path: ["webhook", "metadata"] })] }),
  );
});

test("schemas pass through untouched, whatever they hold", () => {
  const jsonSchema = { type: "object", properties: cyclic };
  const standard = z.object({ price: z.number() });
  const callable = Object.assign(() => 0, {
    "~standard": { version: 1, vendor: "test", validate: () => ({ value: 1 }) },
  });
  for (const schema of [jsonSchema, standard, callable]) {
    const parsed = parse(scrapeRequest, { url, formats: ["json"], jsonOptions: { schema } }, "scrape request");
    expect(parsed.scrapeOptions.jsonOptions?.schema).toBe(schema);
  }
});

test("a context keeps its signal and model by identity", () => {
  const { signal } = new AbortController();
  const model = { doGenerate: () => {} };
  const context = parse(callContext, { signal, model }, "call context");
  expect(context.signal).toBe(signal);
  expect(context.model).toBe(model);
  expect(() => parse(callContext, { model: throwingProxy() }, "call context")).toThrow(/cannot be read/);
});

test("100,000 URLs are read in seconds at most, good or bad", () => {
  const good = Array.from({ length: maxBatchUrls }, (_, at) => `https://a.example/${at}?q=${at}`);
  let start = performance.now();
  expect(parse(batchScrapeRequest, { urls: good }, "batch").urls).toEqual(good);
  const forGood = performance.now() - start;

  const bad = good.map((text) => `ftp${text}`);
  start = performance.now();
  expect(parse(batchScrapeRequest, { urls: bad, ignoreInvalidURLs: true }, "batch").invalidURLs).toEqual(bad);
  expect(() => parse(batchScrapeRequest, { urls: bad }, "batch")).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ length: maxBatchUrls }) }),
  );
  const forBad = performance.now() - start;

  expect(() => parse(batchScrapeRequest, { urls: [...good, url] }, "batch")).toThrow(
    "urls must have at most 100000 items",
  );
  expect(() => parse(batchScrapeRequest, { urls: good.map(() => 1) }, "batch")).toThrow(
    expect.objectContaining({ code: "BAD_REQUEST" }),
  );
  // Far above what it takes, far below what anything quadratic would take.
  expect(forGood).toBeLessThan(15_000);
  expect(forBad).toBeLessThan(30_000);
}, 90_000);
