import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { Action, ParsedAction } from "../src/contract/actions.ts";
import { type BatchScrapeRequest, batchScrapeRequest } from "../src/contract/batch-scrape.ts";
import type { CallContext } from "../src/contract/call-context.ts";
import { type CrawlRequest, crawlRequest, type ParsedCrawlRequest } from "../src/contract/crawl.ts";
import type { Document, DocumentMetadata } from "../src/contract/document.ts";
import type { ExtractRequest, ExtractStatus } from "../src/contract/extract.ts";
import type { JobStatus, StatusPage } from "../src/contract/job.ts";
import { parse } from "../src/contract/parse.ts";
import type { SchemaOutput } from "../src/contract/schema-option.ts";
import { type ParsedScrapeRequest, type ScrapeRequest, scrapeRequest } from "../src/contract/scrape.ts";
import type { ParsedScrapeOptions, ScrapeOptions, ScrapeOptionValues } from "../src/contract/scrape-options.ts";
import { scrapeOptionFields } from "../src/contract/scrape-options.ts";
import type { SearchRequest } from "../src/contract/search.ts";
import type { BatchScrapeJob, CrawlJob, Engine, EngineOptions, EventSink, SearchProvider } from "../src/index.ts";

test("only what has no default must be written", () => {
  expectTypeOf<{ url: string }>().toExtend<ScrapeRequest>();
  expectTypeOf<{ url: string }>().toExtend<CrawlRequest>();
  expectTypeOf<{ urls: readonly string[] }>().toExtend<BatchScrapeRequest>();
  expectTypeOf<{ query: string }>().toExtend<SearchRequest>();
  expectTypeOf<{ prompt: string }>().toExtend<ExtractRequest>();
  expectTypeOf<Record<never, never>>().toExtend<CallContext>();
  expectTypeOf<Record<never, never>>().toExtend<StatusPage>();
  expectTypeOf<Record<never, never>>().not.toExtend<CrawlRequest>();
  expectTypeOf<{ type: "click" }>().not.toExtend<Action>();
});

test("lists may be readonly, and a webhook may be a text", () => {
  const request = {
    url: "https://a.example",
    includePaths: ["^/docs"],
    webhook: "https://hook.example",
    scrapeOptions: { formats: ["markdown", "links"], actions: [{ type: "wait", milliseconds: 5 }] },
  } as const;
  expectTypeOf(request).toExtend<CrawlRequest>();
  expectTypeOf<CrawlRequest["webhook"]>().extract<string>().toEqualTypeOf<string>();
  expectTypeOf<{ readonly events: readonly EventSink[] }>().toExtend<EngineOptions>();
  expectTypeOf<{ readonly search: readonly SearchProvider[] }>().toExtend<EngineOptions>();
});

test("events of another kind of job are no events", () => {
  expectTypeOf<{ url: string; events: "crawl.page"[] }>().toExtend<Exclude<CrawlRequest["webhook"], string>>();
  expectTypeOf<{ url: string; events: "crawl.page"[] }>().not.toExtend<Exclude<ExtractRequest["webhook"], string>>();
});

test("the schema of the scrape options and its interface say the same", () => {
  const plain = z.object(scrapeOptionFields);
  expectTypeOf<Required<z.input<typeof plain>>>().toEqualTypeOf<Required<ScrapeOptions>>();
  expectTypeOf<z.output<typeof plain>>().toExtend<ScrapeOptionValues>();
});

test("a parsed value has its defaults", () => {
  const scrape = parse(scrapeRequest, { url: "https://a.example" }, "scrape request");
  expectTypeOf(scrape).toEqualTypeOf<ParsedScrapeRequest>();
  expectTypeOf(scrape.scrapeOptions).toEqualTypeOf<ParsedScrapeOptions>();
  expectTypeOf(scrape.scrapeOptions.timeout).toEqualTypeOf<number>();
  expectTypeOf(scrape.scrapeOptions).not.toHaveProperty("geolocation");
  const crawl = parse(crawlRequest({ maxPagesPerJob: 1 }), { url: "https://a.example" }, "crawl request");
  expectTypeOf(crawl).toExtend<ParsedCrawlRequest>();
  expectTypeOf(crawl.limit).toEqualTypeOf<number>();
  expectTypeOf(crawl).not.toHaveProperty("allowBackwardLinks");
  expectTypeOf(parse(batchScrapeRequest, { urls: [] }, "batch").invalidURLs).toEqualTypeOf<
    readonly string[] | undefined
  >();
  expectTypeOf<Extract<ParsedAction, { type: "scroll" }>["direction"]>().toEqualTypeOf<"up" | "down">();
});

