/** The formats `json`, `extract` and `summary`, with models that answer well, badly, and not at all. */
import { MockLanguageModelV4 } from "ai/test";
import { RE2Set } from "re2js";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { type FakeModel, fakeModel } from "../src/testing/index.ts";
import { cpuTime } from "./cpu-time.ts";
import { PdfBuilder } from "./fixtures/pdf/build-pdf.ts";
import { collectCharges, engineFor, page, site } from "./start-engine.ts";

type Result = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

function answer(text: string, finish: "stop" | "length" | "content-filter" = "stop"): Result {
  return {
    content: text === "" ? [] : [{ type: "text", text }],
    finishReason: { unified: finish, raw: undefined },
    usage: {
      inputTokens: { total: 100, noCache: 60, cacheRead: 40, cacheWrite: undefined },
      outputTokens: { total: 10, text: 10, reasoning: undefined },
    },
    warnings: [],
  };
}

/** A model that gives the answers in turn. */
function modelOf(...texts: (string | Result)[]): MockLanguageModelV4 {
  let next = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const text = texts[Math.min(next++, texts.length - 1)]!;
      return typeof text === "string" ? answer(text) : text;
    },
  });
}

const product = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" }, note: { type: "string" } },
  required: ["name", "price"],
} as const;

test("a field of zod with a catch may be missing: the library puts its value in the place", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const schema = z.object({
    name: z.string(),
    maker: z.string().catch("unknown"),
    parts: z.array(z.object({ price: z.number().nullable().catch(0).readonly() })),
  });
  const model = modelOf('{"name": "Kettle", "maker": null, "parts": [{"price": 5}, {}]}');
  const engine = engineFor({ model });
  const whole = { name: "Kettle", maker: "unknown", parts: [{ price: 5 }, { price: 0 }] };
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect([data.json, data.warning]).toEqual([whole, undefined]);
  const status = await (await engine.extract({ urls: [url], schema })).wait();
  expect([status.data, status.warning]).toEqual([whole, undefined]);
  expect(model.doGenerateCalls).toHaveLength(2);
});

test("json has the form of the schema; it costs four credits more and its tokens are counted", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = modelOf('{"name": "Kettle", "price": 20, "note": null}');
  const { billing, charges } = collectCharges();
  const engine = engineFor({ model, billing });
  const { data } = await engine.scrape({
    url,
    formats: ["json"],
    jsonOptions: { schema: product, prompt: "the product" },
  });
  expect(data.json).toEqual({ name: "Kettle", price: 20 });
  expect(data.markdown).toBeUndefined();
  expect(data.warning).toBeUndefined();
  expect(data.metadata.creditsUsed).toBe(5);
  const call = model.doGenerateCalls[0]!;
  expect(JSON.stringify(call.prompt)).toContain("This page says enough about Kettle");
  expect(call.tools ?? []).toEqual([]);
  expect(call.responseFormat).toMatchObject({
    type: "json",
    schema: { additionalProperties: false, required: ["name", "price", "note"] },
  });
  await vi.waitFor(() => expect(charges.map(({ tokens }) => tokens)).toEqual([110]), { timeout: 20_000 });
  // The history of tokens is that of extract jobs.
  expect((await engine.getTokenUsageHistorical()).periods).toEqual([]);
});

test("a schema of zod types and converts the answer", async () => {
  const { url } = await site({ "/": page("Event") });
  const schema = z.object({
    name: z.string(),
    default: z.string().optional(),
    starts: z.iso.date().transform((text) => new Date(text)),
  });
  const engine = engineFor({
    model: modelOf('```json\n{"name": "Fair", "default": "d", "starts": "2026-03-01"}\n```'),
  });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
  const typed: { name: string; default?: string | undefined; starts: Date } | null | undefined = data.json;
  expect(typed).toEqual({ name: "Fair", default: "d", starts: new Date("2026-03-01") });
});

test("the patterns of a schema are compiled for the first page, not for each", async () => {
  const { url } = await site({ "*": ({ url }) => page(`Kettle ${url.pathname}`) });
  const schema = z.object({ mail: z.email(), part: z.string().regex(/^only-in-this-test-\d+$/) });
  const engine = engineFor({ model: modelOf('{"mail": "a@b.example", "part": "only-in-this-test-1"}') });
  const add = vi.spyOn(RE2Set.prototype, "add");
  onTestFinished(() => add.mockRestore());
  const compiledFor = async (path: string) => {
    const before = add.mock.calls.length;
    const { data } = await engine.scrape({ url: url + path, formats: ["json"], jsonOptions: { schema } });
    expect(data.json).not.toBeNull();
    return add.mock.calls.length - before;
  };
  expect(await compiledFor("/a")).toBeGreaterThan(0);
  expect([await compiledFor("/b"), await compiledFor("/c")]).toEqual([0, 0]);
});

