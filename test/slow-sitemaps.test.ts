/** Sitemaps that keep a crawl waiting: what is known goes on, and nothing waits longer than it must. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { createProxies } from "../src/fetch/proxies.ts";
import type { EngineOptions } from "../src/index.ts";
import { createDepthOrder } from "../src/jobs/depth-order.ts";
import { createSiteFiles } from "../src/jobs/site-files.ts";
import type { HttpClient } from "../src/ports/http-client.ts";
import type { TestExchange, TestHandler, TestRoutes } from "../src/testing/test-site-answer.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

type Answer = Awaited<ReturnType<HttpClient["stream"]>>;

const visitor = { options: { proxy: "basic", skipTlsVerification: false }, headersFor: () => undefined } as const;

/** An answer that never comes. */
const never = () => new Promise<never>(() => {});

test("a crawl that has its limit ends, though a sitemap does not", async () => {
  const { url } = await site({ "/": page("home", ["/a", "/b"]), "*": page("more"), "/sitemap.xml": never });
  const status = await (await engineFor().crawl({ url, limit: 2 })).wait();
  expect(status).toMatchObject({ status: "completed", total: 2, next: null });
}, 10_000);

test("pages of one sitemap do not wait for the next", async () => {
  const { url } = await site({
    "/": page("home"),
    "/robots.txt": ({ url }) => ({
      headers: { "content-type": "text/plain" },
      body: `sitemap: ${url.origin}/one.xml\nsitemap: ${url.origin}/two.xml`,
    }),
    "/one.xml": ({ url }) => `<urlset><url><loc>${url.origin}/listed</loc></url></urlset>`,
    "/two.xml": never,
    "*": page("more"),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url });
  await expect
    .poll(async () => paths((await engine.getCrawlStatus(job.id)).data), { timeout: 5000 })
    .toEqual(["/", "/listed"]);
  await job.cancel();
}, 10_000);

test("sitemaps that say nothing have an end, however many there are", async () => {
  const stream: HttpClient["stream"] = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const files = createSiteFiles({
    client: { stream },
    proxies: createProxies(undefined),
    userAgent: "test",
    maxConcurrencyPerHost: 16,
    silenceMs: 700,
  });
  const { signal } = new AbortController();
  const batches = Array.fromAsync(files.sitemapPages(visitor, "https://site.example/", [], signal));
  expect((await batches).flat()).toEqual([]);
}, 5000);

test("what a sitemap says within its time counts, and the rest is not an error", async () => {
  const entry = (path: string) => Buffer.from(`<url><loc>https://site.example${path}</loc></url>`);
  let isBrokenOff = false;
  const stream: HttpClient["stream"] = async ({ url, signal }) => {
    if (!url.endsWith("/slow.xml"))
      return { statusCode: 200, headers: {}, body: [entry("/next")] } as unknown as Answer;
    async function* body() {
      yield entry("/listed");
      await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))).finally(() => {
        isBrokenOff = true;
      });
    }
    return { statusCode: 200, headers: {}, body: body() } as unknown as Answer;
  };
  const files = createSiteFiles({
    client: { stream },
    proxies: createProxies(undefined),
    userAgent: "test",
    maxConcurrencyPerHost: 16,
    timeoutMs: 50,
  });
  const { signal } = new AbortController();
  const slow = "https://site.example/slow.xml";
  const batches = await Array.fromAsync(files.sitemapPages(visitor, "https://site.example/", [slow], signal));
  expect(batches.flat().map(({ url }) => new URL(url).pathname)).toEqual(["/listed", "/next"]);
  expect(isBrokenOff).toBe(true);
});

test("a page whose depth a sitemap may tell waits for it, but not for long", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const depths = createDepthOrder({ leastDepth: async () => 1 }, { id: "job", expanding: true });
  expect(await depths.advance()).toBe(false);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await depths.advance()).toBe(false);
  expect(depths.most).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await depths.advance()).toBe(true);
  expect(depths.most).toBe(1);
});

