/** What is kept, and for how long: expiry, zero data retention. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type EngineOptions, memoryQueue, memoryStorage, type Storage } from "../src/index.ts";
import { hostile } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const routes = { "/": page("home", ["/a"]), "/a": page("a") };

// These wait for times to pass, so they do it together.
test.concurrent("a job expires after its time, and its data goes by itself", async ({ expect, onTestFinished }) => {
  const { url } = await site(routes, onTestFinished);
  const storage = memoryStorage();
  const engine = engineFor({ storage, limits: { jobTtlMs: 1500 } }, onTestFinished);
  const job = await engine.crawl({ url });
  const { expiresAt } = await job.wait();
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(1500);
  await vi.waitFor(() => expect(engine.getCrawlStatus(job.id)).rejects.toMatchObject({ code: "NOT_FOUND" }), {
    timeout: 20_000,
  });
  await vi.waitFor(
    async () =>
      expect((await storage.jobs.readResults(job.id, { skip: 0, limit: 1, maxBytes: 1 })).results).toEqual([]),
    { timeout: 20_000 },
  );
});

/** Resolves when the storage holds none of the job's results. */
async function untilGone({ jobs }: Storage, id: string, timeout: number): Promise<void> {
  const read = async () => (await jobs.readResults(id, { skip: 0, limit: 1, maxBytes: 1 })).results;
  expect(await read()).toHaveLength(1);
  await vi.waitFor(async () => expect(await read()).toEqual([]), { timeout, interval: 100 });
}

/** A storage that knows which jobs were given more time. */
function storageWithExtensions(failures = 0) {
  const storage = memoryStorage();
  const extensions: string[] = [];
  const admitPages: Storage["jobs"]["admitPages"] = async (id, admission) => {
    if (admission.expiresAt !== undefined && extensions.push(id) <= failures) throw new Error("away");
    return storage.jobs.admitPages(id, admission);
  };
  return { storage: { ...storage, jobs: { ...storage.jobs, admitPages } }, extensions };
}

test.concurrent("a job that takes longer than jobs are kept goes on to its end, and expires after it", async ({
  expect,
  onTestFinished,
}) => {
  const names = Array.from({ length: 8 }, (_, i) => `/${i}`);
  const slow = (path: string) => [path, { delay: 900, body: page(path) }] as const;
  const { url } = await site({ "/": page("home", names), ...Object.fromEntries(names.map(slow)) }, onTestFinished);
  // A storage that fails for a moment is asked again in time.
  const { storage } = storageWithExtensions(1);
  const engine = engineFor({ storage, limits: { jobTtlMs: 3000 } }, onTestFinished);
  const started = Date.now();
  const job = await engine.crawl({ url, maxConcurrency: 1 });
  const { status, data, expiresAt } = await job.wait();
  expect([status, data.length]).toEqual(["completed", 9]);
  expect(Date.now() - started).toBeGreaterThan(2 * 3000);
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3000);
  await vi.waitFor(() => expect(engine.getCrawlStatus(job.id)).rejects.toMatchObject({ code: "NOT_FOUND" }), {
    timeout: 20_000,
  });
});

test.concurrent("a job that nobody works any more expires in its time", async ({ expect, onTestFinished }) => {
  const { url } = await site({ "/": { delay: 60_000, body: page("home") } }, onTestFinished);
  const storage = memoryStorage();
  const options = { storage, limits: { jobTtlMs: 4000 } };
  const first = engineFor(options, onTestFinished);
  const { id } = await first.crawl({ url });
  await first.close();
  const second = engineFor(options, onTestFinished);
  const { status, expiresAt } = await second.getCrawlStatus(id);
  expect(status).toBe("scraping");
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(4000);
  await vi.waitFor(() => expect(second.getCrawlStatus(id)).rejects.toMatchObject({ code: "NOT_FOUND" }), {
    timeout: 20_000,
  });
});

test.concurrent("what expires after something else goes by itself too", async ({ onTestFinished }) => {
  const { url } = await site(routes, onTestFinished);
  const storage = memoryStorage();
  const engine = engineFor({ storage, limits: { jobTtlMs: 2500 } }, onTestFinished);
  await (await engine.batchScrape({ urls: [url] })).wait();
  // The first is removed more than three seconds after its start, when the second has not expired.
  await new Promise((resolve) => setTimeout(resolve, 2800));
  const second = await engine.batchScrape({ urls: [url] });
  await second.wait();
  await untilGone(storage, second.id, 20_000);
});