test("the documents of jobs and searches are typed and converted as those of a scrape", async () => {
  const { url } = await site({ "/": page("Event") });
  const schema = z.object({ starts: z.iso.date().transform((text) => new Date(text)), seats: z.int().default(5) });
  const engine = engineFor({
    model: modelOf('{"starts": "2026-03-01"}'),
    search: { name: "one", search: async () => [{ url, title: "Event", description: "" }] },
  });
  const asked = { formats: ["json"], jsonOptions: { schema } } as const;
  const wanted = { starts: new Date("2026-03-01"), seats: 5 };
  type Typed = { starts: Date; seats: number } | null | undefined;

  const crawl = await engine.crawl({ url, limit: 1, scrapeOptions: asked });
  const crawled: Typed = (await crawl.wait()).data[0]?.json;
  expect(crawled).toEqual(wanted);
  for await (const { json } of crawl) expect(json satisfies Typed).toEqual(wanted);
  const batch = await engine.batchScrape({ urls: [url], formats: ["extract"], extract: { schema } });
  const scraped: Typed = (await batch.wait()).data[0]?.extract;
  expect(scraped).toEqual(wanted);
  const found: Typed = (await engine.search({ query: "event", scrapeOptions: asked })).data[0]?.json;
  expect(found).toEqual(wanted);

  const late = z.object({ starts: z.iso.date().refine((text) => text > "2027", "must be later") });
  const refused = await engine.batchScrape({ urls: [url], formats: ["json"], jsonOptions: { schema: late } });
  const [document] = (await refused.wait()).data;
  expect(document).toMatchObject({ json: null, warning: expect.stringContaining("starts must be later") });
});

test("an answer that does not fit is asked for once more, with what is wrong", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = modelOf('{"name": "Kettle", "price": "twenty"}', '{"name": "Kettle", "price": 20}');
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: product } });
  expect(data.json).toEqual({ name: "Kettle", price: 20 });
  expect(model.doGenerateCalls).toHaveLength(2);
  expect(JSON.stringify(model.doGenerateCalls[1]!.prompt)).toContain("price must be number");
});

test("so is one that only the schema's library refuses", async () => {
  const { url } = await site({ "/": page("Event") });
  const starts = z.iso.date().refine((text) => text > "2027", "must be later");
  const ask = async (model: FakeModel) =>
    (await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: z.object({ starts }) } })).data;
  const answers = ["2026-03-01", "2027-03-01"];
  const model = fakeModel(() => ({ starts: answers.shift() }));
  const data = await ask(model);
  expect([data.json, data.warning]).toEqual([{ starts: "2027-03-01" }, undefined]);
  expect(model.calls[1]?.prompt).toContain("starts must be later");
  expect(await ask(fakeModel({ starts: "2026-03-01" }))).toMatchObject({
    json: null,
    warning: "The model's answer does not fit the schema: starts must be later.",
  });
});

test.each([
  ["a name", '{"data": {"name": "Kettle", "price": 20}}'],
  ["the wrapper's name", '{"answer": {"name": "Kettle", "price": 20, "note": null}}'],
  ["a list", '[{"name": "Kettle", "price": 20}]'],
])("what a model puts into %s of its own is taken from there", async (_, text) => {
  const { url } = await site({ "/": page("Kettle") });
  const model = modelOf(text);
  const { required: _required, ...schema } = product;
  for (const form of [product, schema]) {
    const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: form } });
    expect([data.json, data.warning]).toEqual([{ name: "Kettle", price: 20 }, undefined]);
  }
  const status = await (await engineFor({ model }).extract({ urls: [url], schema: product })).wait();
  expect([status.data, status.warning]).toEqual([{ name: "Kettle", price: 20 }, undefined]);
  expect(model.doGenerateCalls).toHaveLength(3);
});

test("what is wrong with an answer in a wrapper is told, and the rest of it is kept", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = modelOf('{"data": {"name": "Kettle", "price": "cheap"}}');
  const engine = engineFor({ model });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema: product } });
  expect(data).toMatchObject({ json: null, warning: expect.stringContaining("price must be number") });
  const status = await (await engine.extract({ urls: [url], schema: { ...product, required: [] } })).wait();
  expect(status).toMatchObject({ status: "completed", data: { name: "Kettle" } });
});

test("a property that is only required has been asked for", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const schema = { ...product, required: ["code"] };
  const engine = engineFor({ model: modelOf('{"code": "K1"}') });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect([data.json, data.warning]).toEqual([{ code: "K1" }, undefined]);
});