const numbered = Array.from({ length: 12 }, (_, index) => index);

/** A site whose sitemap is an index of twelve, of which those that come first take longest. */
function indexed(file: TestHandler, more: TestRoutes = {}) {
  const index = ({ url }: TestExchange) =>
    `<sitemapindex>${numbered.map((at) => `<sitemap><loc>${url.origin}/${at}.xml</loc></sitemap>`).join("")}</sitemapindex>`;
  const files = Object.fromEntries(numbered.map((at) => [`/${at}.xml`, file]));
  return site({ "/": page("home"), "/sitemap.xml": index, ...files, ...more });
}

const lists = ({ url }: TestExchange) => ({
  body: `<urlset><url><loc>${url.origin}${url.pathname.replace(".xml", "")}</loc></url></urlset>`,
  delay: 50 - 4 * Number.parseInt(url.pathname.slice(1), 10),
});

const inOrder = (urls: readonly string[]) => urls.map((url) => new URL(url).pathname);
const allInOrder = numbered.map((at) => `/${at}`);

test("the sitemaps of an index are read a few at a time, and their URLs come in its order", async () => {
  const server = await indexed(lists);
  const { links } = await engineFor().map({ url: server.url, sitemapOnly: true });
  expect(inOrder(links)).toEqual(allInOrder);
  expect(server.peakConcurrency()).toBeGreaterThan(2);
  expect(server.peakConcurrency()).toBeLessThanOrEqual(6);
});

test.each<[what: string, options: EngineOptions, robots: string]>([
  ["the site asks for pauses", {}, "user-agent: *\ncrawl-delay: 0.1"],
  ["the host allows no more", { limits: { maxConcurrencyPerHost: 1 } }, ""],
])("one at a time if %s", async (_what, options, robots) => {
  const server = await indexed(lists, { "/robots.txt": { headers: { "content-type": "text/plain" }, body: robots } });
  const { links } = await engineFor(options).map({ url: server.url, sitemapOnly: true });
  expect(inOrder(links)).toEqual(allInOrder);
  expect(server.peakConcurrency()).toBe(1);
});

test("a long one that is read before its turn is fetched once", async () => {
  const asked: string[] = [];
  const long = ({ url }: TestExchange) => {
    asked.push(url.pathname);
    return `<urlset><!--${" ".repeat(3_000_000)}--><url><loc>${url.origin}${url.pathname}.html</loc></url></urlset>`;
  };
  const { url } = await site({
    "/sitemap.xml": ({ url }) =>
      `<sitemapindex>${["/1", "/2"].map((path) => `<sitemap><loc>${url.origin}${path}</loc></sitemap>`).join("")}</sitemapindex>`,
    "/1": long,
    "/2": long,
  });
  const { links } = await engineFor().map({ url, sitemapOnly: true });
  expect(links).toEqual([`${url}/1.html`, `${url}/2.html`]);
  expect(asked.toSorted()).toEqual(["/1", "/2"]);
}, 10_000);

test("a caller who stops waiting ends all of them", async () => {
  let open = 0;
  const server = await indexed(({ signal }) => {
    open++;
    signal.addEventListener("abort", () => open--);
    return never();
  });
  const stop = new AbortController();
  const call = engineFor().map({ url: server.url }, { signal: stop.signal });
  await expect.poll(() => open).toBe(6);
  stop.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
  await expect.poll(() => open, { timeout: 5000 }).toBe(0);
});

test("a map whose time is up lists what is known without the sitemap that does not come, and says so", async () => {
  const warning = expect.stringContaining("URLs may be missing");
  const { url } = await site({ "/": page("home", ["/linked"]), "/sitemap.xml": never });
  const answer = await engineFor().map({ url, timeout: 2000 });
  expect(answer).toEqual({ success: true, links: [`${url}/`, `${url}/linked`], warning });
  const index = await indexed((exchange) => (exchange.url.pathname === "/0.xml" ? never() : lists(exchange)));
  const { links, warning: why } = await engineFor().map({ url: index.url, sitemapOnly: true, timeout: 4000 });
  expect(inOrder(links)).toEqual(allInOrder.slice(1));
  expect(why).toEqual(warning);
}, 20_000);

