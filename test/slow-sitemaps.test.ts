/** Sitemaps that keep a crawl waiting: what is known goes on, and nothing waits longer than it must. */
import { expect, onTestFinished, test, vi } from "vitest";
import { createProxies } from "../src/fetch/proxies.ts";
import { createDepthOrder } from "../src/jobs/depth-order.ts";
import { createSiteFiles } from "../src/jobs/site-files.ts";
import type { HttpClient } from "../src/ports/http-client.ts";
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
    if (!url.endsWith("/slow.xml")) return { statusCode: 200, body: [entry("/next")] } as unknown as Answer;
    async function* body() {
      yield entry("/listed");
      await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))).finally(() => {
        isBrokenOff = true;
      });
    }
    return { statusCode: 200, body: body() } as unknown as Answer;
  };
  const files = createSiteFiles({
    client: { stream },
    proxies: createProxies(undefined),
    userAgent: "test",
    timeoutMs: 50,
  });
  const { signal } = new AbortController();
  const slow = "https://site.example/slow.xml";
  const batches = await Array.fromAsync(files.sitemapPages(visitor, "https://site.example/", [slow], signal));
  expect(batches.flat().map(({ url }) => new URL(url).pathname)).toEqual(["/listed", "/next"]);
  expect(isBrokenOff).toBe(true);
}, 10_000);

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
