/** A crawl through the public door: which pages it takes, what it leaves out and why, and what it reports. */
import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { memoryStorage, type RequestError } from "../src/index.ts";
import { hostile, type TestExchange } from "../src/testing/index.ts";
import { certificate, httpServer, httpsServer } from "./network-server.ts";
import { engineFor, noPage, page, paths, site } from "./start-engine.ts";

test("a crawl takes each linked page once and reports what it did", async () => {
  const { url } = await site({
    "/": page("home", ["/a", "/b", "/a#part", "/a?utm_source=x", "https://elsewhere.example/"]),
    "/a": page("a", ["/b", "/"]),
    "/b": page("b", ["/missing"]),
    "/missing": { status: 404, body: page("missing") },
  });
  const job = await engineFor().crawl({ url });
  expect(JSON.parse(JSON.stringify(job))).toEqual({
    success: true,
    id: job.id,
    url: `crawlcore://engine/v1/crawl/${job.id}`,
  });
  const status = await job.wait();
  expect(status).toMatchObject({ status: "completed", total: 4, completed: 4, creditsUsed: 4, next: null });
  expect(paths(status.data)).toEqual(["/", "/a", "/b", "/missing"]);
  const missing = status.data.find(({ metadata }) => metadata.statusCode === 404);
  expect(missing?.metadata.error).toBe("Not Found");
});

test("every URL left out has a reason", async () => {
  const { url } = await site({
    "/": page("home", [
      "/private/a",
      "/x.png",
      "/blog/a",
      "/docs/a",
      "/docs/a/b/c",
      "https://elsewhere.example/",
      "mailto:a@b.c",
    ]),
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private/" },
    "/docs/a": page("docs a"),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, excludePaths: ["^/blog/"], maxDepth: 2 });
  const { data } = await job.wait();
  expect(paths(data)).toEqual(["/", "/docs/a"]);
  const { robotsBlocked, skipped, errors } = await engine.getCrawlErrors(job.id);
  expect(errors).toEqual([]);
  expect(robotsBlocked).toEqual([`${url}/private/a`]);
  expect(Object.fromEntries(skipped.map((left) => [left.url.replace(url, ""), left.reason]))).toEqual({
    "/x.png": "FILE_TYPE",
    "/blog/a": "EXCLUDED",
    "/docs/a/b/c": "MAX_DEPTH",
    "https://elsewhere.example/": "EXTERNAL",
  });
});

test("limit counts results: what was filtered, disallowed or a duplicate does not use it up", async () => {
  const links = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? `/skip/${index}` : `/p/${index}`));
  const { url } = await site({ "/": page("home", links), "*": ({ url }) => page(url.pathname) });
  const engine = engineFor();
  const job = await engine.crawl({ url, limit: 8, excludePaths: ["^/skip/"] });
  const status = await job.wait();
  expect(status).toMatchObject({ total: 8, completed: 8, creditsUsed: 8 });
  expect(status.data).toHaveLength(8);
  const { skipped } = await engine.getCrawlErrors(job.id);
  expect(skipped.filter(({ reason }) => reason === "LIMIT")).toHaveLength(8);
});

test("sitemaps bring pages that nothing links to", async () => {
  const { url } = await site({
    "/": page("home"),
    "/robots.txt": ({ url }) => ({
      body: `Sitemap: ${url.origin}/maps/index.xml`,
      headers: { "content-type": "text/plain" },
    }),
    "/maps/index.xml": ({ url }) => ({
      body: `<sitemapindex><sitemap><loc>${url.origin}/maps/one.xml</loc></sitemap><sitemap><loc>${url.origin}/maps/index.xml</loc></sitemap></sitemapindex>`,
    }),
    "/maps/one.xml": ({ url }) => ({ body: `<urlset><url><loc>${url.origin}/hidden</loc></url></urlset>` }),
    "/hidden": page("hidden"),
  });
  const engine = engineFor();
  const withSitemap = await (await engine.crawl({ url })).wait();
  expect(paths(withSitemap.data)).toEqual(["/", "/hidden"]);
  const without = await (await engine.crawl({ url, ignoreSitemap: true })).wait();
  expect(paths(without.data)).toEqual(["/"]);
});