test("one that knows nothing but the given URL by then has failed, and costs nothing", async () => {
  const { url } = await site({ "/": page("home"), "/sitemap.xml": never });
  const engine = engineFor();
  for (const options of [{}, { sitemapOnly: true }]) {
    await expect(engine.map({ url, timeout: 1000, ...options })).rejects.toMatchObject({ code: "MAP_TIMEOUT" });
  }
  const hung = await site({ "/": never });
  for (const options of [{}, { ignoreSitemap: true }]) {
    const call = engine.map({ url: hung.url, limit: 1, timeout: 1000, ...options });
    await expect(call).rejects.toMatchObject({ code: "MAP_TIMEOUT" });
  }
  const silent = await site({ "*": never });
  const message = "The map was not finished within 1000 ms";
  await expect(engine.map({ url: silent.url, sitemapOnly: true, timeout: 1000 })).rejects.toThrow(message);
  expect((await engine.getCreditUsageHistorical()).periods).toEqual([]);
}, 20_000);

test("a map reads the sitemaps of a page that does not come, and says so", async () => {
  const { url } = await site({
    "/": never,
    "/sitemap.xml": ({ url: { origin } }) => `<urlset><url><loc>${origin}/listed</loc></url></urlset>`,
  });
  const links = [`${url}/`, `${url}/listed`];
  const warning = "The page did not come in time, so URLs may be missing.";
  expect(await engineFor().map({ url, timeout: 3000 })).toEqual({ success: true, links, warning });
  expect(await engineFor().map({ url, timeout: 3000, limit: 2 })).toEqual({ success: true, links });
}, 20_000);

test("a page that comes after the sitemaps adds its links", async () => {
  const { url } = await site({
    "/": { body: page("home", ["/linked"]), delay: 2700 },
    "/sitemap.xml": ({ url: { origin } }) => `<urlset><url><loc>${origin}/listed</loc></url></urlset>`,
  });
  const { links, warning } = await engineFor().map({ url, timeout: 5000 });
  expect(links).toEqual([`${url}/`, `${url}/listed`, `${url}/linked`]);
  expect(warning).toBeUndefined();
}, 20_000);

test("a page that comes late, from another site, has the links and sitemaps of that site", async () => {
  const home = await site({
    "/": page("home", ["/linked"]),
    "/sitemap.xml": ({ url: { origin } }) => `<urlset><url><loc>${origin}/listed</loc></url></urlset>`,
  });
  const { url } = await site({ "/": { status: 301, headers: { location: `${home.url}/` }, delay: 2700 } });
  const engine = engineFor();
  const [all, linked] = await Promise.all([
    engine.map({ url, timeout: 5000 }),
    engine.map({ url, timeout: 5000, ignoreSitemap: true }),
  ]);
  expect(inOrder(all.links)).toEqual(["/", "/listed", "/linked"]);
  expect(linked).toEqual({ success: true, links: [`${home.url}/`, `${home.url}/linked`] });
}, 20_000);

test("a sitemap that takes longer than any call waits is no failure of a map that has more time", async () => {
  const start = setTimeout;
  const quick = (act: () => void, ms: number) => start(act, ms === 60_000 ? 100 : ms);
  vi.stubGlobal("setTimeout", Object.assign(quick, start));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { url } = await site({ "/": page("home"), "/sitemap.xml": never });
  const answer = await engineFor().map({ url, timeout: 600_000 });
  const warning = expect.stringContaining("URLs may be missing");
  expect(answer).toEqual({ success: true, links: [`${url}/`], warning });
});

