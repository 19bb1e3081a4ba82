/** The URLs of a site. */
import { expect, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { memoryStorage } from "../src/index.ts";
import { hostile } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const routes = {
  "/": page("home", ["/linked", "/docs/install?v=1", "https://elsewhere.example/"]),
  "/sitemap.xml": ({ url }: { url: URL }) =>
    `<urlset><url><loc>${url.origin}/listed</loc></url><url><loc>${url.origin}/docs/setup</loc></url></urlset>`,
};

test("a map unites the sitemap and the links of the page, and fetches no other page", async () => {
  const server = await site(routes);
  const { url } = server;
  const answer = await engineFor().map({ url });
  expect(answer).toEqual({
    success: true,
    links: [`${url}/`, `${url}/listed`, `${url}/docs/setup`, `${url}/linked`, `${url}/docs/install`],
  });
  expect(server.requests.get("/listed")).toBeUndefined();
});

test("its options", async () => {
  const { url } = await site(routes);
  const engine = engineFor();
  const links = async (options: object) => (await engine.map({ url, ...options })).links;
  expect(await links({ sitemapOnly: true })).toEqual([`${url}/listed`, `${url}/docs/setup`]);
  expect(await links({ ignoreSitemap: true })).toEqual([`${url}/`, `${url}/linked`, `${url}/docs/install`]);
  expect(await links({ ignoreQueryParameters: false })).toContain(`${url}/docs/install?v=1`);
  expect(await links({ allowExternalLinks: true })).toContain("https://elsewhere.example/");
  expect(await links({ limit: 2 })).toHaveLength(2);
  expect((await links({ search: "install docs" }))[0]).toBe(`${url}/docs/install`);
  expect(await links({ url: `${url}/docs` })).toEqual([`${url}/docs`, `${url}/docs/setup`]);
});

test("patterns and depth choose among the URLs as they do in a crawl", async () => {
  const { url } = await site(routes);
  const engine = engineFor();
  const links = async (options: object) => (await engine.map({ url, ...options })).links;
  expect(await links({ excludePaths: ["^/docs/"] })).toEqual([`${url}/`, `${url}/listed`, `${url}/linked`]);
  expect(await links({ includePaths: ["^/docs/"] })).toEqual([`${url}/docs/setup`, `${url}/docs/install`]);
  expect(await links({ includePaths: ["docs"], excludePaths: ["setup$"], limit: 1 })).toEqual([`${url}/docs/install`]);
  expect(await links({ excludePaths: ["v=1"] })).toContain(`${url}/docs/install`);
  expect(await links({ excludePaths: ["v=1"], regexOnFullURL: true })).not.toContain(`${url}/docs/install`);
  expect(await links({ maxDepth: 1 })).toEqual([`${url}/`, `${url}/listed`, `${url}/linked`]);
  expect(await links({ includePaths: ["^/none"] })).toEqual([]);
  await expect(links({ url: `${url}/a/b`, maxDepth: 1, includePaths: ["(?=a)"] })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ path: ["url"] }, { path: ["includePaths", 0] }],
  });
});

test("below a path lie the pages of subdomains too, unless they are let in as other sites", async () => {
  const server = await site({
    "/docs": ({ url: { port } }) =>
      page("docs", ["/docs/a", "/b", `http://sub.site.test:${port}/docs/c`, `http://sub.site.test:${port}/d`]),
  });
  const { port } = new URL(server.url);
  const engine = engineFor({ network: { lookup: async () => [{ address: "127.0.0.1", family: 4 }] } });
  const paths = async (options: object) => {
    const { links } = await engine.map({ url: `http://site.test:${port}/docs`, ignoreSitemap: true, ...options });
    return links.map((link) => new URL(link).pathname);
  };
  expect(await paths({})).toEqual(["/docs", "/docs/a", "/docs/c"]);
  expect(await paths({ filterByPath: false })).toEqual(["/docs", "/docs/a", "/b", "/docs/c", "/d"]);
  expect(await paths({ includeSubdomains: false })).toEqual(["/docs", "/docs/a"]);
  const external = { includeSubdomains: false, allowExternalLinks: true };
  expect(await paths(external)).toEqual(["/docs", "/docs/a", "/docs/c", "/d"]);
});

test("a page that cannot be had costs the sitemap nothing, whatever is asked for of it, but a warning says so", async () => {
  const { url } = await site({ ...routes, "/": hostile("/reset-before-headers") });
  const engine = engineFor();
  const { links, warning } = await engine.map({ url, includePaths: ["^/listed$"] });
  expect(links).toEqual([`${url}/listed`]);
  expect(warning).toMatch(/^The page could not be had, so URLs may be missing: The connection to 127\.0\.0\.1/);
  expect(await engine.map({ url, limit: 2 })).not.toHaveProperty("warning");
  expect(await engine.map({ url, sitemapOnly: true })).not.toHaveProperty("warning");
});

test("without their queries routes are listed once each", async () => {
  const links = ["/?a=1#/users", "/?b=2#/users", "/?c=3#/teams", "/?d=4#part"];
  const { url } = await site({ "/": page("home", links) });
  expect((await engineFor().map({ url })).links).toEqual([`${url}/`, `${url}/#/users`, `${url}/#/teams`]);
});