test("a crawl that starts at a sitemap takes the pages that it lists, but not its style sheet", async () => {
  const server = await site({
    "/sitemap.xml": ({ url: { origin } }) => ({
      headers: { "content-type": "application/xml" },
      body: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${origin}/style/sitemap.xsl"?>
        <!DOCTYPE urlset SYSTEM "${origin}/sitemap.dtd"><!-- made by ${origin}/generator -->
        <!-- a -> ${origin}/c <url><loc>${origin}/d</loc></url> -->
        <urlset><url><loc>${origin}/a</loc></url><url><loc><![CDATA[${origin}/b]]></loc></url></urlset>`,
    }),
    "*": page("Listed"),
  });
  const job = await engineFor().crawl({ url: `${server.url}/sitemap.xml`, ignoreSitemap: true });
  expect(paths((await job.wait()).data)).toEqual(["/a", "/b", "/sitemap.xml"]);
});

test("who does not obey robots.txt still gets the sitemaps that it names", async () => {
  const { url } = await site({
    "/": page("home"),
    "/robots.txt": ({ url }) => ({
      headers: { "content-type": "text/plain" },
      body: `user-agent: *\ndisallow: /p\nsitemap: ${url.origin}/custom.xml`,
    }),
    "/custom.xml": ({ url }) =>
      `<urlset><url><loc>${url.origin}/p</loc></url><url><loc>${url.origin}/c</loc></url></urlset>`,
    "/p": page("p"),
    "/c": page("c"),
  });
  const crawl = async (ignoreRobotsTxt: boolean, options = {}) =>
    paths((await (await engineFor(options).crawl({ url, ignoreRobotsTxt })).wait()).data);
  expect(await crawl(false)).toEqual(["/", "/c"]);
  expect(await crawl(true)).toEqual(["/", "/c", "/p"]);
  expect(await crawl(false, { robots: "ignore" })).toEqual(["/", "/c", "/p"]);
});

test("a sitemap may be larger than a page", async () => {
  const { url } = await site({
    "/": page("home"),
    "/sitemap.xml": ({ url }) => {
      const body = `<urlset>${"<url/>".repeat(20_000)}<url><loc>${url.origin}/listed</loc></url></urlset>`;
      return { headers: { "content-length": String(body.length) }, body };
    },
    "*": page("more"),
  });
  const engine = engineFor({ network: { maxBodyBytes: 100_000 } });
  expect(paths((await (await engine.crawl({ url })).wait()).data)).toEqual(["/", "/listed"]);
});

test("a sitemap of thousands of entries is read up to the limit", async () => {
  const { url } = await site({
    "/sitemap.xml": hostile("/sitemap/20000"),
    "/": page("home"),
    "*": ({ url }) => page(url.pathname),
  });
  const status = await (await engineFor().crawl({ url, limit: 50 })).wait();
  expect(status.data).toHaveLength(50);
});

test("only pages below the start are followed, unless the whole domain is asked for", async () => {
  const { url } = await site({
    "/docs": page("docs", ["/docs/a", "/docs-old", "/other"]),
    "*": ({ url }) => page(url.pathname, ["/docs"]),
  });
  const engine = engineFor();
  const below = await (await engine.crawl({ url: `${url}/docs` })).wait();
  expect(paths(below.data)).toEqual(["/docs", "/docs/a"]);
  const all = await (await engine.crawl({ url: `${url}/docs`, crawlEntireDomain: true })).wait();
  expect(paths(all.data)).toEqual(["/docs", "/docs-old", "/docs/a", "/other"]);
});

test("user name and password of the start hold for its origin, and for no other", async () => {
  const other = await site({ "*": ({ request }) => page(String(request.headers.authorization)) });
  const { url } = await site({
    "*": ({ request, url }) =>
      request.headers.authorization === "Basic dTpw" ? page(url.pathname, ["/a", `${other.url}/b`]) : { status: 401 },
  });
  const job = await engineFor().crawl({ url: url.replace("//", "//u:p@"), allowExternalLinks: true });
  const { data } = await job.wait();
  expect(data.map(({ metadata }) => [metadata.statusCode, metadata.title])).toEqual(
    expect.arrayContaining([
      [200, "/"],
      [200, "/a"],
      [200, "undefined"],
    ]),
  );
  expect(data).toHaveLength(3);
});

test("the caller's headers are for the site of the start, and for no other", async () => {
  const names = ["authorization", "cookie", "x-key", "user-agent"];
  const told = ({ request }: Pick<TestExchange, "request">) =>
    page(names.map((name) => request.headers[name] ?? "").join(" "));
  const other = await site({ "*": told });
  const { url } = await site({ "/": page("home", ["/a", `${other.url}/b`]), "*": told });
  const headers = { Authorization: "Bearer secret", Cookie: "id=1", "X-Key": "k", "User-Agent": "Agent/1" };
  const job = await engineFor().crawl({ url, allowExternalLinks: true, scrapeOptions: { headers } });
  const { data } = await job.wait();
  const titles = Object.fromEntries(data.map(({ metadata: { url = "", title } }) => [new URL(url).pathname, title]));
  expect(titles).toEqual({ "/": "home", "/a": "Bearer secret id=1 k Agent/1", "/b": "Agent/1" });
});

test("the caller's headers for a secure site are not sent where everybody on the way can read them", async () => {
  const told = ({ headers }: Pick<IncomingMessage, "headers">) => page(headers["x-key"] === "k" ? "told" : "not told");
  const open = await httpServer((request, response) => void response.end(told(request)));
  const link = open.url("/b", "a.secure.test");
  const secure = await httpsServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/" ? page("home", ["/a", link]) : told(request));
  });
  const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
  const job = await engineFor({ network: { lookup, ca: certificate } }).crawl({
    url: secure.url("/", "secure.test"),
    allowSubdomains: true,
    scrapeOptions: { headers: { "X-Key": "k" } },
  });
  const { data } = await job.wait();
  const titles = Object.fromEntries(data.map(({ metadata: { url = "", title } }) => [new URL(url).pathname, title]));
  expect(titles).toEqual({ "/": "home", "/a": "told", "/b": "not told" });
});

test("a host below a public suffix is another site, also for the suffix itself", async () => {
  const { url } = await site({
    "/": ({ url }) => page("home", [`http://council.gov.uk:${url.port}/b`]),
    "/b": ({ request }) => page(String(request.headers["x-key"])),
  });
  const engine = engineFor({ network: { lookup: async () => [{ address: "127.0.0.1", family: 4 }] } });
  const start = { url: url.replace("127.0.0.1", "www.gov.uk"), scrapeOptions: { headers: { "X-Key": "k" } } };
  const among = await (await engine.crawl({ ...start, allowSubdomains: true })).wait();
  expect(paths(among.data)).toEqual(["/"]);
  const beyond = await (await engine.crawl({ ...start, allowExternalLinks: true })).wait();
  expect(beyond.data.map(({ metadata: { title } }) => title)).toEqual(["home", "undefined"]);
});

test("the caller's headers go along where a redirect stays within the site, and nowhere else", async () => {
  const { url } = await site({
    "*": ({ request, url }) => {
      const { host = "" } = request.headers;
      const to = (name: string) => ({
        status: 301,
        headers: { location: `http://${name}:${url.port}${url.pathname}` },
      });
      if (url.pathname.endsWith(".txt") || url.pathname.endsWith(".xml")) return { status: 404 };
      if (host.startsWith("site.test")) return to("www.site.test");
      if (url.pathname !== "/" && host.startsWith("www.")) return to("other.test");
      if (url.pathname === "/back" && host.startsWith("other.")) return to("sub.site.test");
      return page(String(request.headers["x-key"]), ["/away", "/back"]);
    },
  });
  const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
  const engine = engineFor({ network: { lookup } });
  const job = await engine.crawl({
    url: url.replace("127.0.0.1", "site.test"),
    allowExternalLinks: true,
    scrapeOptions: { headers: { "X-Key": "k" } },
  });
  const titles = (await job.wait()).data.map(({ metadata }) => [
    new URL(metadata.url ?? "").host.split(":")[0],
    metadata.title,
  ]);
  expect(titles.sort()).toEqual([
    ["other.test", "undefined"],
    ["sub.site.test", "k"],
    ["www.site.test", "k"],
  ]);
});

test("the query of a link is asked for in the encoding of its page, as browsers do; its path is UTF-8", async () => {
  const { url, requests } = await site({
    "/": {
      headers: { "content-type": "text/html; charset=gbk" },
      // `?key=手机` and `?key=한`, the latter of which the encoding lacks.
      body: Buffer.from(page("home", ["/list?key=\xca\xd6\xbb\xfa&n=1#a", "/\xca\xd6?k=&#xd55c;"]), "latin1"),
    },
    "*": page("list"),
  });
  const status = await (await engineFor().crawl({ url, ignoreSitemap: true })).wait();
  expect(status.completed).toBe(3);
  expect([...requests.keys()]).toEqual(
    expect.arrayContaining(["/list?key=%CA%D6%BB%FA&n=1", "/%E6%89%8B?k=%26%2354620%3B"]),
  );
});

test("maxDiscoveryDepth counts links from the start", async () => {
  const { url } = await site({
    "*": ({ url }) => page(url.pathname, [`/${Number(url.pathname.slice(1)) + 1}`]),
    "/": page("home", ["/1"]),
  });
  const status = await (await engineFor().crawl({ url, maxDiscoveryDepth: 2 })).wait();
  expect(paths(status.data)).toEqual(["/", "/1", "/2"]);
});

test("the depth of a page is that of the shortest way to it, however long its pages take", async () => {
  const { url } = await site({
    "/": page("home", ["/slow", "/quick"]),
    "/slow": { body: page("slow", ["/met"]), delay: 500 },
    "/quick": page("quick", ["/detour"]),
    "/detour": page("detour", ["/met"]),
    "/met": page("met", ["/last"]),
    "/last": page("last", ["/beyond"]),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, maxDiscoveryDepth: 3, ignoreSitemap: true });
  expect(paths((await job.wait()).data)).toEqual(["/", "/detour", "/last", "/met", "/quick", "/slow"]);
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([
    { url: `${url}/beyond`, reason: "MAX_DISCOVERY_DEPTH" },
  ]);
});

test("pages of the sitemap have depth 0, also those that a link led to first", async () => {
  const { url } = await site({
    "/": page("home", ["/a"]),
    "/a": page("a", ["/b"]),
    "/b": page("b", ["/c"]),
    "/sitemap.xml": async ({ url }) => {
      await delay(500);
      return `<urlset><url><loc>${url.origin}/a</loc></url></urlset>`;
    },
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, maxDiscoveryDepth: 1 });
  expect(paths((await job.wait()).data)).toEqual(["/", "/a", "/b"]);
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([{ url: `${url}/c`, reason: "MAX_DISCOVERY_DEPTH" }]);
});

test("a page of the sitemap is worked on before deeper ones, however few pages are worked on at once", async () => {
  const { url } = await site({
    "/": page("home", ["/a"]),
    "/a": page("a", ["/t"]),
    "/s": page("s", ["/t"]),
    "/t": page("t", ["/leaf"]),
    "/leaf": page("leaf"),
    "/sitemap.xml": ({ url }) => `<urlset><url><loc>${url.origin}/s</loc></url></urlset>`,
  });
  const job = await engineFor().crawl({ url, maxDiscoveryDepth: 2, maxConcurrency: 1 });
  expect(paths((await job.wait()).data)).toEqual(["/", "/a", "/leaf", "/s", "/t"]);
});

test("a page that has to be tried again does not make those that it leads to deeper", async () => {
  let asked = 0;
  const { url } = await site({
    "/": page("home", ["/a", "/b"]),
    "/a": () => (asked++ === 0 ? { status: 503, body: page("busy") } : page("a", ["/t"])),
    "/b": page("b", ["/c"]),
    "/c": page("c", ["/t"]),
    "/t": page("t", ["/leaf"]),
    "/leaf": page("leaf"),
  });
  const job = await engineFor().crawl({ url, maxDiscoveryDepth: 3, ignoreSitemap: true });
  expect(paths((await job.wait()).data)).toEqual(["/", "/a", "/b", "/c", "/leaf", "/t"]);
});

test("another engine that goes on with a crawl knows what its sitemap listed", async () => {
  const isAsked = Promise.withResolvers<void>();
  let isFirst = true;
  const { url } = await site({
    "/": page("home", ["/listed"]),
    "/listed": async () => {
      isAsked.resolve();
      if (isFirst) await new Promise(() => {});
      return page("listed", ["/leaf"]);
    },
    "/leaf": page("leaf"),
    "/sitemap.xml": ({ url }) => `<urlset><url><loc>${url.origin}/listed</loc></url></urlset>`,
  });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const { id } = await engine.crawl({ url, maxDiscoveryDepth: 1 });
  await isAsked.promise;
  await engine.close();
  isFirst = false;
  const next = engineFor({ storage });
  await next.resume();
  await expect.poll(async () => (await next.getCrawlStatus(id)).status).toBe("completed");
  expect(paths((await next.getCrawlStatus(id)).data)).toEqual(["/", "/leaf", "/listed"]);
});

test("what was scraped is not listed as left out, wherever else it was linked from", async () => {
  const { url } = await site({
    "/": page("home", ["/a", "/b"]),
    "/a": page("a", ["/", "/b", "/c"]),
    "/b": page("b", ["/", "/a"]),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, maxDiscoveryDepth: 1 });
  expect(paths((await job.wait()).data)).toEqual(["/", "/a", "/b"]);
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([{ url: `${url}/c`, reason: "MAX_DISCOVERY_DEPTH" }]);
});

test("a crawl whose start was had has not failed, though the filters left it out and nothing else could be had", async () => {
  const { url } = await site({
    "*": page("nullable", ["/x/1"]),
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: "user-agent: *\ndisallow: /x/2" },
    "/child": page("child", ["/x/2"]),
    "/x/1": noPage,
  });
  const engine = engineFor();
  const crawl = async (path: string) =>
    (await engine.crawl({ url: url + path, includePaths: ["^/x"], crawlEntireDomain: true })).wait();
  expect(await crawl("/nullable")).toMatchObject({ status: "completed", total: 1, completed: 0 });
  expect(await crawl("/child")).toMatchObject({ status: "completed", total: 0, completed: 0 });
});

test("a start page that the filters refuse is read for its links and left out of the result, with the reason", async () => {
  const { url } = await site({ "/": page("home", ["/blog/a"]), "/blog/a": page("a") });
  const engine = engineFor();
  const job = await engine.crawl({ url, includePaths: ["^/blog/"] });
  const status = await job.wait();
  expect(paths(status.data)).toEqual(["/blog/a"]);
  expect(status).toMatchObject({ status: "completed", total: 1, creditsUsed: 1 });
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([{ url, reason: "NOT_INCLUDED" }]);
});

test("a page reached by two redirects is in the result once", async () => {
  const { url } = await site({
    "/": page("home", ["/old-1", "/old-2", "/new"]),
    "/old-1": { status: 301, headers: { location: "/new" } },
    "/old-2": { status: 302, headers: { location: "/new" } },
    "/new": page("new"),
  });
  const status = await (await engineFor().crawl({ url })).wait();
  expect(paths(status.data)).toEqual(["/", "/new"]);
  expect(status).toMatchObject({ total: 2, completed: 2, creditsUsed: 2 });
});

test("an error that comes of another address does not take the place of the page that is tried again", async () => {
  let visits = 0;
  const answers = [{ status: 503, body: page("busy") }, { status: 404, body: page("gone") }, page("The tide table")];
  const { url } = await site({
    "/": page("home", ["/new", "/old"]),
    "/new": () => answers[Math.min(visits++, answers.length - 1)]!,
    "/old": { status: 302, headers: { location: "/new" } },
  });
  const job = await engineFor().crawl({ url, maxConcurrency: 1 });
  const { data } = await job.wait();
  expect(visits).toBe(3);
  expect(data.map(({ markdown }) => markdown).join()).toContain("The tide table");
  expect(data.map(({ metadata }) => metadata.statusCode)).toEqual([200, 200]);
});

test("a page that was had is in the result, though its address could not be had before", async () => {
  const hasFailed = Promise.withResolvers<void>();
  let isFirst = true;
  const { url } = await site({
    "/": page("home", ["/y", "/x"]),
    "/x": async () => {
      await hasFailed.promise;
      return { status: 302, headers: { location: "/y" } };
    },
    "/y": () => {
      const answer = isFirst ? noPage : page("why");
      isFirst = false;
      return answer;
    },
  });
  const engine = engineFor();
  const job = await engine.crawl({ url });
  await expect.poll(async () => (await engine.getCrawlErrors(job.id)).errors.length).toBe(1);
  hasFailed.resolve();
  const { data, total, completed } = await job.wait();
  expect([total, completed]).toEqual([3, 2]);
  expect(data.at(-1)).toMatchObject({ markdown: expect.stringContaining("why"), metadata: { sourceURL: `${url}/x` } });
});

test("a page that is named under a host at which the site is not is looked for where the site is", async () => {
  const server = await site({
    "/": ({ url }) => page("home", [...["/named", "/gone"].map((path) => `http://www.${url.host}${path}`), "/named"]),
    "/sitemap.xml": ({ url }) => `<urlset><url><loc>https://${url.host}/listed</loc></url></urlset>`,
    "/named": page("named", ["/further"]),
    "/listed": page("listed"),
    "/further": page("further"),
  });
  const url = `http://site.test:${server.port}`;
  const engine = engineFor({
    network: {
      async lookup(name) {
        if (name === "site.test") return [{ address: "127.0.0.1", family: 4 }];
        throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" });
      },
    },
  });
  const job = await engine.crawl({ url });
  const { data, total, completed } = await job.wait();
  expect(data.map(({ metadata }) => metadata.sourceURL).sort()).toEqual(
    [url, `${url}/further`, `${url}/gone`, `${url}/listed`, `${url}/named`].sort(),
  );
  expect([total, completed]).toEqual([5, 5]);
  expect(await engine.getCrawlErrors(job.id)).toMatchObject({ errors: [], skipped: [] });
});

test("of two pages that lead to each other at their first visit, one is in the result", async () => {
  let visits = 0;
  const turning = (path: string, other: string) => () =>
    visits++ % 2 === 0 ? { status: 302, headers: { location: other } } : page(path);
  const { url } = await site({
    "/": page("home", ["/x", "/y"]),
    "/x": turning("/x", "/y"),
    "/y": turning("/y", "/x"),
  });
  const status = await (await engineFor().crawl({ url, maxConcurrency: 1, ignoreSitemap: true })).wait();
  expect(status).toMatchObject({ status: "completed", total: 2, completed: 2, creditsUsed: 2 });
});

test("a page that redirects off the site is left out", async () => {
  const other = await site({ "/": page("other", ["/more"]), "/more": page("more") });
  const { url } = await site({
    "/": page("home", ["/away"]),
    "/away": { status: 302, headers: { location: `${other.url}/` } },
  });
  const engine = engineFor();
  const job = await engine.crawl({ url });
  expect(paths((await job.wait()).data)).toEqual(["/"]);
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([{ url: `${url}/away`, reason: "EXTERNAL" }]);
  expect(other.requests.get("/more")).toBeUndefined();
});

test("a start that redirects to another host moves the site there", async () => {
  const there = await site({
    "/home": page("home", ["/a"]),
    "/a": page("a"),
    "/sitemap.xml": ({ url }) => `<urlset><url><loc>${url.origin}/listed</loc></url></urlset>`,
    "/listed": page("listed"),
  });
  const here = await site({ "/": { status: 301, headers: { location: `${there.url}/home` } } });
  const status = await (await engineFor().crawl({ url: here.url, crawlEntireDomain: true })).wait();
  expect(paths(status.data)).toEqual(["/a", "/home", "/listed"]);
});

test("a page that fails is in the result with its error, and does not count as completed", async () => {
  const { url } = await site({ "/": page("home", ["/broken"]), "/broken": noPage });
  const engine = engineFor();
  const job = await engine.crawl({ url });
  const status = await job.wait();
  expect(status).toMatchObject({ status: "completed", total: 2, completed: 1, creditsUsed: 1 });
  const failed = status.data.find(({ metadata }) => metadata.sourceURL === `${url}/broken`);
  expect(Object.keys(failed ?? {})).toEqual(["metadata"]);
  expect(failed?.metadata).toEqual({ sourceURL: `${url}/broken`, statusCode: 0, error: expect.any(String) });
  const { errors } = await engine.getCrawlErrors(job.id);
  expect(errors).toEqual([
    {
      id: expect.any(String),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      url: `${url}/broken`,
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      error: expect.any(String),
    },
  ]);
});

test("a crawl whose start cannot be had has failed", async () => {
  const { url } = await site({ "/": hostile("/reset-before-headers") });
  const status = await (await engineFor().crawl({ url })).wait();
  expect(status).toMatchObject({ status: "failed", total: 1, completed: 0, creditsUsed: 0 });
});

test.each([
  ["the engine's", { network: { userAgent: "OwnBot/2.1 (+https://own.example)", allowHosts: ["127.0.0.1"] } }, {}],
  ["the caller's", {}, { headers: { "User-Agent": "OwnBot/2.1 (+https://own.example)" } }],
])("robots.txt counts for the name that the site sees: %s", async (_whose, options, scrapeOptions) => {
  const { url } = await site({
    "/robots.txt": {
      headers: { "content-type": "text/plain" },
      body: "user-agent: ownbot\ndisallow: /own\n\nuser-agent: *\ndisallow: /others",
    },
    "/": page("home", ["/own", "/others"]),
    "/others": page("others"),
  });
  const engine = engineFor(options);
  const job = await engine.crawl({ url, scrapeOptions });
  expect(paths((await job.wait()).data)).toEqual(["/", "/others"]);
  expect((await engine.getCrawlErrors(job.id)).robotsBlocked).toEqual([`${url}/own`]);
});

test("a crawl whose start is disallowed has failed, unless robots.txt is ignored", async () => {
  const routes = { "/robots.txt": { body: "User-agent: *\nDisallow: /" }, "/": page("home") };
  const { url } = await site(routes);
  const engine = engineFor();
  const job = await engine.crawl({ url });
  expect(await job.wait()).toMatchObject({ status: "failed", total: 0, data: [] });
  expect((await engine.getCrawlErrors(job.id)).robotsBlocked).toEqual([url]);
  const ignoring = await (await engine.crawl({ url, ignoreRobotsTxt: true })).wait();
  expect(ignoring).toMatchObject({ status: "completed", total: 1 });
});

test.each([
  ["over HTTP", {}],
  ["in a browser", { waitFor: 1 }],
])("a redirect to where robots.txt lets nobody in is not followed, %s", async (_, scrapeOptions) => {
  const forbid = { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private/" };
  const other = await site({ "/robots.txt": forbid, "/private/b": page("b") });
  const routes = {
    "/robots.txt": forbid,
    "/": page("home", ["/to-a", "/to-b", "/to-c"]),
    "/to-a": { status: 302, headers: { location: "/private/a" } },
    "/to-b": { status: 301, headers: { location: `${other.url}/private/b` } },
    "/to-c": { status: 302, headers: { location: "/c" } },
    "*": ({ url }: { url: URL }) => page(url.pathname),
  };
  const server = await site(routes);
  const engine = engineFor();
  const job = await engine.crawl({ url: server.url, allowExternalLinks: true, scrapeOptions });
  const status = await job.wait();
  expect(status).toMatchObject({ status: "completed", total: 2, completed: 2, creditsUsed: 2 });
  expect(paths(status.data)).toEqual(["/", "/c"]);
  const { robotsBlocked, errors } = await engine.getCrawlErrors(job.id);
  expect(robotsBlocked.sort()).toEqual([`${server.url}/to-a`, `${server.url}/to-b`]);
  expect(errors).toEqual([]);
  expect([server.requests.get("/private/a"), other.requests.get("/private/b")]).toEqual([undefined, undefined]);

  const start = await engine.crawl({ url: `${server.url}/to-a`, scrapeOptions });
  expect(await start.wait()).toMatchObject({ status: "failed", total: 0, data: [] });
  expect(server.requests.get("/private/a")).toBeUndefined();
  const ignoring = await engine.crawl({ url: `${server.url}/to-a`, ignoreRobotsTxt: true, scrapeOptions });
  expect(await ignoring.wait()).toMatchObject({ status: "completed", total: 1 });
});

test("crawls that fetch one page at the same time ask for themselves where it may lead", async () => {
  const other = await site({
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private/" },
    "/private/b": page("b"),
  });
  const meeting = Promise.withResolvers<void>();
  const server = await site({
    "/": page("home", ["/to-b"]),
    "/to-b": async () => {
      await meeting.promise;
      return { status: 301, headers: { location: `${other.url}/private/b` } };
    },
  });
  const engine = engineFor();
  const request = { url: server.url, ignoreSitemap: true, scrapeOptions: { maxAge: 60_000 } };
  const own = await engine.crawl(request);
  await vi.waitFor(() => expect(server.requests.get("/to-b")).toBe(1), { timeout: 20_000 });
  const abroad = await engine.crawl({ ...request, allowExternalLinks: true });
  await vi.waitFor(() => expect(server.requests.get("/to-b")).toBe(2), { timeout: 20_000 });
  meeting.resolve();
  await Promise.all([own.wait(), abroad.wait()]);
  expect((await engine.getCrawlErrors(abroad.id)).robotsBlocked).toEqual([`${server.url}/to-b`]);
  // The first of them enters no other site, whose rules it has no need of.
  expect((await engine.getCrawlErrors(own.id)).skipped).toEqual([{ url: `${server.url}/to-b`, reason: "EXTERNAL" }]);
});

test("429 and 503 are tried again, and Retry-After is honoured", async () => {
  const started = Date.now();
  const server = await site({
    "/": page("home", ["/busy", "/down"]),
    "/busy": hostile("/too-many-requests/1/1"),
    "/down": hostile("/unavailable/1"),
  });
  const status = await (await engineFor().crawl({ url: server.url })).wait();
  expect(status.data.map(({ metadata }) => metadata.statusCode)).toEqual([200, 200, 200]);
  expect(server.requests.get("/busy")).toBe(2);
  expect(server.requests.get("/down")).toBe(2);
  expect(Date.now() - started).toBeGreaterThanOrEqual(1000);
});

test("a Retry-After of no time, or of one that is over, is no leave to try again without a pause", async () => {
  const asked = ["0", "-5", "Thu, 01 Jan 1970 00:00:00 GMT", "5, 10"];
  const tries = asked.map((): number[] => []);
  const busy = asked.map((time, index) => () => {
    tries[index]!.push(Date.now());
    return { status: 429, headers: { "retry-after": time }, body: page("busy") };
  });
  const servers = await Promise.all(busy.map((answer) => site({ "/busy": answer })));
  await (await engineFor().batchScrape({ urls: servers.map(({ url }) => `${url}/busy`) })).wait();
  for (const [first, second, third, ...others] of tries) {
    expect(others).toEqual([]);
    // Half a second, then two, each less a quarter at most.
    expect(second! - first!).toBeGreaterThanOrEqual(350);
    expect(third! - second!).toBeGreaterThanOrEqual(1400);
  }
});

test("what a gateway could not answer is tried again; what a server answers stands", async () => {
  let stumbles = 2;
  const server = await site({
    "/": page("home", ["/stumbles", "/broken", "/gone"]),
    "/stumbles": () => (stumbles-- > 0 ? { status: 520, body: page("oops") } : page("fine")),
    "/broken": { status: 500, body: page("broken") },
    "/gone": { status: 404, body: page("gone") },
  });
  const status = await (await engineFor().crawl({ url: server.url })).wait();
  expect(status).toMatchObject({ total: 4, completed: 4, creditsUsed: 4 });
  const statuses = status.data.map(({ metadata: { url = "", statusCode } }) => [
    url.replace(server.url, ""),
    statusCode,
  ]);
  expect(Object.fromEntries(statuses)).toEqual({ "/": 200, "/stumbles": 200, "/broken": 500, "/gone": 404 });
  const tries = ["/stumbles", "/broken", "/gone"].map((path) => server.requests.get(path));
  expect(tries).toEqual([3, 1, 1]);
});

test("delay spaces pages out and allows one at a time", async () => {
  const server = await site({ "/": page("home", ["/a", "/b"]), "*": ({ url }) => page(url.pathname) });
  const started = Date.now();
  await (await engineFor().crawl({ url: server.url, delay: 0.2, ignoreSitemap: true })).wait();
  expect(Date.now() - started).toBeGreaterThanOrEqual(400);
  expect(server.peakConcurrency()).toBe(1);
});

test("a crawl that waits a minute between its pages does not let other jobs wait with it", async () => {
  const patient = await site({ "/": page("home", ["/a"]), "/a": page("a") });
  let visits = 0;
  const busy = await site({ "/": () => (visits++ === 0 ? { status: 503, body: "later" } : page("home")) });
  const engine = engineFor();
  const crawl = await engine.crawl({ url: patient.url, delay: 60, ignoreSitemap: true });
  await expect.poll(async () => (await engine.getCrawlStatus(crawl.id)).completed).toBe(1);
  const batch = await engine.batchScrape({ urls: [busy.url] });
  expect(await batch.wait({ signal: AbortSignal.timeout(10_000) })).toMatchObject({ completed: 1 });
  expect(visits).toBe(2);
  await crawl.cancel();
});

test("the Crawl-delay of robots.txt is kept", async () => {
  const server = await site({
    "/robots.txt": { body: "User-agent: *\nCrawl-delay: 0.3" },
    "/": page("home", ["/a"]),
    "/a": page("a"),
  });
  const started = Date.now();
  await (await engineFor().crawl({ url: server.url })).wait();
  expect(Date.now() - started).toBeGreaterThanOrEqual(300);
});

test("so is that of other hosts, which does not hold up the site itself", async () => {
  const times = { site: [] as number[], other: [] as number[] };
  const timed = (name: keyof typeof times) => () => {
    times[name].push(Date.now());
    return page(name);
  };
  const other = await site({ "/robots.txt": { body: "User-agent: *\nCrawl-delay: 0.5" }, "*": timed("other") });
  const links = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const slow = links.slice(0, 5).map((path) => other.url + path);
  const { url } = await site({ "/": page("home", [...slow, ...links]), "*": timed("site") });
  const request = { url, allowExternalLinks: true, maxConcurrency: 2, ignoreSitemap: true };
  await (await engineFor().crawl(request)).wait();
  const gaps = times.other.slice(1).map((time, index) => time - (times.other[index] ?? 0));
  expect(gaps).toHaveLength(4);
  expect(Math.min(...gaps)).toBeGreaterThan(490);
  expect(times.site.filter((time) => time < (times.other[2] ?? 0)).length).toBeGreaterThanOrEqual(20);
});

test("what the request says about delays overrules what other hosts say", async () => {
  const other = await site({ "/robots.txt": { body: "User-agent: *\nCrawl-delay: 30" }, "*": page("other") });
  const { url } = await site({
    "/": page(
      "home",
      ["/1", "/2", "/3"].map((path) => other.url + path),
    ),
  });
  const job = await engineFor().crawl({ url, allowExternalLinks: true, delay: 0.01 });
  expect((await job.wait()).total).toBe(4);
});

test("pages that come from the cache wait for no delay, and let none wait", async () => {
  const slow = { "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nCrawl-delay: 30" } };
  const other = await site({ ...slow, "*": page("other") });
  const elsewhere = ["/1", "/2", "/3"].map((path) => other.url + path);
  const server = await site({
    ...slow,
    "/": page("home", ["/a", "/b", ...elsewhere]),
    "*": ({ url }) => page(url.pathname),
  });
  const { url } = server;
  const engine = engineFor();
  await (await engine.batchScrape({ urls: [`${url}/`, `${url}/a`, `${url}/b`, ...elsewhere] })).wait();
  const fetched = [server, other].map(({ requests }) => [...requests.keys()]);
  const scrapeOptions = { maxAge: 3_600_000 };
  for (const delay of [undefined, 60]) {
    const crawl = await engine.crawl({ url, delay, allowExternalLinks: true, ignoreSitemap: true, scrapeOptions });
    expect((await crawl.wait({ signal: AbortSignal.timeout(10_000) })).completed).toBe(6);
  }
  // Nothing but robots.txt was asked for.
  expect([server, other].map(({ requests }) => [...requests.keys()])).toEqual(
    fetched.map((all) => [...all, "/robots.txt"]),
  );
}, 25_000);

test("a crawl puts nothing into the cart of a shop", async () => {
  const products = [1, 2, 3].map((id) => `/shop/?add-to-cart=${id}`);
  const server = await site({ "/": page("home", ["/shop/"]), "/shop/": page("shop", products) });
  const { data } = await (await engineFor().crawl({ url: server.url })).wait();
  expect(paths(data)).toEqual(["/", "/shop/"]);
  expect([...server.requests.keys()].filter((path) => path.includes("cart"))).toEqual([]);
});

test("maxConcurrency bounds the pages at once", async () => {
  const links = Array.from({ length: 12 }, (_, index) => `/p/${index}`);
  const server = await site({ "/": page("home", links), "*": ({ url }) => ({ body: page(url.pathname), delay: 20 }) });
  await (await engineFor().crawl({ url: server.url, maxConcurrency: 3, ignoreSitemap: true })).wait();
  expect(server.peakConcurrency()).toBe(3);
});

test("a crawl of many pages does not starve one of three", async () => {
  const links = Array.from({ length: 300 }, (_, index) => `/big/${index}`);
  const server = await site({
    "/big": page("big", links),
    "/small": page("small", ["/small/1", "/small/2"]),
    "*": ({ url }) => ({ body: page(url.pathname), delay: 10 }),
  });
  const engine = engineFor({ limits: { maxConcurrency: 4 } });
  const big = await engine.crawl({ url: `${server.url}/big` });
  const small = await engine.crawl({ url: `${server.url}/small` });
  expect((await small.wait()).total).toBe(3);
  const progress = await engine.getCrawlStatus(big.id, { limit: 1 });
  expect(progress.status).toBe("scraping");
  expect(progress.completed).toBeLessThan(100);
  await big.cancel();
});

test("pages with ever longer queries end at the limit", async () => {
  const { url } = await site({ "/": page("home", ["/calendar"]), "/calendar": hostile("/calendar") });
  const status = await (await engineFor().crawl({ url, limit: 20 })).wait();
  expect(status.total).toBe(20);
  const once = await (await engineFor().crawl({ url, limit: 20, ignoreQueryParameters: true })).wait();
  expect(once.total).toBe(2);
});

test("patterns run in linear time, and those that cannot run are refused by name", async () => {
  const { url } = await site({ "/": page("home", [`/${"a".repeat(5000)}!`]) });
  const engine = engineFor();
  const status = await (await engine.crawl({ url, includePaths: ["^/(a+)+$", "^/$"] })).wait();
  expect(status.total).toBe(1);
  const refusal = await engine
    .crawl({ url, includePaths: ["(", "(?=x)", "(a{1000}){1000}"], excludePaths: ["\\1"] })
    .catch((error: RequestError) => error);
  const message = expect.stringMatching(/excludePaths\[0\] is not a pattern.*includePaths\[2\] is too large/);
  expect(refusal).toMatchObject({ code: "BAD_REQUEST", message });
  expect((refusal as RequestError).details?.map(({ path }) => path.join(".")).sort()).toEqual([
    "excludePaths.0",
    "includePaths.0",
    "includePaths.1",
    "includePaths.2",
  ]);
});

test("the depth of the start is counted like that of every other page", async () => {
  const { url } = await site({ "/a/index.htm": page("a") });
  const engine = engineFor();
  const status = await (await engine.crawl({ url: `${url}/a/index.htm`, maxDepth: 1 })).wait();
  expect(status).toMatchObject({ status: "completed", completed: 1 });
  const tooDeep = engine.crawl({ url: `${url}/a/b`, maxDepth: 1 });
  await expect(tooDeep).rejects.toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining("2 segments") });
});

