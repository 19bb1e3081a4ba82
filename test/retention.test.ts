/** What is kept, and for how long: expiry, zero data retention. */
import { expect, test, vi } from "vitest";
import { memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const routes = { "/": page("home", ["/a"]), "/a": page("a") };

test("a job expires after its time, and its data goes by itself", async () => {
  const { url } = await site(routes);
  const storage = memoryStorage();
  const engine = engineFor({ storage, limits: { jobTtlMs: 1500 } });
  const job = await engine.crawl({ url });
  const { expiresAt } = await job.wait();
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(1500);
  await vi.waitFor(() => expect(engine.getCrawlStatus(job.id)).rejects.toMatchObject({ code: "NOT_FOUND" }), {
    timeout: 5000,
  });
  await vi.waitFor(
    async () =>
      expect((await storage.jobs.readResults(job.id, { skip: 0, limit: 1, maxBytes: 1 })).documents).toEqual([]),
    { timeout: 5000 },
  );
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
  await vi.waitFor(async () =>
    expect((await engine.getBatchScrapeStatus(job.id, { limit: 1 })).status).toBe("completed"),
  );
  const first = await engine.getBatchScrapeStatus(job.id, { limit: 1 });
  expect(first.data).toHaveLength(1);
  const second = await engine.getBatchScrapeStatus(job.id, { next: first.next ?? "" });
  expect(second).toMatchObject({ next: null, data: [expect.anything()] });
  expect((await engine.getBatchScrapeStatus(job.id)).data).toEqual([]);
});
