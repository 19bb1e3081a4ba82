/** Leases that nobody knows of, since the answer to the claim was lost, are not kept alive. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("only leases of claims that were answered are renewed", async () => {
  const answered = Promise.withResolvers<string>();
  const { url } = await site({ "*": () => answered.promise });
  const storage = memoryStorage();
  const holders: string[] = [];
  const renewed = new Set<string>();
  const engine = engineFor({
    storage: {
      ...storage,
      jobs: {
        ...storage.jobs,
        async claimPages(jobId, claim) {
          const pages = await storage.jobs.claimPages(jobId, claim);
          holders.push(claim.worker);
          if (holders.length === 1) throw new Error("connection lost after the commit");
          return pages;
        },
        renewLeases(worker, leaseUntil) {
          renewed.add(worker);
          return storage.jobs.renewLeases(worker, leaseUntil);
        },
      },
    },
  });
  const lost = await engine.batchScrape({ urls: [url] });
  await expect.poll(() => holders.length).toBeGreaterThan(0);
  await engine.batchScrape({ urls: [url] });
  await expect.poll(() => renewed.size).toBeGreaterThan(0);
  expect(renewed).not.toContain(holders[0]);
  expect(holders).toEqual(expect.arrayContaining([...renewed]));
  answered.resolve(page("late"));
  // It is there, and free once its lease has run out.
  expect(await engine.getBatchScrapeStatus(lost.id)).toMatchObject({ status: "scraping", total: 1 });
});

test("a page whose lease is lost while the storage fails does not cost the pages leased with it their lease", async () => {
  const answered = Promise.withResolvers<string>();
  onTestFinished(() => answered.resolve(page("late")));
  const { url } = await site({ "/lost": page("lost"), "/slow": () => answered.promise });
  const storage = memoryStorage();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const look = vi.spyOn(storage.jobs, "getJob");
  vi.spyOn(storage.jobs, "completePage").mockImplementationOnce(async (lease) => {
    look.mockRejectedValueOnce(new Error("away"));
    // Somebody else has finished it.
    await storage.jobs.completePage(lease, {
      outcome: "dropped",
      completedAt: Date.now(),
      discovered: [],
      leftOut: [],
      outbox: [],
    });
    return { status: "fenced", openPages: 1, expanding: false };
  });
  const retry = vi.spyOn(storage.jobs, "retryPage");
  const renew = vi.spyOn(storage.jobs, "renewLeases");
  await engineFor({ storage }).batchScrape({ urls: [`${url}/lost`, `${url}/slow`] });
  await expect.poll(() => look.mock.settledResults.some(({ type }) => type === "rejected")).toBe(true);
  await nextTurn();
  vi.advanceTimersByTime(4000);
  await expect.poll(() => retry.mock.settledResults.at(-1)).toEqual({ type: "fulfilled", value: false });
  await nextTurn();
  renew.mockClear();
  vi.advanceTimersByTime(4000);
  expect(renew).toHaveBeenCalledTimes(1);
});

test("the leases of a job that was cancelled while pages waited for their turn are not renewed", async () => {
  const answered = Promise.withResolvers<string>();
  onTestFinished(() => answered.resolve(page("late")));
  const server = await site({ "*": () => answered.promise });
  const storage = memoryStorage();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const renew = vi.spyOn(storage.jobs, "renewLeases");
  const engine = engineFor({ storage });
  const batch = (team: string, ...names: string[]) =>
    engine.batchScrape({ urls: names.map((name) => `${server.url}/${name}`), maxConcurrency: 1 }, { team });
  await batch("other", "a");
  const cancelled = await batch("team", "b", "c", "d");
  await expect.poll(() => server.requests.size).toBe(2);
  await cancelled.cancel();
  await expect.poll(async () => (await storage.jobs.listLeaseHolders()).length).toBe(1);
  await nextTurn();
  vi.advanceTimersByTime(4000);
  expect(renew.mock.calls.map(([holder]) => holder)).toEqual(await storage.jobs.listLeaseHolders());
});

test("the leases of pages that have all been finished are not renewed", async () => {
  const answered = Promise.withResolvers<string>();
  onTestFinished(() => answered.resolve(page("late")));
  const { url } = await site({ "/quick": page("quick"), "/slow": () => answered.promise });
  const storage = memoryStorage();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const claim = vi.spyOn(storage.jobs, "claimPages");
  const renew = vi.spyOn(storage.jobs, "renewLeases");
  const engine = engineFor({ storage });
  const { id } = await engine.batchScrape({ urls: [`${url}/slow`] });
  for (let batch = 0; batch < 3; batch++) await (await engine.batchScrape({ urls: [`${url}/quick`] })).wait();
  vi.advanceTimersByTime(4000);
  const { worker } = claim.mock.calls.find(([jobId]) => jobId === id)![1];
  expect(renew.mock.calls.map(([holder]) => holder)).toEqual([worker]);
});