test("an answer that has nothing of what was asked for is none, though the schema requires nothing", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { required: _, ...schema } = product;
  const json = { url, formats: ["json"], jsonOptions: { schema } } as const;
  const beside = '{"Name": "Kettle", "author": {"name": "Ada"}}';
  const corrected = modelOf(beside, '{"name": "Kettle"}');
  const { data } = await engineFor({ model: corrected }).scrape(json);
  expect([data.json, data.warning]).toEqual([{ name: "Kettle" }, undefined]);
  const again = JSON.stringify(corrected.doGenerateCalls[1]?.prompt);
  expect(again).toContain("has none of the properties that were asked for (name, price, note)");
  const engine = engineFor({ model: modelOf(beside) });
  expect((await engine.scrape(json)).data).toMatchObject({ json: null, warning: expect.stringContaining("none of") });
  const status = await (await engine.extract({ urls: [url], schema: product })).wait();
  expect(status).toMatchObject({ status: "failed", error: expect.stringContaining("none of the properties") });
  // What the schema leaves open is an answer, and so is nothing at all.
  const open = { ...schema, additionalProperties: { type: "string" } };
  const evaluated = { ...schema, unevaluatedProperties: { type: "string" } };
  const answers = modelOf('{"colour": "red"}', '{"colour": "red"}', "{}", '{"colour": "red", "price": null}');
  const answerTo = async (asked: object) =>
    (await engineFor({ model: answers }).scrape({ ...json, jsonOptions: { schema: asked } })).data.json;
  for (const asked of [open, evaluated]) expect(await answerTo(asked)).toEqual({ colour: "red" });
  expect(await answerTo(schema)).toEqual({});
  expect(await answerTo(schema)).toEqual({ colour: "red" });
});

test.each<[string, z.ZodType, unknown, unknown]>([
  ["z.coerce.number()", z.coerce.number(), "7", 7],
  ["z.coerce.string()", z.coerce.string(), 5, "5"],
  ["z.coerce.boolean()", z.coerce.boolean(), 1, true],
  ["z.coerce.number().optional()", z.coerce.number().min(3).optional(), "7", 7],
  ["catch()", z.number().catch(0), "7", 0],
  ["catch() in a list", z.array(z.enum(["a", "b"]).catch("b")), ["a", "zz"], ["a", "b"]],
  ["z.preprocess()", z.preprocess((value) => Number(String(value).slice(1)), z.number()), "$12", 12],
])("what zod converts is accepted: %s", async (_, field, given, expected) => {
  const { url } = await site({ "/": page("Kettle") });
  const schema = z.object({ field });
  const model = fakeModel({ field: given });
  const engine = engineFor({ model });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect([data.json, data.warning]).toEqual([{ field: expected }, undefined]);
  const status = await (await engine.extract({ urls: [url], schema })).wait();
  expect([status.data, status.warning]).toEqual([{ field: expected }, undefined]);
  expect(model.calls).toHaveLength(2);
  expect(model.calls[0]!.prompt).not.toContain("x-converts");
});

test.each<[z.ZodType, unknown]>([
  [z.coerce.number(), null],
  [z.coerce.number(), "about 7"],
  [z.coerce.string(), { a: 1 }],
  [z.coerce.number().max(3), 7],
])("what zod would only make something up from is not accepted", async (field, given) => {
  const { url } = await site({ "/": page("Kettle") });
  const model = fakeModel({ field: given });
  const jsonOptions = { schema: z.object({ field }) };
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions });
  expect(data.json).toBeNull();
  expect(model.calls).toHaveLength(2);
});

test("an answer may nest as deep as a schema, and what nests deeper is named", async () => {
  const { url } = await site({ "/": page("Kettle") });
  let objects: object = { type: "string" };
  for (let level = 0; level < 119; level++) objects = { type: "object", properties: { a: objects } };
  let lists: object = { type: "string" };
  for (let level = 0; level < 237; level++) lists = { type: "array", items: lists };
  const deepest = { type: "object", properties: { list: lists } };
  const endless = { type: "object", properties: { a: { $ref: "#" } } };
  const ask = async (schema: object, answer: string) => {
    const jsonOptions = { schema: schema as Record<string, unknown> };
    return (await engineFor({ model: modelOf(answer) }).scrape({ url, formats: ["json"], jsonOptions })).data;
  };
  const inObjects = (levels: number) => `${'{"a":'.repeat(levels)}"v"${"}".repeat(levels)}`;
  expect(JSON.stringify((await ask(objects, inObjects(119))).json)).toBe(inObjects(119));
  const inLists = `{"list":${"[".repeat(237)}"v"${"]".repeat(237)}}`;
  expect(JSON.stringify((await ask(deepest, inLists)).json)).toBe(inLists);
  expect(await ask(endless, inObjects(300))).toMatchObject({
    json: null,
    warning: expect.stringContaining("nests deeper than 240 levels"),
  });
});

