import { expect, test } from "vitest";
import { parse } from "../src/contract/parse.ts";
import { type ScrapeRequest, scrapeRequest } from "../src/contract/scrape.ts";
import { RequestError } from "../src/errors.ts";

const url = "https://a.example";

/** The options that come out, or the paths of the issues. */
function read(options: object) {
  try {
    return parse(scrapeRequest, { url, ...options }, "scrape request").scrapeOptions;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.details?.map(({ path }) => path.join("."));
  }
}

test("every default", () => {
  expect(parse(scrapeRequest, { url }, "scrape request")).toEqual({
    url,
    sourceURL: url,
    zeroDataRetention: false,
    scrapeOptions: {
      formats: ["markdown"],
      onlyMainContent: true,
      maxAge: 0,
      waitFor: 0,
      mobile: false,
      skipTlsVerification: false,
      timeout: 30_000,
      parsePDF: true,
      removeBase64Images: true,
      blockAds: true,
      proxy: "basic",
      storeInCache: true,
    },
  });
});

test.each<[keyof ScrapeRequest, unknown[], unknown[]]>([
  ["formats", [[], ["markdown", "html", "rawHtml", "links", "summary"]], [["pdf"], "markdown", [1], ["Markdown"]]],
  ["onlyMainContent", [true, false], ["true", 1, null]],
  ["includeTags", [[], ["article", ""]], ["article", [1], Array(201).fill("a"), ["a".repeat(1001)]]],
  ["excludeTags", [[], [".ad"]], [{}, [null], Array(201).fill("a")]],
  ["maxAge", [0, 1, 1e12], [-1, 0.5, "1", Number.POSITIVE_INFINITY]],
  ["waitFor", [0, 1, 15_000], [-1, 1.5, 15_001, 60_001]],
  ["mobile", [true, false], [1]],
  ["skipTlsVerification", [true, false], ["no"]],
  ["timeout", [1, 30_000, 2_147_483_647], [0, -1, 1.5, 2_147_483_648, "30000"]],
  ["parsePDF", [true, false], [["pdf"]]],
  ["removeBase64Images", [true, false], [0]],
  ["blockAds", [true, false], ["ads"]],
  ["proxy", ["basic", "stealth", "auto"], ["none", "http://proxy.example", true]],
  ["storeInCache", [true, false], ["x"]],
])("%s: what it accepts and refuses", (field, good, bad) => {
  for (const value of good) expect(read({ [field]: value })).toHaveProperty(field, value);
  for (const value of bad) {
    const paths = read({ [field]: value });
    expect(paths, JSON.stringify(value)).toBeInstanceOf(Array);
    for (const path of paths as string[]) expect(path.split(".")[0]).toBe(field);
  }
});

test("formats: all of them, each with what it needs", () => {
  const formats = [
    "markdown",
    "html",
    "rawHtml",
    "links",
    "screenshot",
    "json",
    "extract",
    "summary",
    "changeTracking",
  ];
  expect(read({ formats, jsonOptions: {}, extract: {} })).toMatchObject({
    formats: formats.filter((format) => format !== "extract"),
  });
  expect(read({ formats: ["screenshot@fullPage"] })).toMatchObject({ formats: ["screenshot@fullPage"] });
  expect(read({ formats: ["links", "markdown", "links"] })).toMatchObject({ formats: ["links", "markdown"] });
});

test.each<[object, string[]]>([
  [{ formats: ["screenshot", "screenshot@fullPage"] }, ["formats"]],
  [{ formats: ["screenshot", "screenshot"] }, ["formats"]],
  [{ formats: ["changeTracking"] }, ["formats"]],
  [{ formats: ["json"] }, ["jsonOptions"]],
  [{ formats: ["extract"] }, ["extract"]],
  [{ jsonOptions: {} }, ["formats"]],
  [{ extract: {} }, ["formats"]],
  [{ formats: ["json"], extract: {} }, ["jsonOptions", "formats"]],
  [
    { formats: ["json"], jsonOptions: { schema: 1, prompt: 2, systemPrompt: 3 } },
    ["jsonOptions.schema", "jsonOptions.systemPrompt", "jsonOptions.prompt"],
  ],
  [{ formats: ["json"], jsonOptions: { schema: [] } }, ["jsonOptions.schema"]],
  [{ waitFor: 600, timeout: 1000 }, ["waitFor"]],
  [
    { changeTrackingOptions: { modes: ["diff"], tag: 1, prompt: 1, schema: "s" } },
    [
      "changeTrackingOptions.modes.0",
      "changeTrackingOptions.schema",
      "changeTrackingOptions.prompt",
      "changeTrackingOptions.tag",
    ],
  ],
  // Half a character: a database would store both as the same tag.
  [{ changeTrackingOptions: { tag: "\ud800" } }, ["changeTrackingOptions.tag"]],
  [{ changeTrackingOptions: { tag: "a\0" } }, ["changeTrackingOptions.tag"]],
  [{ location: { country: "USA" } }, ["location.country"]],
  [{ location: { country: "d1" } }, ["location.country"]],
  [{ location: { country: "XX" } }, ["location.country"]],
  [{ location: { country: "eu" } }, ["location.country"]],
  [{ geolocation: { country: "ZZ" } }, ["geolocation.country"]],
  [{ location: { languages: "de" } }, ["location.languages"]],
  [{ location: { languages: ["de\r\nX: y"] } }, ["location.languages.0"]],
])("%j is refused at %j", (options, paths) => {
  expect(read(options)).toEqual(paths);
});