test("so does a map that has its limit, and what comes too late is no error", async () => {
  let open = 0;
  const server = await indexed(
    ({ signal }) => {
      open++;
      signal.addEventListener("abort", () => open--);
      return never();
    },
    { "/0.xml": lists },
  );
  expect((await engineFor().map({ url: server.url, sitemapOnly: true, limit: 1 })).links).toEqual([`${server.url}/0`]);
  await expect.poll(() => open, { timeout: 5000 }).toBe(0);
});

test("and many such maps leave it to the next one to read its sitemaps a few at a time", async () => {
  const long = await indexed(({ url }) => {
    const pages = Array.from({ length: 600 }, (_, at) => `<url><loc>${url.href}/${at}</loc></url>`);
    return `<urlset>${pages.join("")}</urlset>`;
  });
  const engine = engineFor();
  for (let times = 0; times < 14; times++) {
    const { links } = await engine.map({ url: long.url, sitemapOnly: true, limit: 500 });
    expect(links).toHaveLength(500);
  }
  const server = await indexed(lists);
  expect(inOrder((await engine.map({ url: server.url, sitemapOnly: true })).links)).toEqual(allInOrder);
  expect(server.peakConcurrency()).toBeGreaterThan(2);
});

test("files of which the site says that they come later are asked for again", async () => {
  const server = await indexed(
    (exchange) =>
      exchange.count === 1 && exchange.url.pathname < "/1" ? { status: 429, body: "later" } : lists(exchange),
    {
      "/robots.txt": ({ count }) =>
        count === 1
          ? { status: 503, body: "later" }
          : { headers: { "content-type": "text/plain" }, body: "user-agent: *\ndisallow: /3" },
      "*": page("listed"),
    },
  );
  const status = await (await engineFor().crawl({ url: server.url })).wait();
  expect(paths(status.data)).toEqual(["/", ...allInOrder].filter((path) => path !== "/3").sort());
});

test("a site that takes few connections, or does not wait for its reader, loses none of its sitemaps", async () => {
  let open = 0;
  const entry = ({ url }: TestExchange) => `<url><loc>${url.pathname.replace(".xml", "")}</loc></url>`;
  const server = createServer((request, response) => {
    const url = new URL(request.url!, `http://${request.headers.host}`);
    const body = `<urlset>${entry({ url } as TestExchange)}`;
    if (url.pathname === "/sitemap.xml") {
      const files = numbered.map((at) => `<sitemap><loc>/${at}.xml</loc></sitemap>`);
      response.end(`<sitemapindex>${files.join("")}</sitemapindex>`);
    } else if (!/^\/\d+\.xml$/.test(url.pathname)) response.writeHead(404).end();
    else if (open >= 3) request.socket.destroy();
    else {
      open++;
      response.once("close", () => open--);
      if (url.pathname === "/0.xml") setTimeout(() => response.end(body), 500);
      else if (open > 1) {
        response.write(body);
        setTimeout(() => request.socket.destroy(), 100);
      } else response.end(`${body}${entry({ url: new URL("/0.xml", url) } as TestExchange)}</urlset>`);
    }
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { links } = await engineFor().map({ url, sitemapOnly: true });
  expect(inOrder(links)).toEqual(allInOrder);
});

test("a process with nothing else to do does not end while a file is to be asked for again", async () => {
  // Without a connection that is kept open.
  const closing = { connection: "close" };
  const { url } = await site({
    "/robots.txt": ({ count }) =>
      count === 1 ? { status: 503, headers: closing, body: "later" } : { status: 404, headers: closing },
    "/sitemap.xml": { headers: closing, body: "<urlset><url><loc>/listed</loc></url></urlset>" },
  });
  const program = `
    import { createEngine } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
    console.log((await engine.map({ url: ${JSON.stringify(url)}, sitemapOnly: true })).links.length);
  `;
  const flags = ["--no-warnings", "--input-type=module", "-e", program];
  expect((await promisify(execFile)(process.execPath, flags)).stdout).toBe("1\n");
});
