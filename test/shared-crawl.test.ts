/** Several engines at work on one crawl: each judges links by where the start led, whoever of them had it. */

import { expect, test } from "vitest";
import { memoryQueue, memoryStorage } from "../src/index.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

/** A site whose start leads elsewhere, and whose last pages stand in its sitemap only. */
function movedSite(delays: { readonly sitemap: number }) {
  const links = Array.from({ length: 12 }, (_, index) => `/docs/${index}`);
  return site({
    "/old/start": { status: 302, headers: { location: "/docs/" }, body: "", delay: 100 },
    "/docs/": page("docs", links),
    "/sitemap.xml": ({ url }) => ({
      body: `<urlset><url><loc>${url.origin}/docs/listed</loc></url></urlset>`,
      delay: delays.sitemap,
    }),
    "*": ({ url }) => ({
      body: page(url.pathname, url.pathname.endsWith("more") ? [] : [`${url.pathname}/more`]),
      delay: 30,
    }),
  });
}

const expected = [
  "/docs/",
  "/docs/listed",
  "/docs/listed/more",
  ...Array.from({ length: 12 }, (_, index) => [`/docs/${index}`, `/docs/${index}/more`]).flat(),
].sort();

test("an engine that joins before the start page is done keeps to the site that it led to", async () => {
  const server = await movedSite({ sitemap: 0 });
  const storage = memoryStorage();
  const [first, second] = [engineFor({ storage }), engineFor({ storage })];
  const job = await first.crawl({ url: `${server.url}/old/start`, maxConcurrency: 1 });
  expect(await second.resume()).toEqual({ resumed: [job.id] });
  const { status, data } = await job.wait({ signal: AbortSignal.timeout(15_000) });
  expect([status, paths(data)]).toEqual(["completed", expected]);
  expect((await first.getCrawlErrors(job.id)).skipped).toEqual([]);
});

test("an engine that joined early ends the crawl alone when the one that had the start page is gone", async () => {
  const server = await movedSite({ sitemap: 2000 });
  const storage = memoryStorage();
  const [first, second] = [engineFor({ storage }), engineFor({ storage })];
  const { id } = await first.crawl({ url: `${server.url}/old/start` });
  await second.resume();
  while ((await second.getCrawlStatus(id)).completed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await first.close();
  await expect
    .poll(async () => (await second.getCrawlStatus(id)).status, { timeout: 15_000, interval: 100 })
    .toBe("completed");
  expect(paths((await second.getCrawlStatus(id)).data)).toEqual(expected);
});

test("an engine that closes leaves its jobs to those that listen to the same queue", async () => {
  const server = await movedSite({ sitemap: 0 });
  const shared = { storage: memoryStorage(), queue: memoryQueue() };
  const [first, second] = [engineFor(shared), engineFor(shared)];
  const { id } = await first.crawl({ url: `${server.url}/old/start`, maxConcurrency: 1 });
  while ((await second.getCrawlStatus(id)).completed === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  // Listens from its first job on.
  await second.batchScrape({ urls: [`${server.url}/other`] });
  await first.close();
  await expect
    .poll(async () => (await second.getCrawlStatus(id)).status, { timeout: 15_000, interval: 50 })
    .toBe("completed");
  expect(paths((await second.getCrawlStatus(id)).data)).toEqual(expected);
});

test("an engine that joined a crawl closes at once after another one has cancelled it before its start page came", async () => {
  const { url } = await site({ "/": { body: page("home"), delay: 60_000 } });
  const storage = memoryStorage();
  const [first, second] = [engineFor({ storage }), engineFor({ storage })];
  const { id } = await first.crawl({ url });
  await second.resume();
  await new Promise((resolve) => setTimeout(resolve, 400));
  await first.cancelCrawl(id);
  // Until the second has seen that there is nothing left to do.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const begun = Date.now();
  await second.close();
  expect(Date.now() - begun).toBeLessThan(5000);
});
