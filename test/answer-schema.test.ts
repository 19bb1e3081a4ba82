/** Schemas of answers: what is taken at the door, what an answer is checked for, within bounded work. */
import { expect, test } from "vitest";
import { z } from "zod";
import { checkInTurns } from "../src/model/check-in-turns.ts";
import { readSchema, toJsonSchema } from "../src/model/schema.ts";
import { schemaProblems } from "../src/model/schema-check.ts";
import { partialForm, strictForm } from "../src/model/schema-forms.ts";
import { partValidators } from "../src/model/schema-validator.ts";
import { withoutNulls } from "../src/model/without-nulls.ts";
import { fakeModel } from "../src/testing/index.ts";
import { cpuTime } from "./cpu-time.ts";
import { engineFor, page, site } from "./start-engine.ts";

const check = (schema: Record<string, unknown>, value: unknown) => partValidators(schema)(schema)(value);
const issues = (schema: object, value: unknown) =>
  check(schema as Record<string, unknown>, value).map(({ path, message }) => `${path} ${message}`.trim());

const freeOrPaid = JSON.parse(
  '{"if":{"properties":{"price":{"const":"free"}}},"then":{"properties":{"amount":{"const":0}}},"else":{"properties":{"amount":{"type":"number"}}}}',
) as object;