test("the id of a model is taken only if the host has named a provider for it", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const scrape = () => engineFor({}).scrape({ url, formats: ["json"], jsonOptions: {} }, { model: "kettles/1" });
  await expect(scrape()).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ path: ["model"], message: expect.stringContaining("rather than an id") }],
  });
  const languageModel = () => modelOf('{"name": "Kettle"}');
  vi.stubGlobal("AI_SDK_DEFAULT_PROVIDER", { languageModel });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await scrape()).data.json).toEqual({ name: "Kettle" });
});

test.each<[string, unknown]>([
  ["a text part without its text", { ...answer("x"), content: [{ type: "text" }] }],
  ["no content", {}],
  ["nothing", undefined],
])("a model that answers with %s leaves null and a warning", async (_, given) => {
  const { url } = await site({ "/": page("Kettle") });
  const model = new MockLanguageModelV4({ doGenerate: async () => given as Result });
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: {} });
  expect(data).toMatchObject({
    json: null,
    warning: "The model could not be asked: the model's answer has no content that can be read.",
  });
});

test("a null in a row of a table keeps its place, so that nothing moves to another column", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const rows = { type: "array", items: { type: "array", items: { type: "number" } } };
  const json = async (schema: object, ...answers: string[]) => {
    const model = modelOf(...answers);
    const options = { url, formats: ["json"] as const, jsonOptions: { schema: schema as Record<string, unknown> } };
    return { json: (await engineFor({ model }).scrape(options)).data.json, calls: model.doGenerateCalls.length };
  };
  const schema = { type: "object", properties: { rows, list: { type: "array", items: { type: "number" } } } };
  const withNull = '{"rows": [[1, null, 3]]}';
  expect(await json(schema, withNull, '{"rows": [[1, 2, 3]]}')).toEqual({ json: { rows: [[1, 2, 3]] }, calls: 2 });
  expect(await json(schema, withNull)).toEqual({ json: null, calls: 2 });
  const open = { ...rows, items: { ...rows.items, items: { type: ["number", "null"] } } };
  expect(await json({ type: "object", properties: { rows: open } }, withNull)).toEqual({
    json: { rows: [[1, null, 3]] },
    calls: 1,
  });
  // In a plain list, a null is a value that the page does not tell.
  expect(await json(schema, '{"list": [1, null, 3]}')).toEqual({ json: { list: [1, 3] }, calls: 1 });
});

test("after the second wrong answer json is null, with a warning, and all tokens are counted", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { billing, charges } = collectCharges();
  const engine = engineFor({ model: modelOf('{"name": "Kettle", "price": null}'), billing });
  const result = await engine.scrape({ url, formats: ["markdown", "json"], jsonOptions: { schema: product } });
  expect(result.data.json).toBeNull();
  expect(result.data.markdown).toContain("Kettle");
  expect(result.warning).toContain("price must be number");
  await vi.waitFor(() => expect(charges.map(({ tokens }) => tokens)).toEqual([220]), { timeout: 20_000 });
});

test.each([
  ["slightly broken", "{name: 'Kettle', price: 20,}"],
  ["surrounded by talk", 'Here you are:\n{"name": "Kettle", "price": 20}\nAnything else?'],
  [
    "behind a longer piece that is something else",
    'In {"topic": "Kettles of the coast", "pages": [1, 2]}: {"name": "Kettle", "price": 20}',
  ],
  ["cut off behind the last value", '{"name": "Kettle", "price": 20'],
])("JSON that is %s is repaired", async (_, text) => {
  const { url } = await site({ "/": page("Kettle") });
  const { data } = await engineFor({ model: modelOf(text) }).scrape({
    url,
    formats: ["json"],
    jsonOptions: { schema: product },
  });
  expect(data.json).toEqual({ name: "Kettle", price: 20 });
});