test("results", () => {
  expectTypeOf<JobStatus>().not.toHaveProperty("success");
  expectTypeOf<JobStatus["data"]>().toEqualTypeOf<Document[]>();
  expectTypeOf<DocumentMetadata["og:title"]>().toEqualTypeOf<string | string[] | number | undefined>();
  expectTypeOf<DocumentMetadata["statusCode"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ExtractStatus<{ a: 1 }>["data"]>().toEqualTypeOf<{ a: 1 } | []>();
  expectTypeOf<Extract<ExtractStatus<{ a: 1 }>, { status: "completed" }>["data"]>().toEqualTypeOf<{ a: 1 }>();
});

test("the type of the data follows from a schema that has one", () => {
  const product = z.object({ name: z.string(), price: z.number().optional() });
  expectTypeOf<SchemaOutput<typeof product>>().toEqualTypeOf<{ name: string; price?: number | undefined }>();
  expectTypeOf<SchemaOutput<{ type: "object" }>>().toEqualTypeOf<unknown>();
  expectTypeOf<typeof product>().toExtend<NonNullable<ExtractRequest["schema"]>>();
});

test("a JSON Schema may be of an interface, such as that of its specification, and nothing else may", () => {
  interface Declared {
    $id?: string | undefined;
    type?: "object" | "string" | undefined;
    properties?: { [name: string]: Declared } | undefined;
  }
  interface Other {
    name: string;
  }
  expectTypeOf<Declared>().toExtend<NonNullable<ExtractRequest["schema"]>>();
  expectTypeOf<{ schema: Declared }>().toExtend<NonNullable<ScrapeRequest["jsonOptions"]>>();
  expectTypeOf<SchemaOutput<Declared>>().toEqualTypeOf<unknown>();
  type Schema = ExtractRequest["schema"];
  expectTypeOf<string[]>().not.toExtend<Schema>();
  expectTypeOf<string>().not.toExtend<Schema>();
  expectTypeOf<() => unknown>().not.toExtend<Schema>();
  expectTypeOf<Other>().not.toExtend<Schema>();
});

test("the type of a schema reaches the results of every call that takes one", () => {
  const schema = z.object({ name: z.string(), date: z.iso.date().transform((text) => new Date(text)) });
  type Json = { name: string; date: Date } | null | undefined;
  const options = { formats: ["json"], jsonOptions: { schema } } as const;
  const crawl = (engine: Engine) => engine.crawl({ url: "", scrapeOptions: options });
  const batch = (engine: Engine) => engine.batchScrape({ urls: [], formats: ["extract"], extract: { schema } });
  const found = (engine: Engine) => engine.search({ query: "", scrapeOptions: options });
  const scraped = (engine: Engine) => engine.scrape({ url: "", ...options });
  const taken = (engine: Engine) => engine.extract({ urls: [], schema });

  type Crawl = Awaited<ReturnType<typeof crawl>>;
  expectTypeOf<Awaited<ReturnType<Crawl["wait"]>>["data"][number]["json"]>().toEqualTypeOf<Json>();
  expectTypeOf<Crawl>().toExtend<AsyncIterable<Document<NonNullable<Json>>>>();
  type Batch = Awaited<ReturnType<typeof batch>>;
  expectTypeOf<Awaited<ReturnType<Batch["wait"]>>["data"][number]["extract"]>().toEqualTypeOf<Json>();
  expectTypeOf<Batch>().toExtend<AsyncIterable<Document<NonNullable<Json>>>>();
  expectTypeOf<Awaited<ReturnType<typeof found>>["data"][number]["json"]>().toEqualTypeOf<Json>();
  expectTypeOf<Awaited<ReturnType<typeof scraped>>["data"]["json"]>().toEqualTypeOf<Json>();
  type Extracted = Awaited<ReturnType<Awaited<ReturnType<typeof taken>>["wait"]>>;
  expectTypeOf<Extracted["data"]>().toEqualTypeOf<NonNullable<Json> | []>();
});

test("without a schema that has a type, data is unknown, and handles of any schema are taken", () => {
  const plain = (engine: Engine) =>
    engine.crawl({ url: "", scrapeOptions: { jsonOptions: { schema: { type: "object" } } } });
  const none = (engine: Engine) => engine.batchScrape({ urls: [] });
  expectTypeOf<Awaited<ReturnType<typeof plain>>>().toEqualTypeOf<CrawlJob>();
  expectTypeOf<Awaited<ReturnType<typeof none>>>().toEqualTypeOf<BatchScrapeJob>();
  expectTypeOf<CrawlJob<{ name: string }>>().toExtend<CrawlJob>();
});