test.each([
  [{ type: "object", required: ["a"] }, {}, "must have a"],
  [{ additionalProperties: { type: "number" }, unevaluatedProperties: false }, { a: 1 }, undefined],
  [{ $ref: "#" }, 1, undefined],
  // Names that every object has from elsewhere.
  [{ type: "object", required: ["constructor"] }, {}, "must have constructor"],
  [{ properties: { a: true }, additionalProperties: false }, { toString: 1 }, "toString is not allowed"],
  [{ dependentRequired: { toString: ["a"] } }, {}, undefined],
  [{ properties: { list: { items: { type: "integer" } } } }, { list: [1, 1.5] }, "list[1] must be integer"],
  [
    { $ref: "#/$defs/p", $defs: { p: { properties: { next: { $ref: "#/$defs/p" }, n: { type: "number" } } } } },
    { next: { next: { n: "x" } } },
    "next.next.n must be number",
  ],
  [
    { definitions: { "a/b": { const: 1 } }, properties: { x: { $ref: "#/definitions/a~1b" } } },
    { x: 2 },
    "x must be 1",
  ],
  [
    { $id: "https://a.example/s", $defs: { t: { $anchor: "text", type: "string" } }, $ref: "#text" },
    1,
    "must be string",
  ],
  [{ properties: { next: { $recursiveRef: "#" } }, required: ["n"] }, { n: 1, next: {} }, "next must have n"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, "must fit one of the forms of anyOf"],
  [{ items: [{ type: "string" }], additionalItems: false }, ["a", 1], "[1] is not allowed"],
  [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1, b: 2 }, "b is not allowed"],
  [{ allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, { a: 1 }, "a is not allowed"],
  [{ $ref: "#/$defs/a", $defs: { a: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 }, undefined],
  [{ prefixItems: [true], contains: { type: "string" }, unevaluatedItems: false }, [1, "a"], undefined],
  [{ prefixItems: [true], contains: { type: "string" }, unevaluatedItems: false }, [1, 2, "a"], "[1] is not allowed"],
  [{ allOf: [{ unevaluatedItems: true }], unevaluatedItems: false }, [1], undefined],
  [{ minimum: 5, exclusiveMinimum: true }, 5, "must be greater than 5"],
  [{ multipleOf: 2 }, 1_000_000_001, "must be a multiple of 2"],
  [{ items: { multipleOf: 0.01 } }, [19.99, 600_000_000.01, 0.3, 0.005], "[3] must be a multiple of 0.01"],
  [
    { properties: { default: { type: "string", format: "date" } } },
    { default: "2026-02-30" },
    "default must be a date",
  ],
  [{ format: "email" }, "a@b", undefined],
  [{ format: "uri" }, "not a uri", "must be a uri"],
  [{ pattern: "^a+$" }, "ab", "must match ^a+$"],
  [{ patternProperties: { "^(?!x-)": { type: "number" } }, additionalProperties: false }, { "x-a": "b" }, undefined],
  [{ pattern: "^[\\u4e00-\\u9fa5]+$" }, "abc", "must match ^[\\u4e00-\\u9fa5]+$"],
  [{ pattern: "^[\\u4e00-\\u9fa5]+$" }, "漢字", undefined],
  [{ pattern: "^\\u{1F600}[^]\\cA$" }, "\u{1F600}\n\u0001", undefined],
  [{ pattern: "^\\u{1F600}[^]\\cA$" }, "\u{1F600}", "must match ^\\u{1F600}[^]\\cA$"],
  [{ pattern: "^\\ud83d\\ude00$" }, "\u{1F600}", undefined],
  [{ pattern: "^[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]$" }, "\u{1F600}", undefined],
  [{ type: "string", nullable: true }, null, undefined],
  [{ type: "string", enum: ["a"], nullable: true }, null, undefined],
  [{ allOf: [{ type: "string" }], nullable: true }, null, undefined],
  [{ $ref: "#/$defs/a", nullable: true, $defs: { a: { type: "string" } } }, null, undefined],
  [{ type: "string", enum: ["a"], nullable: false }, null, "must be string"],
  [{ minLength: 2, maxLength: 3 }, "\u{1F600}", "must have at least 2 characters"],
  [{ minLength: 2, maxLength: 3 }, "\u{1F600}abc", "must have at most 3 characters"],
  [{ exclusiveMinimum: 5 }, 5, "must be greater than 5"],
  [{ minimum: 5, maximum: 7 }, 4, "must be at least 5"],
  [{ minimum: 5, maximum: 7 }, 8, "must be at most 7"],
  [{ minimum: 5, exclusiveMinimum: 7 }, 6, "must be greater than 7"],
  [{ minimum: 5, exclusiveMinimum: false }, 5, undefined],
  [{ exclusiveMaximum: 5 }, 5, "must be less than 5"],
  [{ maximum: 5, exclusiveMaximum: true }, 5, "must be less than 5"],
  [{ minItems: 2 }, [1], "must have at least 2 items"],
  [
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    "must not repeat items",
  ],
  [{ contains: { const: 1 }, minContains: 2 }, [1, 2], "must have 2 or more fitting items, and has 1"],
  [{ contains: { const: 1 }, minContains: 0 }, [2], undefined],
  [{ contains: { const: 1 }, maxContains: 1 }, [1, 1, 1], "must have at most 1 fitting items, and has 3"],
  [{ minProperties: 2 }, { a: 1 }, "must have at least 2 properties"],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, "must have at most 1 properties"],
  [{ dependencies: { a: ["b"] } }, { a: 1 }, "must have b with a"],
  [{ dependencies: { a: { properties: { b: { type: "string" } } } } }, { a: 1, b: 2 }, "b must be string"],
  [freeOrPaid, { price: "free", amount: 1 }, "amount must be 0"],
  [freeOrPaid, { price: "paid", amount: "1" }, "amount must be number"],
  [{ format: "time" }, "25:00:00Z", "must be a time"],
  [{ format: "duration" }, "P1H", "must be a duration"],
  [{ format: "duration" }, "P1DT2H", undefined],
  [{ format: "ipv4" }, "256.1.1.1", "must be a ipv4"],
  [{ format: "ipv6" }, "1::2::3", "must be a ipv6"],
  [{ format: "ipv6" }, "::1]/path", "must be a ipv6"],
  [{ format: "ipv6" }, "2001:db8::1", undefined],
  [{ format: "ipv6" }, "::FFFF:192.0.2.1", undefined],
  [{ format: "iri" }, "https://例え.example/ü", undefined],
  [{ format: "url" }, "example", "must be a url"],
  [{ format: "uri-reference" }, "../a?b", undefined],
  [{ format: "uuid" }, "6ba7b810-9dad-11d1-80b4", "must be a uuid"],
])("%j", (schema, value, expected) => {
  expect(issues(schema, value)).toEqual(expected === undefined ? [] : [expected]);
});