test("a model that refuses or fails leaves the page, null and a warning", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const refused = engineFor({ model: modelOf(answer("", "content-filter")) });
  expect(await refused.scrape({ url, formats: ["json"], jsonOptions: {} })).toMatchObject({
    data: { json: null },
    warning: expect.stringContaining("no answer"),
  });
  const broken = new MockLanguageModelV4({
    doGenerate: async () => {
      throw new Error("out of order");
    },
  });
  const { data } = await engineFor({ model: broken }).scrape({
    url,
    formats: ["markdown", "json", "summary"],
    jsonOptions: {},
  });
  expect(data).toMatchObject({ json: null, warning: expect.stringContaining("out of order") });
  expect(data.summary).toBeUndefined();
  expect(data.markdown).toContain("Kettle");
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["an object without a prototype", Object.create(null)],
  ["an error whose message is none", Object.assign(new Error(), { message: undefined })],
])("a model that throws %s leaves null and a warning", async (_, thrown) => {
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: fakeModel(() => Promise.reject(thrown)) });
  const { data } = await engine.scrape({
    url,
    formats: ["json", "summary", "markdown"],
    jsonOptions: { prompt: "all" },
  });
  expect(data).toMatchObject({ json: null, warning: expect.stringContaining("could not be asked") });
  expect(data.markdown).toContain("Kettle");
});

test.each<[string, string]>([
  ["brackets", "[".repeat(5_000_000)],
  ["fences", "```\n[x]\n".repeat(500_000)],
  ["things", `[${"{},".repeat(1_500_000)}{}]`],
])("an answer of millions of characters is none, and holds nobody up: %s", async (_, text) => {
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: fakeModel(text) });
  const before = cpuTime();
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { prompt: "all" } });
  expect(data).toMatchObject({ json: null, warning: "The model's answer was too long and broke off." });
  expect(cpuTime() - before).toBeLessThan(15_000);
});

test("an answer in which nothing is JSON is read in a moment, as long as it may be", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: fakeModel("```\n[x]\n{a}".repeat(80_000)) });
  const before = cpuTime();
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { prompt: "all" } });
  expect(data).toMatchObject({ json: null, warning: "The model's answer was no JSON." });
  expect(cpuTime() - before).toBeLessThan(2_000);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, -5000, "12", {}])("%s is no count of tokens", async (total) => {
  const { url } = await site({ "/": page("Kettle") });
  const usage = { inputTokens: { total }, outputTokens: { total: 1.5 } };
  const engine = engineFor({ model: modelOf({ ...answer('{"name": "Kettle"}'), usage: usage as never }) });
  const job = await engine.extract({ urls: [url], prompt: "the product", schema: { type: "object" } });
  expect(await job.wait()).toMatchObject({ status: "completed", data: { name: "Kettle" }, tokensUsed: 2 });
  expect(await engine.getTokenUsageHistorical()).toMatchObject({ periods: [{ totalTokens: 2 }] });
});

test.each([
  ["many lines", "</p><p>"],
  ["a single line", " "],
])("a long page of %s is read in parts, all of it, and the answers are merged", async (_what, between) => {
  const rows = Array.from(
    { length: 3000 },
    (_, index) => `Item number ${index} is called thing-${index}, and it has a description.`,
  );
  const { url } = await site({
    "/": `<html><title>List</title><body><main><h1>All</h1><p>${rows.join(between)}</p></main></body></html>`,
  });
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const names = [...JSON.stringify(prompt).matchAll(/thing-\d+/g)].map(([name]) => ({ name }));
      return answer(JSON.stringify({ items: names }));
    },
  });
  const schema = {
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    },
    required: ["items"],
  };
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect(model.doGenerateCalls.length).toBeGreaterThan(1);
  expect(model.doGenerateCalls.length).toBeLessThan(5);
  const { items } = data.json as { items: { name: string }[] };
  expect(items).toHaveLength(3000);
  expect(items[2999]).toEqual({ name: "thing-2999" });
});

test("a part of a long page is asked only for what it has, and leaves room for what is asked", async () => {
  const said = (what: string) => `<p>${`The ${what} of the kettle stands here. `.repeat(180)}</p>`;
  const { url } = await site({ "/": `<main><h1>Kettle</h1>${said("name")}${said("price")}</main>` });
  let calls = 0;
  const model = fakeModel(({ prompt }) => {
    calls++;
    const [hasName, hasPrice] = ["name", "price"].map((what) => prompt.includes(`The ${what} of`));
    return { ...(hasName ? { name: "Kettle" } : {}), ...(hasPrice ? { price: 20 } : {}) };
  });
  const ask = async (modelInputTokens: number, prompt?: string) => {
    calls = 0;
    const engine = engineFor({ model, limits: { modelInputTokens } });
    const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema: product, prompt } });
    expect([data.json, data.warning]).toEqual([{ name: "Kettle", price: 20 }, undefined]);
    return calls;
  };
  expect(await ask(2500)).toBe(2);
  expect(await ask(4000)).toBe(1);
  expect(await ask(4000, "What is it, and how much? ".repeat(200))).toBe(2);
});