test.each([
  ["memory", () => memoryStorage()],
  ["SQLite", () => sqliteStorage({ path: ":memory:" })],
])("with useIndex pages of the site are listed that the team has scraped before: %s", async (_, create) => {
  const { url } = await site({ "/": page("home", ["/linked"]), "*": ({ url }) => page(url.pathname) });
  const elsewhere = await site({ "/": page("home") });
  const engine = engineFor({ storage: create() });
  await engine.scrape({ url: `${url}/hidden` });
  await engine.scrape({ url: `${elsewhere.url}/` });
  await engine.scrape({ url: `${url}/theirs` }, { team: "other" });
  await engine.scrape({ url: `${url}/secret`, zeroDataRetention: true });
  const links = async (options: object) => (await engine.map({ url, ...options })).links;
  expect(await links({ useIndex: true })).toEqual([`${url}/`, `${url}/linked`, `${url}/hidden`]);
  expect(await links({ useIndex: false })).toEqual([`${url}/`, `${url}/linked`]);
  expect(await links({ useIndex: true, sitemapOnly: true })).toEqual([]);
  const { index: _index, ...storage } = create();
  await expect(engineFor({ storage }).map({ url, useIndex: true })).rejects.toMatchObject({ code: "UNSUPPORTED" });
});

test("hundreds of small sitemaps", async () => {
  const days = Array.from({ length: 510 }, (_, day) => `/day/${day}`);
  const { url } = await site({
    "/sitemap.xml": `<sitemapindex>${days.map((day) => `<sitemap><loc>${day}.xml</loc></sitemap>`).join("")}</sitemapindex>`,
    "*": ({ url }) => `<urlset><url><loc>${url.pathname.replace(".xml", "")}</loc></url></urlset>`,
  });
  const { links } = await engineFor().map({ url, sitemapOnly: true });
  expect(links).toEqual(days.map((day) => url + day));
});

test("a map costs one credit, and nothing when it fails", async () => {
  const server = await site(routes);
  const engine = engineFor();
  await engine.map({ url: server.url });
  await expect(engine.map({ url: `${server.url}/`, timeout: 1 })).rejects.toMatchObject({
    code: "MAP_TIMEOUT",
    statusCode: 408,
  });
  const withPassword = `${server.url.replace("//", "//ann:secret@")}/`;
  await expect(engine.map({ url: withPassword, timeout: 1 })).rejects.toThrow(/^(?!.*secret).* within 1 ms$/);
  const { periods } = await engine.getCreditUsageHistorical();
  expect(periods).toMatchObject([{ totalCredits: 1 }]);
});

test("a map whose index does not answer ends in time, too", async () => {
  const { url } = await site(routes);
  const storage = memoryStorage();
  storage.index!.listUrls = () => new Promise(() => {});
  const call = engineFor({ storage }).map({ url, useIndex: true, timeout: 1000 });
  await expect(call).rejects.toMatchObject({ code: "MAP_TIMEOUT" });
});

test("a site that cannot be reached is an error", async () => {
  const server = await site({ "*": hostile("/reset-before-headers") });
  await expect(engineFor().map({ url: server.url })).rejects.toMatchObject({ code: "SCRAPE_SITE_ERROR" });
});

test.each([
  ["http://10.0.0.1/", "FORBIDDEN_ADDRESS"],
  ["http://nope.invalid/", "SCRAPE_DNS_RESOLUTION_ERROR"],
  ["http://127.0.0.1:1/", "SCRAPE_SITE_ERROR"],
])("with sitemapOnly, too, a site that cannot be reached is an error, and costs nothing: %s", async (url, code) => {
  const lookup = async () => {
    throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" });
  };
  const engine = engineFor({ network: { lookup } });
  await expect(engine.map({ url, sitemapOnly: true })).rejects.toMatchObject({ code });
  expect((await engine.getCreditUsageHistorical()).periods).toEqual([]);
});

test("with sitemapOnly, a site without a sitemap has no URLs", async () => {
  const { url } = await site({ "/robots.txt": hostile("/reset-before-headers") });
  expect((await engineFor().map({ url, sitemapOnly: true })).links).toEqual([]);
});

test("what the index knows of a site is listed although its page cannot be had", async () => {
  let isGone = false;
  const reset = hostile("/reset-before-headers");
  const { url } = await site({
    "/known": page("known"),
    "*": (exchange) => (isGone ? reset(exchange) : page("other")),
  });
  const engine = engineFor();
  await engine.scrape({ url: `${url}/known` });
  isGone = true;
  const { links } = await engine.map({ url, ignoreSitemap: true, useIndex: true });
  expect(links).toContain(`${url}/known`);
});

test("with search words, the best is found however late it comes", async () => {
  const late = [...Array.from({ length: 600 }, (_, number) => `/${number}`), "/kettle"];
  const { url } = await site({
    "/": page("home"),
    "/sitemap.xml": ({ url }) => late.map((path) => url.origin + path).join("\n"),
  });
  expect((await engineFor().map({ url, search: "kettle", limit: 1 })).links).toEqual([`${url}/kettle`]);
});