test.each([
  ["a remote reference", { $ref: "https://elsewhere.example/s" }],
  ["a reference to nowhere", { properties: { a: { $ref: "#/$defs/x" } } }],
  ["no type of JSON", { type: "text" }],
  ["a property that is no schema", { properties: { a: "string" } }],
  ["a required that is no list", { required: "a" }],
  ["nesting without end", JSON.parse(`${'{"items":'.repeat(500)}{}${"}".repeat(500)}`)],
  ["a giant", { description: "x".repeat(300_000) }],
  [
    "a circle",
    (() => {
      const circle: Record<string, unknown> = {};
      circle["items"] = circle;
      return circle;
    })(),
  ],
  [
    "a schema of a library that cannot be turned",
    { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }) } },
  ],
])("refused at the door: %s", (_, schema) => {
  expect(toJsonSchema(schema as never)).toHaveProperty("problems");
});

test("keywords of other tools are let through, and schemas of zod become JSON Schema", () => {
  expect(toJsonSchema({ type: "object", example: 1, "x-order": 2 })).toHaveProperty("schema");
  expect(toJsonSchema({ type: "object", order: { first: 1 }, "x-form": { type: "string" } })).toHaveProperty("schema");
  const fields = {
    price: z.number().meta({ input: { type: "number" } }),
    size: { enum: ["S", "M"], input: { type: "array" } },
  };
  for (const field of Object.values(fields)) expect(toJsonSchema(field)).toHaveProperty("schema");
  expect(toJsonSchema({ $ref: "#/product", product: { type: "object" } })).toHaveProperty("schema");
  const read = toJsonSchema(z.object({ a: z.string().optional(), d: z.iso.date(), e: z.enum(["x", "y"]) }));
  expect(read).toMatchObject({ schema: { required: ["d", "e"], properties: { e: { enum: ["x", "y"] } } } });
});

test("flags of zod's regular expressions count", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const schema = z.object({
    code: z
      .string()
      .regex(/^[a-z]+$/i)
      .regex(/^.{2}$/su),
    plain: z.string().regex(/^[a-z]+$/),
  });
  const ask = async (answer: Record<string, string>) =>
    (await engineFor({ model: fakeModel(answer) }).scrape({ url, formats: ["json"], jsonOptions: { schema } })).data
      .json;
  expect(await ask({ code: "AB", plain: "ab" })).toEqual({ code: "AB", plain: "ab" });
  for (const answer of [
    { code: "A1", plain: "ab" },
    { code: "ABC", plain: "ab" },
    { code: "AB", plain: "AB" },
  ])
    expect(await ask(answer)).toBeNull();
});

test("dates that zod reads from text are asked for as text, and come as dates", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const model = fakeModel({ made: "2026-03-01", sold: null, seen: ["2026-03-02T10:00:00Z"] });
  const schema = z.object({
    made: z.coerce.date(),
    sold: z.coerce.date().optional(),
    seen: z.array(z.coerce.date()),
    sign: z.string().regex(/^k$/i).default("K"),
  });
  const ask = async () => engineFor({ model }).scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect((await ask()).data.json).toEqual({
    made: new Date("2026-03-01"),
    seen: [new Date("2026-03-02T10:00:00Z")],
    sign: "K",
  });
  expect(JSON.stringify(model.calls[0]?.schema)).toContain("date-time");
  for (const [bad, reason] of [
    [z.object({ a: z.coerce.date(), b: z.date() }), /z\.coerce\.date\(\)/],
    [z.object({ a: z.coerce.date(), b: z.bigint() }), /cannot be turned/],
    [z.object({ a: z.map(z.string(), z.coerce.date()) }), /cannot be turned/],
    [z.object({ a: z.instanceof(URL) }), /Custom types/],
  ] as const) {
    const read = toJsonSchema(bad);
    expect("problems" in read && read.problems[0]?.message).toMatch(reason);
  }
});