test("what no part of a long page has, and the schema demands, leaves null and a warning", async () => {
  const paragraphs = Array.from({ length: 3000 }, (_, index) => `<p>Paragraph ${index} says nothing of a price.</p>`);
  const { url } = await site({ "/": `<html><body><main><h1>All</h1>${paragraphs.join("")}</main></body></html>` });
  const model = modelOf('{"name": "Kettle"}');
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: product } });
  expect(model.doGenerateCalls.length).toBeGreaterThan(1);
  expect(data.json).toBeNull();
  expect(data.warning).toContain("does not fit the schema: it must have price");
});

test("one half of a page that was read in halves does not pass for the whole", async () => {
  const words = "<p>A kettle is a kettle. </p>".repeat(300);
  const { url } = await site({ "/": page("Kettle").replace("<p>", `${words}<p>The end. `) });
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const asked = JSON.stringify(prompt);
      if (!asked.includes("The end.")) return answer('{"name": "Kettle"}');
      return asked.includes("# Kettle") ? answer("{", "length") : answer("no", "content-filter");
    },
  });
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: product } });
  expect(model.doGenerateCalls).toHaveLength(3);
  expect(data.json).toBeNull();
  expect(data.warning).toContain("does not fit the schema: it must have price");
});

test("a long page is summed up in parts, whose summaries are kept if they cannot be made one", async () => {
  const { url } = await site({
    "/": `<h1>Kettles</h1>${"<p>Every kettle has a story of its own.</p>".repeat(2000)}`,
  });
  const limits = { modelInputTokens: 2500, modelPartsPerPage: 2 };
  const ask = async (together: () => string) => {
    let parts = 0;
    const model = fakeModel(({ prompt }) => (prompt.includes("has a story") ? `Part ${++parts}.` : together()));
    return (await engineFor({ model, limits }).scrape({ url, formats: ["summary"] })).data;
  };
  const whole = await ask(() => "Kettles have stories.");
  expect(whole.summary).toBe("Kettles have stories.");
  expect(whole.warning).toMatch(/^The page is too long: the summary speaks of the first 2 of \d+ parts\.$/);
  const parted = await ask(() => {
    throw new Error("overloaded");
  });
  expect(parted.summary).toBe("Part 1.\n\nPart 2.");
  expect(parted.warning).toContain("The model could not be asked for a summary: overloaded.");
});

test("summaries that are together too long for one call are summed up in parts too", async () => {
  const { url } = await site({
    "/": `<h1>Kettles</h1>${"<p>Every kettle has a story of its own.</p>".repeat(1500)}`,
  });
  const ask = async (sentences: number) => {
    const shown: number[] = [];
    const model = fakeModel(({ prompt }) => {
      shown.push(prompt.length);
      return prompt.includes("has a story") || prompt.includes("This is part")
        ? "Kettles whistle. ".repeat(sentences)
        : "Kettles have stories.";
    });
    const limits = { modelInputTokens: 1000 };
    const { data } = await engineFor({ model, limits }).scrape({ url, formats: ["summary"] });
    return { data, longest: Math.max(...shown), calls: shown.length };
  };
  const { data, longest, calls } = await ask(60);
  expect(data).toMatchObject({ summary: "Kettles have stories." });
  expect(data.warning).toBeUndefined();
  expect(calls).toBeGreaterThan(20);
  // The limit in characters, and the instructions.
  expect(longest).toBeLessThan(3500 + 1500);
  const endless = await ask(200);
  expect(endless.data.summary).toMatch(/^Kettles whistle\./);
  expect(endless.calls).toBeLessThan(21);
});

test("summary is text; the old name extract works", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { data } = await engineFor({ model: modelOf(" A page about a kettle. ") }).scrape({
    url,
    formats: ["summary"],
  });
  expect(data.summary).toBe("A page about a kettle.");
  const thinking = await engineFor({
    model: modelOf("<think>A kettle, it seems.</think>\n\nA page about a kettle."),
  }).scrape({ url, formats: ["summary"] });
  expect(thinking.data.summary).toBe("A page about a kettle.");
  const lost = await engineFor({ model: modelOf(answer("<think>A kettle, or", "length")) }).scrape({
    url,
    formats: ["summary"],
  });
  expect(lost.data).not.toHaveProperty("summary");
  expect(lost.data.warning).toBe("The model gave no summary.");
  const old = await engineFor({ model: modelOf('{"a": 1}') }).scrape({
    url,
    formats: ["extract"],
    extract: { prompt: "a" },
  });
  expect(old.data.extract).toEqual({ a: 1 });
});