test.concurrent("a storage that cannot remove what has expired is asked again", async ({ onTestFinished }) => {
  const { url } = await site(routes, onTestFinished);
  const storage = memoryStorage();
  let sweeps = 0;
  const sweep = (now: number) => (++sweeps === 1 ? Promise.reject(new Error("away")) : storage.sweep(now));
  const engine = engineFor({ storage: { ...storage, sweep }, limits: { jobTtlMs: 2000 } }, onTestFinished);
  const job = await engine.crawl({ url });
  await job.wait();
  await untilGone(storage, job.id, 12_000);
});

test.concurrent("an engine removes what others accepted and it worked on, though they are gone", async ({
  onTestFinished,
}) => {
  const { url } = await site(routes, onTestFinished);
  const storage = memoryStorage();
  const queue = { ...memoryQueue(), close: async () => {} };
  const options = { storage, queue, limits: { jobTtlMs: 2000 } };
  await engineFor(options, onTestFinished).resume();
  const accepting = engineFor({ ...options, work: false }, onTestFinished);
  const job = await accepting.crawl({ url });
  await job.wait();
  await accepting.close();
  await untilGone(storage, job.id, 8000);
});

test("a job that has expired while its process was suspended does not come back", async () => {
  const { url } = await site({ "/a": page("a"), "/never": hostile("/slow-headers/0") });
  const { storage, extensions } = storageWithExtensions();
  const engine = engineFor({ storage, limits: { jobTtlMs: 1000 } });
  const { id } = await engine.batchScrape({ urls: [`${url}/a`, `${url}/never`] });
  await vi.waitFor(async () => expect((await engine.getBatchScrapeStatus(id)).completed).toBe(1), { timeout: 20_000 });
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    vi.setSystemTime(Date.now() + 60_000);
    await untilGone(storage, id, 5000);
    expect(extensions).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

/** What a host learns of its jobs. */
function watched() {
  const told: string[] = [];
  const log = (message: string) => void told.push(message);
  const options: EngineOptions = {
    events: { emit: ({ type, success, error }) => void told.push(`${type} ${success} ${error}`) },
    billing: { authorize: () => ({ allowed: true }), charge() {}, release: () => void told.push("released") },
    logger: { debug() {}, info() {}, warn: log, error: log },
  };
  return { told, options };
}

test("whoever started a job learns that it has expired, and what was reserved for it is released", async () => {
  const { url } = await site({ "/": hostile("/slow-headers/0") });
  const storage = memoryStorage();
  const first = engineFor({ storage });
  const jobs = [await first.crawl({ url }), await first.batchScrape({ urls: [url] })];
  await first.close();
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1000);
  const { told, options } = watched();
  const second = engineFor({ storage, ...options });
  expect(await second.resume()).toEqual({ resumed: [] });
  const warning = "a job expired before it had ended";
  const failed = "failed false The job expired before it had ended";
  await expect
    .poll(() => [...told].sort())
    .toEqual([warning, warning, `batch_scrape.${failed}`, `crawl.${failed}`, "released", "released"]);
  await expect(second.getCrawlStatus(jobs[0]!.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await second.resume()).toEqual({ resumed: [] });
  expect(told).toHaveLength(6);
});

test("an expired job whose end the storage does not take does not keep the others from theirs", async () => {
  const { url } = await site({ "/": hostile("/slow-headers/0") });
  const storage = memoryStorage();
  const first = engineFor({ storage });
  for (let job = 0; job < 2; job++) await first.batchScrape({ urls: [url] });
  await first.close();
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1000);
  vi.spyOn(storage.jobs, "cancelJob").mockRejectedValueOnce(new Error("away"));
  const { told, options } = watched();
  await engineFor({ storage, ...options }).resume();
  await expect.poll(() => told).toContain("batch_scrape.failed false The job expired before it had ended");
  expect(told).toContain("an expired job could not be ended");
});

test("so does whoever started one that is worked on when the clock jumps", async () => {
  const { url } = await site({ "/a": page("a"), "/never": hostile("/slow-headers/0") });
  const { told, options } = watched();
  const engine = engineFor(options);
  const { id } = await engine.batchScrape({ urls: [`${url}/a`, `${url}/never`] });
  await vi.waitFor(async () => expect((await engine.getBatchScrapeStatus(id)).completed).toBe(1), { timeout: 20_000 });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1000);
  const failed = "batch_scrape.failed false The job expired before it had ended";
  await expect.poll(() => told).toEqual(expect.arrayContaining([failed, "released"]));
});