test("schemas that carry others under ids of their own", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const ask = async (schema: Record<string, unknown>, answer: object) =>
    (await engineFor({ model: fakeModel({ ...answer }) }).scrape({ url, formats: ["json"], jsonOptions: { schema } }))
      .data.json;
  const state = { definitions: { state: { enum: ["CA"] } }, properties: { state: { $ref: "#/definitions/state" } } };
  const bundle = (reference: string) => ({
    $id: "https://a.example/schemas/customer",
    type: "object",
    properties: { address: { $ref: reference } },
    $defs: { address: { $id: "/schemas/address", type: "object", ...state } },
    definitions: { state: { enum: ["another"] } },
  });
  for (const reference of ["/schemas/address", "address", "https://a.example/schemas/address", "#/$defs/address"]) {
    expect(await ask(bundle(reference), { address: { state: "CA" } })).toEqual({ address: { state: "CA" } });
    expect(await ask(bundle(reference), { address: { state: "another" } })).toBeNull();
  }
  const tree = {
    $id: "https://a.example/tree.json",
    properties: { kids: { items: { $ref: "tree.json#/definitions/a~1b" } }, leaf: { $ref: "tree.json#leaf" } },
    definitions: { "a/b": { type: "string" }, leaf: { $anchor: "leaf", type: "number" } },
  };
  expect(await ask(tree, { kids: ["a"], leaf: 1 })).toEqual({ kids: ["a"], leaf: 1 });
  expect(await ask(tree, { kids: ["a"], leaf: "b" })).toBeNull();
  await expect(ask(bundle("/schemas/other"), {})).rejects.toMatchObject({ code: "BAD_REQUEST" });
  // Every reference is resolved against the ids around it: long ones would cost a small schema seconds.
  const long = `https://a.example/${"a/".repeat(1000)}`;
  const parts = { $defs: { part: { $id: "part", type: "string" } }, properties: { part: { $ref: `${long}part` } } };
  await expect(ask({ $id: long, ...parts }, {})).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("a pointer from the root leads on inside a part with an id of its own, where that has no such place", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const part = { $id: "/properties/price", properties: { unit: { $ref: "#/definitions/unit" } } };
  const size = { ...part, $id: "/properties/size", definitions: { unit: { enum: ["cm"] } } };
  const schema = {
    $id: "https://a.example/product.json",
    type: "object",
    definitions: { unit: { enum: ["EUR"] } },
    properties: { price: part, size },
  };
  const ask = async (answer: object) =>
    (await engineFor({ model: fakeModel({ ...answer }) }).scrape({ url, formats: ["json"], jsonOptions: { schema } }))
      .data.json;
  expect(await ask({ price: { unit: "EUR" }, size: { unit: "cm" } })).not.toBeNull();
  expect(await ask({ price: { unit: "cm" } })).toBeNull();
  expect(await ask({ size: { unit: "EUR" } })).toBeNull();
});

test("null in a list of choices beside a type that has none leaves the field out", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const schema = { type: "object", properties: { colour: { type: "string", enum: ["red", null] } } };
  const engine = engineFor({ model: fakeModel({ colour: null }) });
  expect((await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } })).data.json).toEqual({});
});

test("null leaves a field out wherever the schema does not allow it", async () => {
  const size = { enum: ["S", "M"] };
  const schema = {
    properties: {
      size: { type: ["string", "null"], ...size },
      width: { type: "string", nullable: true, ...size },
      either: { anyOf: [size, { type: "null" }] },
      prices: { additionalProperties: { type: "number" } },
      pair: { prefixItems: [{ type: ["string", "null"] }], items: { type: "number" } },
    },
    additionalProperties: false,
  };
  const answer = { size: null, width: null, either: null, prices: { a: 1, b: null }, pair: [null, 1], more: null };
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: fakeModel(answer) });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect([data.json, data.warning]).toEqual([
    { width: null, either: null, prices: { a: 1 }, pair: [null, 1] },
    undefined,
  ]);
});