test("without a model the format is refused; a model of the call serves, also in a job", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor();
  const request = { url, formats: ["json"], jsonOptions: { schema: product } } as const;
  await expect(engine.scrape(request)).rejects.toMatchObject({ code: "UNSUPPORTED" });
  const model = modelOf('{"name": "Kettle", "price": 20}');
  expect((await engine.scrape(request, { model })).data.json).toEqual({ name: "Kettle", price: 20 });
  const job = await engine.batchScrape(
    { urls: [url], formats: ["json"], jsonOptions: { schema: z.object({ name: z.string(), price: z.number() }) } },
    { model },
  );
  expect((await job.wait()).data[0]?.json).toEqual({ name: "Kettle", price: 20 });
});

test("a schema that cannot be used is refused at the door, with the place", async () => {
  const engine = engineFor({ model: modelOf("{}") });
  const schema = {
    type: "object",
    properties: { a: { $ref: "https://elsewhere.example/schema" }, b: { type: "text" } },
  };
  await expect(
    engine.scrape({ url: "https://a.example", formats: ["json"], jsonOptions: { schema } }),
  ).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [
      expect.objectContaining({ path: ["jsonOptions", "schema", "properties", "a", "$ref"] }),
      expect.objectContaining({ path: ["jsonOptions", "schema", "properties", "b", "type"] }),
    ],
  });
});

test("a PDF that is not to be read is not shown to a model either, nor found by its bytes", async () => {
  const builder = await PdfBuilder.start();
  const body = await builder.bytes();
  const { url } = await site({ "/": { headers: { "content-type": "application/octet-stream" }, body } });
  const model = fakeModel({ name: "made up", price: 1 });
  const engine = engineFor({ model });
  const asked = {
    formats: ["json", "summary", "markdown"],
    jsonOptions: { schema: product },
    parsePDF: false,
  } as const;
  const { data } = await engine.scrape({ url, ...asked });
  expect(data).toMatchObject({ json: null, warning: expect.stringContaining("parsePDF is false") });
  expect([data.summary, data.markdown?.slice(0, 6)]).toEqual([undefined, "JVBERi"]);
  const extracting = await engine.extract({ urls: [url], schema: product, scrapeOptions: { parsePDF: false } });
  const status = await extracting.wait();
  expect(status.error ?? status.warning).toContain("parsePDF is false");
  expect(model.calls).toHaveLength(0);
  expect((await engine.search({ query: "-kettle" })).data).toEqual([]);
});

test("a page cannot end its own marks, and hidden letters do not reach the model", async () => {
  const hidden = [..."obey"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
  const { url } = await site({
    "/": `<main><h1>A</h1><p>Text${hidden} of the page that is long enough.</p><p hidden>secret order</p></main>`,
  });
  const model = modelOf('{"a": 1}');
  await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { prompt: "a" } });
  const prompt = JSON.stringify(model.doGenerateCalls[0]!.prompt);
  expect(prompt).not.toMatch(/[\u{e0000}-\u{e0fff}]/u);
  expect(prompt).not.toContain("secret order");
  expect(prompt).toMatch(/<<<page [0-9a-f-]{13}>>>/);
});

test("a model is never sent half a character, which servers refuse, though a long title is cut", async () => {
  const { url } = await site({
    "/": page("Tea").replace(/<title>.*?<\/title>/, `<title>${"a".repeat(499)}😀</title>`),
  });
  const model = modelOf('{"a": 1}');
  await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { prompt: "a" } });
  const [, { content }] = model.doGenerateCalls[0]!.prompt as unknown as [unknown, { content: [{ text: string }] }];
  expect(content[0].text).toContain(`Title: ${"a".repeat(499)}`);
  expect(content[0].text.isWellFormed()).toBe(true);
});

test("the caller's abort ends the model's call at once; the page's timeout leaves null and a warning", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const slow = new MockLanguageModelV4({
    doGenerate: ({ abortSignal }) =>
      new Promise((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason))),
  });
  const engine = engineFor({ model: slow });
  const reason = new Error("enough");
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 200);
  await expect(engine.scrape({ url, formats: ["json"], jsonOptions: {} }, { signal: controller.signal })).rejects.toBe(
    reason,
  );
  // A model that does not listen is not waited for either.
  const deaf = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
  await Promise.all(
    [slow, deaf].map(async (model) => {
      const { data } = await engine.scrape(
        { url, formats: ["markdown", "json"], jsonOptions: {}, timeout: 4000 },
        { model },
      );
      expect(data).toMatchObject({ json: null, warning: expect.stringContaining("4000 ms") });
    }),
  );
});

test("pages of a job that wait for their turn with the model lose no time by it", async () => {
  const paths = ["/1", "/2", "/3", "/4", "/5"];
  const { url } = await site(Object.fromEntries(paths.map((path) => [path, page(`Kettle ${path}`)])));
  const model = fakeModel(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { name: "Kettle" };
  });
  const engine = engineFor({ model, limits: { modelConcurrency: 1 } });
  const job = await engine.batchScrape({
    urls: paths.map((path) => url + path),
    formats: ["json"],
    jsonOptions: {},
    // The last one waits longer than that.
    timeout: 5500,
  });
  const { data } = await job.wait();
  expect(data.map(({ json }) => json)).toEqual(paths.map(() => ({ name: "Kettle" })));
});