test("nothing is raised behind the caller's back", () => {
  expect(
    read({ formats: ["markdown", "json", "changeTracking"], jsonOptions: {}, proxy: "stealth", timeout: 8000 }),
  ).toMatchObject({ timeout: 8000, waitFor: 0, proxy: "stealth" });
  expect(read({ proxy: "auto", timeout: 30_000 })).toMatchObject({ timeout: 30_000 });
});

test("who takes UK for the code of a country is told that it is GB", () => {
  expect(() => parse(scrapeRequest, { url: "https://example.com", location: { country: "uk" } }, "request")).toThrow(
    "location.country must be the code of a country in ISO 3166-1; that of the United Kingdom is GB",
  );
});

test("location: the country defaults to US and is put in capitals; geolocation is its old name", () => {
  expect(read({ location: {} })).toMatchObject({ location: { country: "US" } });
  expect(read({ location: { country: "de", languages: ["de-CH", "fr"] } })).toMatchObject({
    location: { country: "DE", languages: ["de-CH", "fr"] },
  });
  expect(read({ geolocation: { country: "fr" } })).toMatchObject({ location: { country: "FR" } });
  const both = read({ location: { country: "de" }, geolocation: { country: "fr" } });
  expect(both).toMatchObject({ location: { country: "DE" } });
  expect(both).not.toHaveProperty("geolocation");
});

test("json goes before extract when both are asked for", () => {
  const both = read({ formats: ["extract", "json"], jsonOptions: { prompt: "a" }, extract: { prompt: "b" } });
  expect(both).toMatchObject({ formats: ["json"], jsonOptions: { prompt: "a" } });
  expect(both).not.toHaveProperty("extract");
  expect(read({ formats: ["extract"], extract: { prompt: "b" } })).toMatchObject({
    formats: ["extract"],
    extract: { prompt: "b" },
  });
});

test("changeTrackingOptions have defaults, and apply only with the format", () => {
  expect(read({ formats: ["markdown", "changeTracking"], changeTrackingOptions: {} })).toMatchObject({
    changeTrackingOptions: { modes: [], tag: null },
  });
  const options = { modes: ["json", "git-diff", "json"], schema: {}, prompt: "p", tag: "nightly" };
  expect(read({ formats: ["markdown", "changeTracking"], changeTrackingOptions: options })).toMatchObject({
    changeTrackingOptions: { ...options, modes: ["json", "git-diff"] },
  });
  expect(read({ changeTrackingOptions: options })).not.toHaveProperty("changeTrackingOptions");
});

test("actions and headers keep a page out of the cache", () => {
  expect(read({ headers: { cookie: "a=b" }, storeInCache: true })).toMatchObject({ storeInCache: false });
  expect(read({ actions: [{ type: "scrape" }] })).toMatchObject({ storeInCache: false });
  expect(read({ headers: {}, actions: [] })).toMatchObject({ storeInCache: true });
});

class Computed {
  get cookie() {
    return "a=b";
  }
}

test("headers: names in lower case, values as given", () => {
  expect(read({ headers: Object.assign(Object.create(null), { Cookie: "a=b" }) })).toMatchObject({
    headers: { cookie: "a=b" },
  });
  expect(read({ headers: Object.create(null) })).toMatchObject({ headers: {} });
  expect(read({ headers: { "User-Agent": "Me/1.0 (é)", COOKIE: "" } })).toMatchObject({
    headers: { "user-agent": "Me/1.0 (é)", cookie: "" },
  });
});

test.each<[unknown, string[]]>([
  ["a: b", ["headers"]],
  [["a", "b"], ["headers"]],
  [new Headers({ cookie: "a=b" }), ["headers"]],
  [new Map([["cookie", "a=b"]]), ["headers"]],
  [new Computed(), ["headers"]],
  [Object.create({ cookie: "a=b" }), ["headers"]],
  [{ a: 1, b: null, c: "ok" }, ["headers.a", "headers.b"]],
  [{ "a b": "x" }, ["headers"]],
  [{ "": "x" }, ["headers"]],
  [{ "x-a": "1\r\nx-b: 2" }, ["headers.x-a"]],
  [{ "x-a": "☃" }, ["headers.x-a"]],
  [{ "X-A": "1", "x-a": "2" }, ["headers.x-a"]],
  [{ "Content-Length": "5", connection: "close" }, ["headers.Content-Length", "headers.connection"]],
])("headers %j are refused", (headers, paths) => {
  expect(read({ headers })).toEqual(paths);
});

test("long texts and long lists of headers are refused", () => {
  expect(read({ headers: { cookie: "x".repeat(16_384) } })).toMatchObject({ storeInCache: false });
  expect(read({ headers: { cookie: "x".repeat(16_385) } })).toEqual(["headers.cookie"]);
  const many = (length: number) =>
    read({ headers: Object.fromEntries(Array.from({ length }, (_, at) => [`h${at}`, ""])) });
  expect(many(100)).toMatchObject({ storeInCache: false });
  expect(many(101)).toEqual(["headers"]);
  for (const field of ["prompt", "systemPrompt"]) {
    const at = (length: number) => read({ formats: ["json"], jsonOptions: { [field]: "x".repeat(length) } });
    expect(at(10_000)).toMatchObject({ formats: ["json"] });
    expect(at(10_001)).toEqual([`jsonOptions.${field}`]);
  }
});