test("null is an answer where OpenAPI's nullable allows it, though a required choice does not name it", async () => {
  const size = { type: "string", enum: ["S", "M"], nullable: true };
  const schema = { type: "object", properties: { size, name: { type: "string" } }, required: ["size", "name"] };
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: fakeModel({ size: null, name: "Kettle" }) });
  const { data } = await engine.scrape({ url, formats: ["json"], jsonOptions: { schema } });
  expect([data.json, data.warning]).toEqual([{ size: null, name: "Kettle" }, undefined]);
});

test.each([
  [
    "references that grow",
    {
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [
          `d${i}`,
          { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
        ]).concat([["d40", { type: "string" }] as never]),
      ),
      $ref: "#/$defs/d0",
    },
    "x",
  ],
  ["a reference to itself", { $ref: "#" }, { a: 1 }],
  [
    "forms within forms",
    {
      $defs: {
        a: { anyOf: Array.from({ length: 30 }, () => ({ properties: { x: { $ref: "#/$defs/a" } }, required: ["y"] })) },
      },
      $ref: "#/$defs/a",
    },
    JSON.parse(`${'{"x":'.repeat(150)}1${"}".repeat(150)}`),
  ],
  ["a pattern that backtracks", { pattern: "^(a+)+$" }, `${"a".repeat(50_000)}!`],
  ["a pattern of repetitions", { pattern: "(((a{1,30}){1,30}){1,30})$" }, "a".repeat(20_000)],
  [
    "a pattern that begins anywhere in long texts",
    { items: { pattern: "a.{0,990}[^ab]" } },
    Array.from({ length: 5 }, (_, at) => "b".repeat(at) + "a".repeat(20_000)),
  ],
  ["many equal items", { uniqueItems: true }, Array.from({ length: 100_000 }, (_, i) => ({ i }))],
])("hostile: %s end soon", (_, schema, value) => {
  const started = cpuTime();
  check(schema as Record<string, unknown>, value);
  expect(cpuTime() - started).toBeLessThan(3000);
});

test("the strict form closes objects, lets every property be null, and drops what not every provider knows", () => {
  const schema = {
    type: "object",
    properties: {
      format: { type: "string", format: "uri", description: "Where" },
      n: { type: "integer", minimum: 1, exclusiveMaximum: 9, multipleOf: 2 },
      kind: { enum: ["a", "b"] },
      list: { type: "array", items: { $ref: "#/$defs/t" } },
    },
    required: ["n"],
    $defs: { t: { type: "string" } },
  };
  expect(strictForm(schema)).toEqual({
    type: "object",
    properties: {
      format: { type: ["string", "null"], description: 'Where – format: "uri"' },
      n: { type: ["integer", "null"], description: "minimum: 1, exclusiveMaximum: 9, multipleOf: 2" },
      kind: { type: ["string", "null"], enum: ["a", "b", null] },
      list: { type: ["array", "null"], items: { $ref: "#/$defs/t" } },
    },
    required: ["format", "n", "kind", "list"],
    additionalProperties: false,
    $defs: { t: { type: "string" } },
  });
  expect(strictForm({ type: "array", items: { type: "string" } })).toMatchObject({
    properties: { answer: { type: "array" } },
    required: ["answer"],
  });
  for (const loose of [
    { type: "object" },
    { type: "object", additionalProperties: { type: "string" } },
    { type: "array", prefixItems: [{ type: "string" }] },
  ])
    expect(strictForm(loose)).toBeNull();
});

