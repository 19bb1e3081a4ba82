/** A job from its start to its end: waiting, reading, cancelling, aborting, closing, resuming, teams. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { CrawlcoreError, createEngine, memoryStorage } from "../src/index.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

const many = Array.from({ length: 60 }, (_, index) => `/p/${index}`);

/** A site of 61 pages that answers each after some milliseconds. */
const slowSite = (delay = 10) =>
  site({ "/": page("home", many), "*": ({ url }) => ({ body: page(url.pathname), delay }) });

test("iterating gives each page once, and onProgress tells the numbers", async () => {
  const { url } = await slowSite(1);
  const engine = engineFor();
  const job = await engine.crawl({ url });
  const read: string[] = [];
  for await (const { metadata } of job) read.push(metadata.url ?? "");
  expect(new Set(read).size).toBe(61);
  expect(read).toHaveLength(61);
  const again: string[] = [];
  for await (const { metadata } of job) again.push(metadata.url ?? "");
  expect(again).toEqual(read);
  const told: number[] = [];
  const { data } = await job.wait({ onProgress: ({ completed }) => told.push(completed) });
  expect(told).toEqual([61]);
  expect(data.map(({ metadata }) => metadata.url)).toEqual(read);
});

test("whoever asks again and again lets the job go on, and with next gets each page as it comes", async () => {
  const { url } = await slowSite();
  const engine = engineFor();
  const asked = await engine.batchScrape({ urls: [url] });
  while ((await engine.getBatchScrapeStatus(asked.id)).status === "scraping");
  const job = await engine.crawl({ url });
  const read: string[] = [];
  let empty = 0;
  let status = await engine.getCrawlStatus(job.id);
  for (;;) {
    read.push(...status.data.map(({ metadata }) => metadata.url ?? ""));
    if (status.next === null) break;
    status = await engine.getCrawlStatus(job.id, { next: status.next });
    if (status.data.length === 0) empty++;
  }
  expect(read).toHaveLength(61);
  expect(new Set(read).size).toBe(61);
  // Without waiting there would be thousands.
  expect(empty).toBeLessThan(100);
});

test("the part that is asked for is the one that was named when the call was made", async () => {
  const { url } = await site({ "/": page("home"), "/late": { body: page("late"), delay: 60_000 } });
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [url, `${url}/late`] });
  const first = await vi.waitUntil(async () => {
    const status = await engine.getBatchScrapeStatus(job.id);
    return status.data.length === 1 && status;
  });
  const part: { next?: string } = { next: first.next! };
  const asked = engine.getBatchScrapeStatus(job.id, part);
  // It waits for news meanwhile.
  await sleep(50);
  delete part.next;
  expect((await asked).data).toEqual([]);
  await job.cancel();
});

test("several who read while it runs get what the storage has", async () => {
  const server = await site({
    "/": page("home", ["/a", "/missing", ...many]),
    "*": ({ url }) => ({ body: `<title>T</title><meta name="author" content="A">${page(url.pathname)}`, delay: 2 }),
    "/missing": { status: 404, body: page("none") },
  });
  const engine = engineFor();
  const formats = ["markdown", "html", "rawHtml", "links", "changeTracking"] as const;
  const job = await engine.crawl({ url: server.url, scrapeOptions: { formats: [...formats] } });
  const read = async () => {
    const documents: unknown[] = [];
    for await (const document of job) documents.push(document);
    return documents;
  };
  const [one, other] = await Promise.all([read(), read()]);
  const { data } = await job.wait();
  expect(data.length).toBeGreaterThan(60);
  expect(one).toStrictEqual(data);
  expect(other).toStrictEqual(data);
});

test("a slow reader holds the job back, and lets it go on when it leaves", async () => {
  const server = await slowSite(0);
  const engine = engineFor();
  const job = await engine.crawl({ url: server.url, maxConcurrency: 2, ignoreSitemap: true });
  const reader = job[Symbol.asyncIterator]();
  await reader.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { completed } = await engine.getCrawlStatus(job.id);
  expect(completed).toBeLessThanOrEqual(8);
  await reader.return();
  expect((await job.wait()).completed).toBe(61);
});

test("waiting for the end frees a job that an idle reader holds back", async () => {
  const { url } = await slowSite(0);
  const job = await engineFor().crawl({ url, maxConcurrency: 2 });
  const reader = job[Symbol.asyncIterator]();
  await reader.next();
  expect((await job.wait()).completed).toBe(61);
  await reader.return();
});

test("so does waiting that began before the reader came", async () => {
  const { url } = await slowSite(0);
  const job = await engineFor().crawl({ url, maxConcurrency: 2 });
  const ended = job.wait();
  const reader = job[Symbol.asyncIterator]();
  await reader.next();
  expect((await ended).completed).toBe(61);
  await reader.return();
});

