/** What a crawl leaves out is reported, whichever of its pages told of it first. */
import { expect, test } from "vitest";
import { memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("links out of a page are reported when a redirect had led to it before it was there", async () => {
  const { url } = await site({
    "/": page("home", ["/old", "/new"]),
    "/old": { status: 301, headers: { location: "/new?utm_source=old" } },
    "/new": ({ url }) => ({
      body: page("new", ["https://elsewhere.example/"]),
      delay: url.searchParams.has("utm_source") ? 0 : 300,
    }),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, ignoreSitemap: true });
  expect(await job.wait()).toMatchObject({ total: 2, completed: 2 });
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([
    { url: "https://elsewhere.example/", reason: "EXTERNAL" },
  ]);
});

test("the page that the start led to is not among what was left out, however deep the links to it lie", async () => {
  const { url } = await site({
    "/": { status: 302, headers: { location: "/home" } },
    "/home": page("home", ["/a"]),
    "/a": page("a", ["/home", "/b"]),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, ignoreSitemap: true, maxDiscoveryDepth: 1 });
  expect(await job.wait()).toMatchObject({ total: 2, completed: 2 });
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual([{ url: `${url}/b`, reason: "MAX_DISCOVERY_DEPTH" }]);
});

test("the start is not among what was left out, wherever it led; nor is anything twice, in another spelling", async () => {
  const { url } = await site({
    "/start": { status: 302, headers: { location: "/en/" } },
    "/en/": page("home", ["/start", "/start/", "/other", "/other/", "/other/index.html", "/en/a"]),
    "/en/a": page("a", ["/start/?utm_source=a", "/other?utm_source=a", "/other", "/third"]),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url: `${url}/start`, ignoreSitemap: true });
  expect(await job.wait()).toMatchObject({ total: 2, completed: 2 });
  expect((await engine.getCrawlErrors(job.id)).skipped).toEqual(
    ["/other", "/third"].map((path) => ({ url: url + path, reason: "OUTSIDE_START_PATH" })),
  );
});

test("nor is it there twice if another engine, which goes on with the crawl, meets the other spelling", async () => {
  const stopped = Promise.withResolvers<void>();
  const { url } = await site({
    "/docs": page("docs", ["/other", "/docs/a"]),
    "/docs/a": async () => {
      await stopped.promise;
      return page("a", ["/other/", "/third"]);
    },
  });
  const storage = memoryStorage();
  const first = engineFor({ storage });
  const { id } = await first.crawl({ url: `${url}/docs`, ignoreSitemap: true });
  await expect.poll(async () => (await first.getCrawlStatus(id)).completed).toBe(1);
  const closed = first.close();
  stopped.resolve();
  await closed;
  const second = engineFor({ storage });
  await second.resume();
  await expect.poll(async () => (await second.getCrawlStatus(id)).status).toBe("completed");
  expect((await second.getCrawlErrors(id)).skipped).toEqual(
    ["/other", "/third"].map((path) => ({ url: url + path, reason: "OUTSIDE_START_PATH" })),
  );
});

test("a page that waits when the limit is reached is left out for that, though a link to it was too deep", async () => {
  const { url } = await site({
    "/": page("home", ["/a", "/b", "/c"]),
    "/sitemap.xml": ({ url }) =>
      `<urlset><url><loc>${url.origin}/a</loc></url><url><loc>${url.origin}/b</loc></url></urlset>`,
    "/a": page("a"),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, maxDiscoveryDepth: 0, limit: 2 });
  expect(await job.wait()).toMatchObject({ total: 2, completed: 2 });
  const { skipped } = await engine.getCrawlErrors(job.id);
  expect(skipped.toSorted((a, b) => (a.url < b.url ? -1 : 1))).toEqual([
    { url: `${url}/b`, reason: "LIMIT" },
    { url: `${url}/c`, reason: "MAX_DISCOVERY_DEPTH" },
  ]);
});

test("a page that leads where robots.txt forbids it is reported, though deeper links to it were met before", async () => {
  const others = Promise.withResolvers<void>();
  const { url } = await site({
    "/": page("home", ["/a", "/account"]),
    "/a": page("a", ["/account?utm_source=a", "/account", "/b"]),
    "/account": async () => {
      await others.promise;
      return { status: 302, headers: { location: "/login" } };
    },
    "/robots.txt": "User-agent: *\nDisallow: /login",
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, ignoreSitemap: true, maxDiscoveryDepth: 1 });
  await expect.poll(async () => (await engine.getCrawlStatus(job.id)).completed).toBe(2);
  others.resolve();
  expect(await job.wait()).toMatchObject({ total: 2, completed: 2 });
  expect(await engine.getCrawlErrors(job.id)).toEqual({
    errors: [],
    robotsBlocked: [`${url}/account`],
    skipped: [{ url: `${url}/b`, reason: "MAX_DISCOVERY_DEPTH" }],
  });
});

test("a page of the sitemap that leads where robots.txt forbids it is reported, though links to it were too deep", async () => {
  const linked = Promise.withResolvers<void>();
  const { url } = await site({
    "/": page("home", ["/account", "/b"]),
    "/sitemap.xml": async ({ url }) => {
      await linked.promise;
      return `<urlset><url><loc>${url.origin}/account</loc></url></urlset>`;
    },
    "/account": { status: 302, headers: { location: "/login" } },
    "/robots.txt": "User-agent: *\nDisallow: /login",
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, maxDiscoveryDepth: 0 });
  await expect.poll(async () => (await engine.getCrawlStatus(job.id)).completed).toBe(1);
  linked.resolve();
  expect(await job.wait()).toMatchObject({ total: 1, completed: 1 });
  expect(await engine.getCrawlErrors(job.id)).toEqual({
    errors: [],
    robotsBlocked: [`${url}/account`],
    skipped: [{ url: `${url}/b`, reason: "MAX_DISCOVERY_DEPTH" }],
  });
});

test("of a site without an end no more is reported, nor remembered, than a list can hold", async () => {
  const links = (from: number) => Array.from({ length: 30_000 }, (_, index) => `/${from + index}`);
  const { url } = await site({
    "/": `<p>Home, where it all begins.</p>${links(0)
      .map((href) => `<a href="${href}">x</a>`)
      .join("")}`,
    "*": ({ url }) => {
      const from = (Number(url.pathname.slice(1)) + 1) * 30_000;
      const anchors = links(from).map((href) => `<a href="${href}">x</a>`);
      return `<p>Page ${url.pathname}</p>${anchors.join("")}`;
    },
  });
  const engine = engineFor();
  const job = await engine.crawl({ url, limit: 5, ignoreSitemap: true });
  expect(await job.wait()).toMatchObject({ completed: 5 });
  const { skipped } = await engine.getCrawlErrors(job.id);
  // A hundred thousand, and those that were waiting for their turn: four times the limit, and a thousand.
  expect(skipped.length).toBeGreaterThan(100_000);
  expect(skipped.length).toBeLessThanOrEqual(100_000 + 4 * 5 + 1000);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(["LIMIT"]));
});

test("a page is left out once, however many links lead to its sections; routes are pages of their own", async () => {
  const sections = (path: string) => ["#one", "#two", "", "#"].map((section) => path + section);
  const links = [...sections("/private/a"), ...sections("/b"), "/b#/users", "/b#!admin"];
  const { url } = await site({ "/": page("home", links), "/robots.txt": "User-agent: *\nDisallow: /private" });
  const engine = engineFor();
  const job = await engine.crawl({ url, ignoreSitemap: true, excludePaths: ["^/b"] });
  await job.wait();
  expect(await engine.getCrawlErrors(job.id)).toEqual({
    errors: [],
    robotsBlocked: [`${url}/private/a`],
    skipped: ["/b", "/b#/users", "/b#!admin"].map((path) => ({ url: url + path, reason: "EXCLUDED" })),
  });
});