test("nulls go where the schema has none, and the partial form demands nothing", async () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "string" },
      b: { type: ["string", "null"] },
      c: { type: "array", items: { type: "number" } },
      required: { type: "string" },
    },
    required: ["required"],
  };
  expect(await withoutNulls(schema, { a: null, b: null, c: [1, null], required: null })).toEqual({
    b: null,
    c: [1],
    required: null,
  });
  expect(partialForm(schema)).toEqual({ type: "object", properties: schema.properties });
  const forms = [{ required: ["a"] }, { required: ["b"] }];
  expect(issues(partialForm({ oneOf: forms, anyOf: [{ type: "object" }] }), {})).toEqual([]);
  expect(issues(partialForm({ oneOf: [{ type: "string" }], anyOf: [true] }), {})).toHaveLength(1);
  expect(issues(partialForm({ dependencies: { a: ["b"] } }), { a: 1 })).toEqual([]);
});

test.each([
  [{ name: "string", v: "number" }, []],
  [{ name: { type: "string" } }, []],
  [{ title: "string", price: "number" }, []],
  [{ type: "object", name: { type: "string" }, price: { type: "number" } }, []],
  [{ name: { type: "string" }, required: ["name"] }, []],
  [{ name: "product", strict: true, schema: { type: "object", properties: { name: { type: "string" } } } }, []],
  [{ type: "object", properties: { maker: { name: { type: "string" } } } }, ["properties", "maker"]],
])("a map of names, which would check nothing, is refused: %j", async (schema, path) => {
  const problem = {
    code: "invalid_schema",
    message: expect.stringMatching(
      /is no JSON Schema.*belong in "properties": \{"type": "object", "properties": \{"\w+"/,
    ),
  };
  const extracting = engineFor({ model: fakeModel({}) }).extract({ urls: ["https://a.example"], schema });
  await expect(extracting).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ ...problem, path: ["schema", ...path] }],
  });
});

test.each([z.object({ name: z.string() }), z.array(z.object({ name: z.string() })), z.string()])(
  "a schema of zod that was sent as JSON is refused, and how to send it is told",
  async (schema) => {
    const sent = JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
    const scrapeOptions = { formats: ["json" as const], jsonOptions: { schema: sent } };
    const crawling = engineFor({ model: fakeModel({}) }).crawl({ url: "https://a.example", scrapeOptions });
    await expect(crawling).rejects.toMatchObject({
      code: "BAD_REQUEST",
      details: [
        { path: ["scrapeOptions", "jsonOptions", "schema"], message: expect.stringContaining("z.toJSONSchema") },
      ],
    });
  },
);

test.each([
  {
    _def: { unknownKeys: "strip", catchall: { _def: { typeName: "ZodNever" } }, typeName: "ZodObject" },
    _cached: null,
  },
  { _def: { type: { _def: { checks: [], typeName: "ZodString" } }, minLength: null, typeName: "ZodArray" } },
  Object.assign(Object.create({ parse: () => undefined }), { _def: { checks: [], typeName: "ZodString" } }),
])("so is one of zod 3, which keeps nothing where keywords belong", async (schema) => {
  const extracting = engineFor({ model: fakeModel({}) }).extract({ urls: ["https://a.example"], schema });
  await expect(extracting).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ path: ["schema"], message: expect.stringContaining("zod 3; give one of zod 4") }],
  });
});

test("so is what is left of one of zod 4 in clients that convert those of zod 3 only", async () => {
  const schema = { $schema: "http://json-schema.org/draft-07/schema#" };
  const scraping = engineFor({ model: fakeModel({}) }).scrape({
    url: "https://a.example",
    formats: ["json"],
    jsonOptions: { schema },
  });
  await expect(scraping).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ path: ["jsonOptions", "schema"], message: expect.stringContaining("z.toJSONSchema") }],
  });
});

test.each([
  {},
  { $schema: "https://json-schema.org/draft/2020-12/schema" },
  { description: "anything" },
  { $comment: "x" },
  { "x-vendor": { a: 1 } },
  { example: { a: 1 } },
  { properties: { name: {}, type: { "x-order": 1 }, string: { example: 5 } } },
])("a schema of notes only accepts anything: %j", async (schema) => {
  expect(schemaProblems(schema)).toEqual([]);
});