test("status comes in chunks that never change, linked by next", async () => {
  const { url } = await slowSite(1);
  const engine = engineFor({ publicUrl: "https://api.example.com/", limits: { statusChunkBytes: 10_000 } });
  const job = await engine.crawl({ url });
  expect(job.url).toBe(`https://api.example.com/v1/crawl/${job.id}`);
  const whole = await job.wait();
  const collected: unknown[] = [];
  let status = await engine.getCrawlStatus(job.id);
  let chunks = 1;
  while (true) {
    collected.push(...status.data);
    if (status.next === null) break;
    expect(status.next).toMatch(/^https:\/\/api\.example\.com\/v1\/crawl\/[0-9a-f-]+\?skip=\d+$/);
    status = await engine.getCrawlStatus(job.id, { next: status.next });
    chunks++;
  }
  expect(collected).toEqual(whole.data);
  expect(chunks).toBeGreaterThan(2);
  const part = await engine.getCrawlStatus(job.id, { skip: 5, limit: 3 });
  expect(part.data).toEqual(whole.data.slice(5, 8));
  expect(part.next).toBe(`https://api.example.com/v1/crawl/${job.id}?skip=8&limit=3`);
  const other = await engine.crawl({ url, limit: 1 });
  await expect(engine.getCrawlStatus(other.id, { next: part.next as string })).rejects.toMatchObject({
    details: [{ path: ["next"], message: "belongs to another job" }],
  });
});

test("a cancelled job keeps its pages, starts no more, and says so", async () => {
  const server = await slowSite(20);
  const engine = engineFor();
  const job = await engine.crawl({ url: server.url, maxConcurrency: 2 });
  for await (const _ of job) break;
  expect(await engine.cancelCrawl(job.id)).toEqual({ success: true, status: "cancelled" });
  const { status, data, total, next } = await job.wait();
  expect({ status, next, length: data.length }).toEqual({ status: "cancelled", next: null, length: total });
  expect(total).toBeGreaterThan(0);
  const asked = server.received.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.received.length).toBe(asked);
  expect((await engine.getActiveCrawls()).crawls).toEqual([]);
});

test("cancelling a job that has ended is no error, and changes nothing of it", async () => {
  const server = await slowSite(3);
  const engine = engineFor();
  const job = await engine.crawl({ url: server.url });
  const ended = await job.wait();
  expect(await engine.cancelCrawl(job.id)).toEqual({ success: true, status: "cancelled" });
  expect(await job.cancel()).toEqual({ success: true, status: "cancelled" });
  expect(await engine.getCrawlStatus(job.id)).toEqual(ended);
});

test("aborting the signal of an accepted crawl cancels it; aborting a wait only stops the wait", async () => {
  const { url } = await slowSite(20);
  const engine = engineFor();
  const controller = new AbortController();
  const job = await engine.crawl({ url, maxConcurrency: 2 }, { signal: controller.signal });
  await expect(job.wait({ signal: AbortSignal.timeout(30) })).rejects.toMatchObject({ name: "TimeoutError" });
  expect((await engine.getCrawlStatus(job.id)).status).toBe("scraping");
  controller.abort(new Error("enough"));
  expect((await job.wait()).status).toBe("cancelled");
});

test("a signal of another realm stops a call too, with its reason", async () => {
  const { url } = await site({ "/": () => new Promise(() => {}) });
  const listeners: (() => void)[] = [];
  const foreign = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener: (_type: string, listener: () => void) => void listeners.push(listener),
    removeEventListener: () => {},
    throwIfAborted: () => {},
  };
  const scrape = engineFor().scrape({ url }, { signal: foreign as unknown as AbortSignal });
  await expect.poll(() => listeners.length).toBe(1);
  Object.assign(foreign, { aborted: true, reason: new Error("enough") });
  listeners[0]?.();
  await expect(scrape).rejects.toBe(foreign.reason);
  const firedBefore = { ...foreign };
  await expect(engineFor().map({ url }, { signal: firedBefore as unknown as AbortSignal })).rejects.toBe(
    foreign.reason,
  );
});

test("a signal of a polyfill, which has no reason, stops a call with an AbortError", async () => {
  const { url } = await site({ "/": () => new Promise(() => {}) });
  const signal = Object.assign(new EventTarget(), { aborted: false }) as unknown as AbortSignal;
  const engine = engineFor();
  const job = await engine.crawl({ url });
  const calls = Promise.allSettled([engine.scrape({ url }, { signal }), job.wait({ signal })]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  Object.assign(signal, { aborted: true }).dispatchEvent(new Event("abort"));
  const abortError = { status: "rejected", reason: expect.objectContaining({ name: "AbortError" }) };
  expect(await calls).toEqual([abortError, abortError]);
  await expect(engine.scrape({ url }, { signal })).rejects.toMatchObject({ name: "AbortError" });
});

test("a call whose signal has fired rejects with its reason, and an abort stops a scrape down to the socket", async () => {
  const server = await site({
    "/": ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("gone")))),
  });
  const engine = engineFor();
  const reason = new Error("no longer wanted");
  await expect(engine.crawl({ url: server.url }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const scrape = engine.scrape({ url: server.url }, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 50);
  await expect(scrape).rejects.toBe(reason);
});

