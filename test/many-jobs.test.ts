/** Thousands of small jobs at once: what each costs does not grow with how many there are. */
import { setTimeout } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

// It takes a few seconds. When all jobs were looked at for each of them, it took many minutes.
test("a thousand jobs of one page come to their end", async () => {
  const { url } = await site({ "*": ({ url }) => ({ delay: 20, body: page(url.pathname) }) });
  const engine = engineFor({ browser: false });
  const jobs = await Promise.all(
    Array.from({ length: 1000 }, (_, number) => engine.batchScrape({ urls: [`${url}/${number}`] })),
  );
  const ended = await Promise.all(jobs.map((job) => job.wait()));
  expect(ended.map(({ completed }) => completed)).toEqual(jobs.map(() => 1));
});

test("jobs that wait for their turn leave the storage alone, and so do those who wait for them", async () => {
  const storage = memoryStorage();
  const claims = vi.spyOn(storage.jobs, "claimPages");
  const reads = vi.spyOn(storage.jobs, "getJob");
  const gate = Promise.withResolvers<void>();
  const { url } = await site({
    "*": async ({ url }) => {
      await gate.promise;
      return page(url.pathname);
    },
  });
  const engine = engineFor({ storage, browser: false, limits: { maxConcurrency: 5 } });
  const jobs = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      engine.batchScrape({ urls: [1, 2, 3].map((place) => `${url}/${number}/${place}`) }),
    ),
  );
  const waiting = Promise.all(jobs.map((job) => job.wait()));
  await setTimeout(1000);
  claims.mockClear();
  reads.mockClear();
  await setTimeout(3000);
  // Asked four times a second as at first, each job would have asked twelve times.
  expect(claims.mock.calls.length).toBeLessThan(3 * jobs.length);
  expect(reads.mock.calls.length).toBeLessThan(3 * jobs.length);
  gate.resolve();
  for (const { completed } of await waiting) expect(completed).toBe(3);
});

test("whoever waits for the end of a job does not ask about each of its pages", async () => {
  const storage = memoryStorage();
  const reads = vi.spyOn(storage.jobs, "getJob");
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const job = await engineFor({ storage, browser: false }).batchScrape({
    urls: Array.from({ length: 100 }, (_, number) => `${url}/${number}`),
  });
  expect((await job.wait()).completed).toBe(100);
  expect(reads.mock.calls.length).toBeLessThan(12);
});

test("a page that was turned away is tried again in time, however long its job has had no other", async () => {
  const times: number[] = [];
  const engine = engineFor({ browser: false });
  // What three seconds and a page take here, however busy the machine is.
  let compared: Promise<number> | undefined;
  const other = await site({ "/": page("other") });
  const { url } = await site({
    "/": () => {
      times.push(performance.now());
      if (times.length > 1) return page("at last");
      compared = setTimeout(3000)
        .then(() => engine.scrape({ url: other.url }))
        .then(() => performance.now());
      return { status: 503, headers: { "retry-after": "3" }, body: "later" };
    },
  });
  const job = await engine.batchScrape({ urls: [url] });
  expect((await job.wait()).completed).toBe(1);
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThan(2990);
  expect(second).toBeLessThan((await compared!) + 600);
}, 30_000);

test("pages of other hosts do not wait behind a thousand jobs for a busy one", async () => {
  const gate = Promise.withResolvers<void>();
  const busy = await site({
    "*": async ({ url }) => {
      await gate.promise;
      return page(url.pathname);
    },
  });
  const other = await site({ "*": ({ url }) => page(url.pathname) });
  const engine = engineFor({ browser: false });
  const jobs = await Promise.all(
    Array.from({ length: 1000 }, (_, number) => engine.batchScrape({ urls: [`${busy.url}/${number}`] })),
  );
  const started = performance.now();
  const [own, foreign] = await Promise.all([
    engine.batchScrape({ urls: [other.url] }).then((job) => job.wait()),
    engine.scrape({ url: `${other.url}/single` }, { team: "another" }),
  ]);
  expect([own.completed, foreign.success]).toEqual([1, true]);
  expect(performance.now() - started).toBeLessThan(10_000);
  gate.resolve();
  for (const job of jobs) expect((await job.wait()).completed).toBe(1);
});