test("what is checked in turns has the same faults as what is checked at once, and lists need not be short", async () => {
  const part = {
    type: "object",
    properties: { n: { type: "number" }, parts: { type: "array", items: { $ref: "#/$defs/part" } } },
  };
  const schema = { $defs: { part }, type: "object", properties: { all: { $ref: "#/$defs/part" } } };
  const value = { all: { parts: [{ n: 1 }, { n: 2, parts: [{ n: 3 }, { n: "4" }] }, 5, [6]] }, other: [{ n: "x" }] };
  expect(await checkInTurns(schema, value)).toEqual(check(schema, value));
  expect((await checkInTurns(schema, value)).map(({ path }) => path)).toEqual([
    "all.parts[1].parts[1].n",
    "all.parts[2]",
    "all.parts[3]",
  ]);
  const forms = Array.from({ length: 200 }, (_, at) => ({
    type: "object",
    properties: { kind: { const: at } },
    required: ["kind"],
  }));
  const kinds = Array.from({ length: 3000 }, (_, at) => ({ kind: at % 200 }));
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  expect(await checkInTurns({ type: "array", items: { anyOf: forms } }, kinds)).toEqual([]);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
});

test("a part of an answer need not meet conditions about the whole", () => {
  const partial = (schema: object, value: unknown) => issues(partialForm(schema as Record<string, unknown>), value);
  const conditions = JSON.parse(
    `{"if": {"required": ["name"]}, "then": {"properties": {"weight": {"type": "number"}}},
      "else": {"properties": {"weight": false}}}`,
  ) as object;
  expect(partial(conditions, { weight: 5 })).toEqual([]);
  expect(partial(conditions, { weight: "x" })).toHaveLength(1);
  const named = { properties: { name: {} }, unevaluatedProperties: false };
  expect(partial({ ...conditions, ...named }, { weight: 5 })).toEqual([]);
  expect(partial({ not: { required: ["a"] } }, { a: 1 })).toEqual([]);
  expect(partial({ items: { not: { required: ["a"] } } }, [{ a: 1 }])).toEqual([]);
  // A plain value is always whole.
  expect(partial({ properties: { a: { type: "string", not: { const: "N/A" } } } }, { a: "N/A" })).toHaveLength(1);
});

test("a schema of a library converts what it has validated", async () => {
  const { convert } = readSchema(z.object({ at: z.iso.datetime().transform((text) => new Date(text)) }));
  expect(await convert({ at: "2026-01-02T03:04:05Z" })).toEqual({ value: { at: new Date("2026-01-02T03:04:05Z") } });
  expect(await convert({ at: 1 })).toMatchObject({ issues: [{ path: "at" }] });
});

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const named = (count: number, value: unknown) =>
  Object.fromEntries(numbers(count).map((number) => [`n${number}`, value]));

/** Each takes minutes where the work grows with the schema times the value. */
test.each<[string, object, unknown, string | undefined]>([
  ["choices", { items: { enum: numbers(30_000) } }, numbers(30_000), undefined],
  ["one long choice", { items: { const: numbers(30_000) } }, numbers(10_000), "[0] must be [0,1,2,"],
  ["types", { items: { type: Array(20_000).fill("string") } }, numbers(30_000), "[0] must be string"],
  [
    "required names",
    { items: { required: Object.keys(named(20_000, 1)) } },
    Array(20_000).fill({}),
    "[0] must have n0",
  ],
  ["patterns of names", { patternProperties: named(10_000, true) }, named(10_000, 1), "takes too much work"],
  ["dependencies", { items: { dependentRequired: named(12_000, []) } }, Array(12_000).fill({}), "takes too much work"],
  ["comparisons", { anyOf: Array(8000).fill({ uniqueItems: true }) }, numbers(100_000), "takes too much work"],
  [
    "a large pattern",
    { items: { pattern: "(?:.*a){900}(?:.*a){900}b" } },
    Array(100).fill("ab".repeat(10_000)),
    undefined,
  ],
  [
    "patterns of large classes",
    { allOf: numbers(400).map((number) => ({ pattern: `${"\\p{L}".repeat(95)}${number}|word` })) },
    "word",
    "takes too much work",
  ],
  ["references in a row", { ...chainOf(2000), $ref: "#/$defs/n0" }, 1, "nests too deep"],
])("a schema of many %s takes a bounded time", (_, schema, value, problem) => {
  const started = cpuTime();
  const [first] = issues(schema, value).filter((issue) => problem === undefined || issue.includes(problem));
  if (problem === undefined) expect(first).toBeUndefined();
  else expect(first).toContain(problem);
  expect(cpuTime() - started).toBeLessThan(8000);
});