test("a closed engine keeps its jobs: another engine on the same storage goes on with them", async () => {
  const server = await slowSite(10);
  const storage = memoryStorage();
  const first = engineFor({ storage });
  const job = await first.crawl({ url: server.url, maxConcurrency: 4 });
  for await (const _ of job) break;
  const waiting = job.wait();
  waiting.catch(() => {});
  await first.close();
  await expect(waiting).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await expect(first.scrape({ url: server.url })).rejects.toMatchObject({ code: "ENGINE_CLOSED", statusCode: 503 });
  const second = engineFor({ storage });
  expect(await second.resume()).toEqual({ resumed: [job.id] });
  let status = await second.getCrawlStatus(job.id);
  while (status.status === "scraping") {
    await new Promise((resolve) => setTimeout(resolve, 20));
    status = await second.getCrawlStatus(job.id);
  }
  expect(status).toMatchObject({ status: "completed", total: 61, completed: 61, creditsUsed: 61 });
  expect(new Set(paths(status.data)).size).toBe(61);
  expect(await second.resume()).toEqual({ resumed: [] });
});

test("a closed engine holds no pages: whoever goes on need not wait for their leases to expire", async () => {
  const server = await slowSite(10_000);
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  await engine.batchScrape({ urls: [server.url, `${server.url}/a`] });
  await expect.poll(() => server.requests.size).toBe(2);
  expect(await storage.jobs.listLeaseHolders()).not.toEqual([]);
  await engine.close();
  expect(await storage.jobs.listLeaseHolders()).toEqual([]);
});

test("an engine that closes while a page is being stored is closed when that is done", async () => {
  const server = await site({ "/": page("home") });
  const storage = memoryStorage();
  const { completePage } = storage.jobs;
  const begun = Promise.withResolvers<void>();
  const outcomes: string[] = [];
  vi.spyOn(storage.jobs, "completePage").mockImplementation(async (lease, completion) => {
    begun.resolve();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const result = await completePage(lease, completion);
    outcomes.push(result.status);
    return result;
  });
  const engine = engineFor({ storage });
  // The second page is leased together with the first, and waits for it.
  await engine.batchScrape({ urls: [server.url, `${server.url}/a`], maxConcurrency: 1 });
  await begun.promise;
  await engine.close();
  expect(outcomes).toEqual(["stored"]);
  expect(await storage.jobs.listLeaseHolders()).toEqual([]);
});

test("a closing engine that fails to give back the pages of one job gives back those of the others", async () => {
  const server = await slowSite(10_000);
  const storage = memoryStorage();
  const release = vi.spyOn(storage.jobs, "releaseLeases").mockRejectedValueOnce(new Error("the disk is full"));
  const engine = createEngine({ storage, network: { allowHosts: ["127.0.0.1"] } });
  for (const path of ["/a", "/b", "/c"]) await engine.batchScrape({ urls: [server.url + path] });
  await expect.poll(() => server.requests.size).toBe(3);
  await expect(engine.close()).rejects.toThrow("the disk is full");
  expect(release).toHaveBeenCalledTimes(3);
  expect(await storage.jobs.listLeaseHolders()).toHaveLength(1);
});

test("a job belongs to its team: to all others it does not exist", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor();
  const job = await engine.crawl({ url }, { team: "a", apiKey: "key 1" });
  await job.wait();
  const notFound = { code: "NOT_FOUND", statusCode: 404 };
  await expect(engine.getCrawlStatus(job.id)).rejects.toMatchObject(notFound);
  await expect(engine.getCrawlErrors(job.id, { team: "b" })).rejects.toMatchObject(notFound);
  await expect(engine.cancelCrawl(job.id, { team: "b" })).rejects.toMatchObject(notFound);
  await expect(engine.getBatchScrapeStatus(job.id, {}, { team: "a" })).rejects.toMatchObject(notFound);
  await expect(engine.getCrawlStatus("no uuid", {}, { team: "a" })).rejects.toMatchObject(notFound);
  expect((await engine.getCrawlStatus(job.id, {}, { team: "a" })).status).toBe("completed");
  expect((await engine.getCreditUsageHistorical({}, { team: "b" })).periods).toEqual([]);
  const { periods } = await engine.getCreditUsageHistorical({ byApiKey: true }, { team: "a" });
  expect(periods).toMatchObject([{ apiKey: "key 1", totalCredits: 1 }]);
  expect((await engine.getTokenUsageHistorical({}, { team: "a" })).periods).toEqual([]);
});