test("a pattern with spaces or letters of any script is meant for the path as it is read", async () => {
  const { url } = await site({
    "/": page("home", ["/my files/a", "/日本/b", "/other%20files/c"]),
    "*": ({ url }) => page(url.pathname),
  });
  const taken = async (excludePaths: string[]) => {
    const job = await engineFor().crawl({ url, excludePaths });
    return paths((await job.wait()).data).map(decodeURI);
  };
  expect(await taken(["^/my files/"])).toEqual(["/", "/日本/b", "/other files/c"]);
  expect(await taken(["/日本/", "other%20"])).toEqual(["/", "/my files/a"]);
});

test("patterns that are too large together only are refused by name as well", async () => {
  const refusal = engineFor().crawl({ url: "https://example.com", includePaths: Array(12).fill("a{990}") });
  const message = expect.stringMatching(/includePaths\[10\] makes the patterns too large.*includePaths\[11\]/);
  await expect(refusal).rejects.toMatchObject({ code: "BAD_REQUEST", message });
});

test("the caller's delay takes the place of the one that robots.txt asks for", async () => {
  const { url } = await site({
    "/robots.txt": "User-agent: *\nCrawl-delay: 30",
    "/": page("home", ["/a", "/b"]),
    "*": ({ url }) => page(url.pathname),
  });
  const job = await engineFor({ browser: false }).crawl({ url, delay: 0.05, ignoreSitemap: true });
  expect((await job.wait({ signal: AbortSignal.timeout(10_000) })).completed).toBe(3);
});