/** Schemas each of which refers to the next. */
function chainOf(length: number) {
  const refer = (number: number) => ({ allOf: [{ $ref: `#/$defs/n${number + 1}` }] });
  return {
    $defs: Object.fromEntries(
      numbers(length).map((number) => [`n${number}`, number + 1 < length ? refer(number) : {}]),
    ),
  };
}

test("nulls of many objects with many required names are looked through in a bounded time", async () => {
  const schema = { items: { required: Object.keys(named(20_000, 1)) } };
  expect(await withoutNulls(schema, Array(30_000).fill({ n1: null }))).toHaveLength(30_000);
}, 10_000);

test("nulls of an object with very many keys are looked through in turns", async () => {
  const value = named(100_000, null);
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  expect(await withoutNulls({ type: "object", additionalProperties: { type: "string" } }, value)).toEqual({});
  clearInterval(counting);
  expect(turns).toBeGreaterThan(3);
});

test("a job's schema is turned into JSON Schema once, however many parts of the call need it", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const engine = engineFor({ model: fakeModel({ name: "Kettle" }) });
  let times = 0;
  const schema = {
    "~standard": {
      version: 1,
      vendor: "counting",
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input() {
          times++;
          return { type: "object", properties: { name: { type: "string" } } };
        },
      },
    },
  } as const;
  const json = { formats: ["json"], jsonOptions: { schema } } as const;
  const counts: number[] = [];
  for (const start of [
    () => engine.crawl({ url, limit: 1, scrapeOptions: json }),
    () => engine.batchScrape({ urls: [url], ...json }),
    () => engine.extract({ urls: [url], schema }),
  ]) {
    times = 0;
    await (await start()).wait();
    counts.push(times);
  }
  expect(counts).toEqual([1, 1, 1]);
});

test("spaces in patterns are those of JavaScript, and long texts are looked through to their end", () => {
  const spaces = "\t\n\v\f\r \u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff";
  for (const pattern of ["^\\s+$", "^[\\s]+$", "^[^\\S]+$"]) expect(issues({ pattern }, spaces)).toEqual([]);
  for (const pattern of ["\\S", "[\\S]", "[^\\s]"]) {
    expect(issues({ pattern }, spaces)).toHaveLength(1);
    for (const sign of ["a", "-", "[", "\u0085", "\u200b", "\u{1F600}"]) expect(issues({ pattern }, sign)).toEqual([]);
  }
  expect(issues({ pattern: "^\\\\s$" }, "\\s")).toEqual([]);
  const long = "a".repeat(30_000);
  expect(issues({ pattern: "^a+b$" }, `${long}b`)).toEqual([]);
  expect(issues({ pattern: "^a+$" }, `${long}b`)).toEqual(["must match ^a+$"]);
});

test("null stays where the whole schema allows it, and only there", async () => {
  const nullable = { type: ["string", "null"] };
  const schema = {
    type: "object",
    properties: {
      both: { allOf: [nullable, { type: "string" }] },
      never: { not: { type: "null" } },
      chosen: { enum: ["a", null], allOf: [nullable] },
      free: { allOf: [nullable, {}] },
    },
  };
  const value = { both: null, never: null, chosen: null, free: null };
  expect(await withoutNulls(schema, value)).toEqual({ chosen: null, free: null });
});
