import { describe, expect, test } from "vitest";
import { mapRequest } from "../src/contract/map.ts";
import { parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { searchRequest } from "../src/contract/search.ts";
import { parseTimeFilter } from "../src/contract/time-filter.ts";
import { faults } from "./contract-faults.ts";

const url = "https://a.example";

type Row = [field: string, good: unknown[], bad: unknown[]];

describe("search", () => {
  test("every default", () => {
    expect(parse(searchRequest, { query: "kettles" }, "search")).toEqual({
      query: "kettles",
      limit: 5,
      lang: "en",
      country: "us",
      timeout: 60_000,
      ignoreInvalidURLs: false,
      scrapeOptions: { ...parse(scrapeRequest, { url }, "scrape").scrapeOptions, formats: [] },
    });
  });

  test.each<Row>([
    ["query", ["a", '"b c" -d site:e.example'], [undefined, "", "  ", 1, "x".repeat(4097)]],
    ["limit", [1, 100], [0, 101, 1.5, "5"]],
    ["tbs", ["qdr:d"], ["", "qdr:x", 1]],
    ["location", ["Berlin,Berlin,Germany"], ["", 1, "x".repeat(201)]],
    ["lang", ["de", "pt-BR"], ["", "german", "d", 1]],
    ["country", ["de", "DE"], ["", "deu", 1]],
    ["filter", ["x"], [1, "x".repeat(201)]],
    ["timeout", [1], [0, 1.5, 2_147_483_648]],
    ["ignoreInvalidURLs", [true, false], ["x"]],
    ["scrapeOptions", [{ formats: ["markdown", "links", "screenshot"] }], [{ formats: ["summary"] }, { nope: 1 }]],
  ])("%s: what it accepts and refuses", (field, good, bad) => {
    for (const value of good) expect(faults(searchRequest, { query: "a", [field]: value })).toEqual([]);
    for (const value of bad) {
      const found = faults(searchRequest, { query: "a", [field]: value });
      expect(found, JSON.stringify(value)).not.toEqual([]);
      for (const path of found) expect(path.split(".")[0]).toBe(field);
    }
  });

  test("results can be scraped into every format but summary and changeTracking", () => {
    const at = (formats: string[], more = {}) =>
      faults(searchRequest, { query: "a", scrapeOptions: { formats, ...more } });
    expect(at(["markdown", "html", "rawHtml", "links", "screenshot@fullPage", "json"], { jsonOptions: {} })).toEqual(
      [],
    );
    expect(at(["markdown", "changeTracking", "summary"])).toEqual([
      "scrapeOptions.formats.1",
      "scrapeOptions.formats.2",
    ]);
  });
});

test.each([
  ["qdr:h", { past: "hour" }],
  ["qdr:d", { past: "day" }],
  ["qdr:w", { past: "week" }],
  ["qdr:m", { past: "month" }],
  ["qdr:y", { past: "year" }],
  ["cdr:1,cd_min:12/01/2024,cd_max:12/31/2024", { from: "2024-12-01", to: "2024-12-31" }],
  ["cdr:1,cd_min:2/29/2024,cd_max:2/29/2024", { from: "2024-02-29", to: "2024-02-29" }],
  ["cdr:1,cd_min:02/29/2023,cd_max:12/31/2024", null],
  ["cdr:1,cd_min:13/01/2024,cd_max:12/31/2024", null],
  ["cdr:1,cd_min:00/10/2024,cd_max:12/31/2024", null],
  ["cdr:1,cd_min:04/31/2024,cd_max:12/31/2024", null],
  ["cdr:1,cd_min:12/31/2024,cd_max:12/01/2024", null],
  ["cdr:1,cd_min:2024-12-01,cd_max:2024-12-31", null],
  ["cdr:1,cd_min:12/01/2024", null],
  ["qdr:d,sbd:1", null],
  ["QDR:D", null],
  ["", null],
])("the time filter %j means %j", (tbs, meaning) => {
  expect(parseTimeFilter(tbs)).toEqual(meaning);
  expect(faults(searchRequest, { query: "a", tbs })).toEqual(meaning === null ? ["tbs"] : []);
});

describe("map", () => {
  test("every default", () => {
    expect(parse(mapRequest(), { url: "a.example" }, "map")).toEqual({
      url: "http://a.example",
      limit: 5000,
      ignoreSitemap: false,
      sitemapOnly: false,
      includeSubdomains: true,
      ignoreQueryParameters: true,
      filterByPath: true,
      allowExternalLinks: false,
      excludePaths: [],
      includePaths: [],
      regexOnFullURL: false,
      useIndex: false,
    });
  });

  test.each<Row>([
    ["url", [url], [undefined, "", 1]],
    ["search", ["", "blue kettles"], [1, "x".repeat(2001)]],
    ["limit", [1, 30_000], [0, 30_001, 1.5]],
    ["ignoreSitemap", [true, false], [1]],
    ["sitemapOnly", [true, false], [1]],
    ["includeSubdomains", [true, false], [1]],
    ["ignoreQueryParameters", [true, false], [1]],
    ["filterByPath", [true, false], [1]],
    ["allowExternalLinks", [true, false], [1]],
    ["excludePaths", [[], ["^/a"]], ["^/a", 1]],
    ["includePaths", [[], ["^/a"]], ["^/a", 1]],
    ["regexOnFullURL", [true, false], [1]],
    ["maxDepth", [0, 3], [-1, 1.5]],
    ["useIndex", [true, false], [1]],
    ["timeout", [1], [0, 1.5]],
  ])("%s: what it accepts and refuses", (field, good, bad) => {
    for (const value of good) expect(faults(mapRequest(), { url, [field]: value })).toEqual([]);
    for (const value of bad) expect(faults(mapRequest(), { url, [field]: value })).toEqual([field]);
  });

  test("only the sitemap, and not the sitemap, contradict each other", () => {
    expect(faults(mapRequest(), { url, sitemapOnly: true, ignoreSitemap: true })).toEqual(["sitemapOnly"]);
  });
});
