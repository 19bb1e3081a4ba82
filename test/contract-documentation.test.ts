/** The manual of a field is its doc comment. What it says about defaults must be what the schema, or the engine, does. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { batchScrapeRequest } from "../src/contract/batch-scrape.ts";
import { callContext } from "../src/contract/call-context.ts";
import { crawlRequest } from "../src/contract/crawl.ts";
import { extractRequest } from "../src/contract/extract.ts";
import { statusPage } from "../src/contract/job.ts";
import { mapRequest } from "../src/contract/map.ts";
import { parse } from "../src/contract/parse.ts";
import { scrapeRequest } from "../src/contract/scrape.ts";
import { searchRequest } from "../src/contract/search.ts";
import { usageQuery } from "../src/contract/usage.ts";
import { webhook } from "../src/contract/webhook.ts";
import { networkDefaults } from "../src/network-options.ts";
import { defaultBrowser, defaultLimits, defaultPricing, defaultWebhooks } from "../src/options.ts";

const url = "https://a.example";

interface DocumentedField {
  readonly name: string;
  readonly comment: string;
  readonly default?: unknown;
}

/** The fields of an interface in a file below `src`, with what their comments say. */
function documented(file: string, interfaceName: string): DocumentedField[] {
  const source = readFileSync(new URL(`../src/${file}.ts`, import.meta.url), "utf8");
  const body = new RegExp(`interface ${interfaceName}\\b[\\s\\S]*?\\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1];
  if (body === undefined) throw new Error(`no interface ${interfaceName} in ${file}`);
  return [...body.matchAll(/(?: {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)? {2}(?:readonly )?(\w+)\??:/g)].map(
    ([, comment = "", name]) => {
      const said = /@default (".*"|\[.*\]|\S+)/.exec(comment)?.[1];
      return { name: name!, comment, ...(said === undefined ? {} : { default: defaultOf(said) }) };
    },
  );
}

/** Some defaults are told in words. */
function defaultOf(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}

/** Fields without a default of their own in the parsed request; `ignoreInvalidURLs` decides about `urls` and is gone. */
const usedUp = ["urls", "ignoreInvalidURLs", "scrapeOptions"];

const scraped = (request: object) => parse(scrapeRequest, { url, ...request }, "request").scrapeOptions;
const action = (type: string, more: object = {}) => scraped({ actions: [{ type, ...more }] }).actions?.[0];

test.each<[file: string, interfaceName: string, parsed: object | undefined, given: string[]]>([
  ["scrape-options", "ScrapeOptions", scraped({}), []],
  ["scrape", "ScrapeRequest", parse(scrapeRequest, { url }, "request"), ["url", "sourceURL", "scrapeOptions"]],
  [
    "crawl",
    "CrawlRequest",
    parse(crawlRequest({ maxPagesPerJob: 10_000 }), { url }, "request"),
    ["url", "scrapeOptions", "pagesAsked"],
  ],
  ["batch-scrape", "BatchScrapeRequest", parse(batchScrapeRequest, { urls: [] }, "request"), usedUp],
  ["extract", "ExtractRequest", parse(extractRequest, { urls: [url] }, "request"), usedUp],
  ["search", "SearchRequest", parse(searchRequest, { query: "a" }, "request"), ["query", "scrapeOptions"]],
  ["search", "SearchScrapeOptions", { formats: parse(searchRequest, { query: "a" }, "r").scrapeOptions.formats }, []],
  ["map", "MapRequest", parse(mapRequest(), { url }, "request"), ["url"]],
  ["webhook", "Webhook", parse(webhook("crawl"), url, "request"), ["url"]],
  ["location", "LocationOptions", scraped({ location: {} }).location, []],
  [
    "model-options",
    "ChangeTrackingOptions",
    scraped({ formats: ["markdown", "changeTracking"], changeTrackingOptions: {} }).changeTrackingOptions,
    [],
  ],
  ["usage", "UsageQuery", parse(usageQuery, {}, "request"), []],
  ["call-context", "CallContext", parse(callContext, {}, "request"), []],
  ["job", "StatusPage", parse(statusPage, {}, "request"), []],
  ["actions", "ClickAction", action("click", { selector: "a" }), ["type", "selector"]],
  ["actions", "ScreenshotAction", action("screenshot"), ["type"]],
  ["actions", "ScrollAction", action("scroll"), ["type"]],
  ["actions", "PdfAction", action("pdf"), ["type"]],
])("%s: the defaults of %s are what its comments say", (file, interfaceName, parsed, given) => {
  const fields = documented(`contract/${file}`, interfaceName);
  expect(fields).not.toEqual([]);
  for (const { name, comment } of fields) if (name !== "type") expect(comment, `${name} has no comment`).not.toBe("");

  const said = fields.filter((field) => "default" in field && !given.includes(field.name));
  const real = Object.entries(parsed ?? {}).filter(([name, value]) => value !== undefined && !given.includes(name));
  expect(Object.fromEntries(said.map((field) => [field.name, field.default]))).toEqual(Object.fromEntries(real));
});

test.each<[file: string, interfaceName: string, real: object]>([
  ["options", "Limits", defaultLimits],
  ["options", "Pricing", defaultPricing],
  ["options", "WebhookOptions", defaultWebhooks],
  ["options", "BrowserOptions", defaultBrowser],
  ["network-options", "NetworkOptions", networkDefaults],
])("%s: the defaults of the host's %s are what its comments say", (file, interfaceName, real) => {
  const fields = documented(file, interfaceName).filter(({ name }) => name in real);
  expect(Object.fromEntries(fields.map((field) => [field.name, field.default]))).toEqual(real);
});

test("the reasons for which a crawl leaves URLs out are all in the manual", () => {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const reasons = [...read("src/frontier/scope-reasons.ts").matchAll(/\| "(\w+)"/g)].map(([, reason]) => reason!);
  expect(reasons).toContain("EXTERNAL");
  // Those of robots.txt have a list of their own.
  for (const reason of [...reasons.filter((reason) => reason !== "ROBOTS"), "LIMIT"]) {
    expect(read("docs/operations.md")).toContain(`\`${reason}\``);
    expect(read("src/contract/job.ts")).toContain(`\`${reason}\``);
  }
});