test("a job may be kept for months, longer than timers wait", async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on("warning", onWarning);
  const { url } = await site({ "/a": { delay: 100, body: page("a") } });
  const engine = engineFor({ limits: { jobTtlMs: 60 * 24 * 60 * 60 * 1000 } });
  await (await engine.batchScrape({ urls: [`${url}/a`] })).wait();
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

test("URLs that are added to a batch have as much time as those before them", async () => {
  const { url } = await site({ "/a": page("a"), "/never": hostile("/slow-headers/0") });
  const engine = engineFor({ limits: { jobTtlMs: 60_000 } });
  const job = await engine.batchScrape({ urls: [`${url}/a`] });
  const { expiresAt } = await job.wait();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await engine.batchScrape({ urls: [`${url}/never`], appendToId: job.id });
  const again = await engine.getBatchScrapeStatus(job.id);
  expect(Date.parse(again.expiresAt) - Date.parse(expiresAt)).toBeGreaterThanOrEqual(250);
  await job.cancel();
});

test("under zero data retention documents are erased once they were read to the end", async () => {
  const { url } = await site(routes);
  const engine = engineFor();
  const job = await engine.crawl({ url, zeroDataRetention: true });
  const status = await job.wait();
  expect(status.data).toHaveLength(2);
  expect(status.creditsUsed).toBe(4);
  expect(await engine.getCrawlStatus(job.id)).toMatchObject({
    status: "completed",
    total: 2,
    completed: 2,
    creditsUsed: 4,
    data: [],
    next: null,
  });
  const again: unknown[] = [];
  for await (const document of job) again.push(document);
  expect(again).toEqual([]);

  const read = await engine.crawl({ url, zeroDataRetention: true });
  for await (const _ of read);
  expect((await engine.getCrawlStatus(read.id)).data).toEqual([]);
});

test("zero data retention can be had chunk by chunk", async () => {
  const { url } = await site(routes);
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [url, `${url}/a`], zeroDataRetention: true });
  await vi.waitFor(
    async () => expect((await engine.getBatchScrapeStatus(job.id, { limit: 1 })).status).toBe("completed"),
    { timeout: 20_000 },
  );
  const first = await engine.getBatchScrapeStatus(job.id, { limit: 1 });
  expect(first.data).toHaveLength(1);
  const second = await engine.getBatchScrapeStatus(job.id, { next: first.next ?? "" });
  expect(second).toMatchObject({ next: null, data: [expect.anything()] });
  expect((await engine.getBatchScrapeStatus(job.id)).data).toEqual([]);
});

test("what was read of such a job while it ran has been read when it ends", async () => {
  const answered = Promise.withResolvers<string>();
  const { url } = await site({ "/a": page("a"), "/b": () => answered.promise });
  const engine = engineFor();
  const { id } = await engine.batchScrape({ urls: [`${url}/a`, `${url}/b`], zeroDataRetention: true });
  const read = (skip: number) => engine.getBatchScrapeStatus(id, { skip });
  await expect.poll(async () => (await read(0)).data.length).toBe(1);
  answered.resolve(page("b"));
  await expect.poll(async () => (await read(1)).data.length).toBe(1);
  await expect.poll(async () => (await read(1)).status).toBe("completed");
  expect((await read(0)).data).toEqual([]);
});

test("an engine is closed only when it no longer deletes what has expired", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const begun = Promise.withResolvers<void>();
  let isOver = false;
  const sweep: typeof storage.sweep = async (now) => {
    begun.resolve();
    await new Promise((resolve) => setTimeout(resolve, 300));
    isOver = true;
    return storage.sweep(now);
  };
  const engine = engineFor({ storage: { ...storage, sweep }, limits: { jobTtlMs: 10 } });
  await engine.batchScrape({ urls: [url] });
  await begun.promise;
  await engine.close();
  expect(isOver).toBe(true);
});