test("active crawls are those of the team that are at work, with their options", async () => {
  const { url } = await slowSite(30);
  const engine = engineFor();
  const job = await engine.crawl({ url, limit: 50, scrapeOptions: { formats: ["links"] } });
  await engine.crawl({ url, limit: 5 }, { team: "other" });
  const { success, crawls } = await engine.getActiveCrawls();
  expect(success).toBe(true);
  expect(crawls).toMatchObject([
    { id: job.id, teamId: "default", url, options: { limit: 50, scrapeOptions: { formats: ["links"] } } },
  ]);
  await job.cancel();
});

test("the options of an active crawl are all those that the service lists, with their defaults", async () => {
  const { url } = await slowSite(30);
  const engine = engineFor();
  const plain = await engine.crawl({ url });
  const backwards = await engine.crawl({ url, allowBackwardLinks: true });
  const { crawls } = await engine.getActiveCrawls();
  const options = new Map(crawls.map((crawl) => [crawl.id, crawl.options]));
  expect(options.get(plain.id)).toMatchObject({
    includePaths: [],
    excludePaths: [],
    limit: 10_000,
    maxDepth: 10,
    allowBackwardLinks: false,
    crawlEntireDomain: false,
    allowExternalLinks: false,
    allowSubdomains: false,
    ignoreRobotsTxt: false,
    ignoreSitemap: false,
    deduplicateSimilarURLs: true,
    ignoreQueryParameters: false,
    regexOnFullURL: false,
    scrapeOptions: { formats: ["markdown"], onlyMainContent: true },
  });
  expect(options.get(backwards.id)).toMatchObject({ allowBackwardLinks: true, crawlEntireDomain: true });
  await Promise.all([plain.cancel(), backwards.cancel()]);
});

test("engines in one process do not know of each other", async () => {
  const { url } = await site({ "/": page("home") });
  const one = engineFor();
  const other = engineFor();
  const job = await one.crawl({ url });
  await job.wait();
  await expect(other.getCrawlStatus(job.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await one.close();
  expect((await other.scrape({ url })).success).toBe(true);
});

test("closing twice, or by await using, is fine; errors keep their identity", async () => {
  const engine = engineFor();
  const { [Symbol.asyncDispose]: dispose } = engine;
  await Promise.all([engine.close(), engine.close(), engine[Symbol.asyncDispose](), dispose()]);
  const error = await engine.map({ url: "example.com" }).catch((thrown: unknown) => thrown);
  expect(CrawlcoreError.isInstance(error)).toBe(true);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    success: false,
    error: expect.any(String),
    code: "ENGINE_CLOSED",
  });
});

test("what a seam throws comes out as an error of the package", async () => {
  const storage = memoryStorage();
  const broken = { ...storage, jobs: { ...storage.jobs, getJob: () => Promise.reject(new TypeError("disk on fire")) } };
  const engine = engineFor({ storage: broken });
  const error = await engine.getCrawlStatus(crypto.randomUUID()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "UNKNOWN_ERROR", statusCode: 500, cause: expect.any(TypeError) });
});

test.each(["its start", "a host that it links to"])(
  "a crawl that is cancelled while the robots.txt of %s is awaited is no error for the log",
  async (whose) => {
    const awaited = Promise.withResolvers<void>();
    const never = () => {
      awaited.resolve();
      return new Promise<never>(() => {});
    };
    const other = await site({ "/robots.txt": never });
    const { url } = await site({
      "/": page("home", [`${other.url}/a`]),
      "/robots.txt": whose === "its start" ? never : { status: 404 },
    });
    const errors: string[] = [];
    const quiet = () => {};
    const engine = engineFor({
      logger: { debug: quiet, info: quiet, warn: quiet, error: (text) => errors.push(text) },
    });
    const job = await engine.crawl({ url, allowExternalLinks: true });
    await awaited.promise;
    await job.cancel();
    expect(await job.wait()).toMatchObject({ status: "cancelled" });
    await engine.close();
    expect(errors).toEqual([]);
  },
);

test("the links of a page whose lease has ended are found when it is read again", async () => {
  const { url } = await site({ "/": page("home", ["/a", "/b"]), "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  const { jobs } = storage;
  let fenced = 0;
  const completePage: typeof jobs.completePage = async (lease, completion) => {
    if (fenced === 0) await jobs.retryPage(lease, 0);
    const result = await jobs.completePage(lease, completion);
    if (result.status === "fenced") fenced += 1;
    return result;
  };
  const engine = engineFor({ storage: { ...storage, jobs: { ...jobs, completePage } } });
  const { data } = await (await engine.crawl({ url })).wait();
  expect(fenced).toBe(1);
  expect(paths(data)).toEqual(["/", "/a", "/b"]);
});