test("no model is asked how two PDFs differ that are not to be read", async () => {
  const reports = await Promise.all(
    ["first", "second"].map(async (words) => {
      const builder = await PdfBuilder.start();
      builder.text(`Report of the ${words} year`, 60, 80);
      return Buffer.from(await builder.bytes());
    }),
  );
  const answered = { headers: { "content-type": "application/pdf" } };
  const { url } = await site({ "/report": () => ({ ...answered, body: reports.shift()! }) });
  const model = fakeModel({ name: "made up" });
  const engine = engineFor({ browser: false, model });
  const track = async () =>
    (
      await engine.scrape({
        url: `${url}/report`,
        parsePDF: false,
        formats: ["markdown", "changeTracking"],
        changeTrackingOptions: { modes: ["json"], prompt: "What changed?" },
      })
    ).data;
  await track();
  const { changeTracking, warning } = await track();
  expect(changeTracking).toMatchObject({ changeStatus: "changed" });
  expect(changeTracking).not.toHaveProperty("json");
  expect(warning).toContain("parsePDF is false");
  expect(model.calls).toHaveLength(0);
});

test("a draft within thoughts that never end is no answer", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = modelOf('<think>Say {"name":"Draft","price":1}?', '{"name":"Kettle","price":20}');
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema: product } });
  expect(data.json).toEqual({ name: "Kettle", price: 20 });
  expect(model.doGenerateCalls).toHaveLength(2);
});

test("a warning with a sentence of somebody else ends with one full stop", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: fakeModel(() => Promise.reject(new Error("It is asleep."))) });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { prompt: "all" } });
  expect(data.warning).toBe("The model could not be asked: It is asleep.");
});

test("a model of the AI SDK before version 5 is refused at the door", () => {
  const model = { specificationVersion: "v1", doGenerate: () => Promise.resolve({ text: "{}" }) };
  expect(() => engineFor({ model: model as never })).toThrow(
    "must be a LanguageModel of the AI SDK, version 5 or later",
  );
});

test.each(["Sorry.", answer("", "content-filter"), answer("{", "length")])(
  "an answer that broke off is kept if the next one is worse: %j",
  async (worse) => {
    const { url } = await site({ "/": page("Kettle") });
    const engine = engineFor({ model: modelOf('{"name":"Kettle","price":20', worse) });
    const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema: product } });
    expect(data.json).toEqual({ name: "Kettle", price: 20 });
    expect(data.warning).toBe("The model's answer broke off: something may be missing.");
  },
);

test.each([3, 3000])("of an answer that is too long for the model, the first %i things are kept", async (count) => {
  const { url } = await site({ "/": page("Kettle") });
  const things = Array.from({ length: count }, (_, index) => ({ name: `Thing {${index}}`, tags: ["]", index] }));
  const text = `Here [all of them]:\n\`\`\`json\n{"things": ${JSON.stringify(things).slice(0, -1)}, {"name": "Thing`;
  const schema = {
    type: "object",
    properties: { things: { type: "array", items: { type: "object", required: ["name", "tags"] } } },
    required: ["things"],
  };
  const model = modelOf(answer(text, "length"));
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect(data.json).toEqual({ things });
  expect(data.warning).toBe("The model's answer broke off: something may be missing.");
  expect(model.doGenerateCalls).toHaveLength(1);
});

test.each([
  ["the first answer is kept if nothing of the second does", '{"name":1,"price":"much"}', "Kettle"],
  ["the second answer is taken, if anything does", '{"name":"Pot","price":"much"}', "Pot"],
])("what fits of %s", async (_, second, name) => {
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: modelOf('{"name":"Kettle","price":"much"}', second) });
  const job = await engine.extract({ urls: [url], schema: { type: "object", properties: product.properties } });
  expect((await job.wait()).data).toEqual({ name });
});

test("a model whose answers never end is asked about halves and quarters of a page, and says nothing with a bracket", async () => {
  const { url } = await site({
    "/": `<main><h1>Kettles</h1>${"<p>Every kettle has a story.</p>".repeat(1500)}</main>`,
  });
  const model = modelOf(answer("{", "length"));
  const schema = { type: "object", properties: product.properties };
  const { data } = await engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect(data).toMatchObject({ json: null, warning: "The model's answer was too long and broke off." });
  expect(model.doGenerateCalls).toHaveLength(7);
});
