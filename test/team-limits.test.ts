/** Limits of a team over its jobs and single scrapes, and fairness between teams. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryStorage } from "../src/index.ts";
import { createHosts } from "../src/jobs/hosts.ts";
import { hostile } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** A site whose pages take a while, and which counts how many are asked for at once. */
async function slowSite(delay = 30) {
  const seen = { now: 0, most: 0, paths: [] as string[] };
  const server = await site({
    "*": async ({ request }) => {
      seen.now++;
      seen.most = Math.max(seen.most, seen.now);
      seen.paths.push(request.url ?? "");
      await new Promise((resolve) => setTimeout(resolve, delay));
      seen.now--;
      return { body: page("slow") };
    },
  });
  const urls = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${server.url}/${name}/${index}`);
  return { url: server.url, seen, urls };
}

test("jobs and single scrapes of a team share one limit", async () => {
  const { url, seen, urls } = await slowSite();
  const engine = engineFor({ limits: { maxConcurrency: 3 } });
  const jobs = await Promise.all([
    engine.batchScrape({ urls: urls("first", 6) }),
    engine.batchScrape({ urls: urls("second", 6) }),
  ]);
  const scrapes = ["/x", "/y", "/z", "/w"].map((path) => engine.scrape({ url: url + path }));
  const statuses = await Promise.all(jobs.map((job) => job.wait()));
  expect((await Promise.all(scrapes)).every(({ success }) => success)).toBe(true);
  expect(statuses.map(({ completed }) => completed)).toEqual([6, 6]);
  expect(seen.most).toBe(3);
});

test("single scrapes wait their turn; one that waits can be stopped", async () => {
  const { url, seen } = await slowSite(1500);
  const engine = engineFor({ limits: { maxConcurrency: 1 } });
  const stop = new AbortController();
  const first = engine.scrape({ url: `${url}/a` });
  await vi.waitFor(() => expect(seen.now).toBe(1), { timeout: 20_000, interval: 2 });
  const waiting = engine.scrape({ url: `${url}/b` }, { signal: stop.signal });
  // Its turn comes after 1500 ms, and its page takes as long: waiting does not count.
  const last = engine.scrape({ url: `${url}/c`, timeout: 2900 });
  stop.abort(new Error("changed my mind"));
  await expect(waiting).rejects.toThrow("changed my mind");
  await Promise.all([first, last]);
  expect(seen.paths).toEqual(["/a", "/c"]);
  expect(seen.most).toBe(1);
});

test("a scrape that waits begins when a job is cancelled, though the storage still takes its time for the last page", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  const { completePage } = storage.jobs;
  const begun = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  storage.jobs.completePage = async (...call) => {
    begun.resolve();
    await taken.promise;
    return completePage(...call);
  };
  const engine = engineFor({ storage, limits: { maxConcurrency: 1 } });
  const job = await engine.batchScrape({ urls: [`${url}/a`] });
  await begun.promise;
  const scrape = engine.scrape({ url: `${url}/b` });
  // It has been seen by then that there is no place for it.
  await delay(300);
  await job.cancel();
  expect((await scrape).data.markdown).toContain("/b");
  taken.resolve();
}, 10_000);

test("a scrape that waits ends with the engine", async () => {
  const { url, seen } = await slowSite(200);
  const engine = engineFor({ limits: { maxConcurrency: 1 } });
  const calls = [engine.scrape({ url: `${url}/a` }), engine.scrape({ url: `${url}/b` })];
  const outcomes = Promise.allSettled(calls);
  await vi.waitFor(() => expect(seen.now).toBe(1), { timeout: 20_000, interval: 2 });
  await engine.close();
  expect((await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual([
    "ENGINE_CLOSED",
    "ENGINE_CLOSED",
  ]);
});

test("a large job of one team does not hold up a small one of another, nor a scrape of its own team", async () => {
  const { url, seen, urls } = await slowSite(10);
  const engine = engineFor({ limits: { maxConcurrency: 2, maxConcurrencyPerHost: 2 } });
  const large = await engine.batchScrape({ urls: urls("large", 200) }, { team: "a" });
  await vi.waitFor(() => expect(seen.paths.length).toBeGreaterThan(10), { timeout: 20_000, interval: 2 });
  const begun = seen.paths.length;
  const small = await engine.batchScrape({ urls: urls("small", 10) }, { team: "b" });
  const single = engine.scrape({ url: `${url}/single` }, { team: "a" });
  await Promise.all([small.wait(), single]);
  const meanwhile = seen.paths.slice(begun);
  const ofLarge = meanwhile.filter((path) => path.startsWith("/large")).length;
  // Taking turns, the large job gets about as many pages as the small one meanwhile, plus those under way.
  expect(ofLarge).toBeGreaterThan(4);
  expect(ofLarge).toBeLessThan(20);
  await large.cancel();
});

test("pages that hang keep no other team from their host for longer than a minute", async () => {
  const { url } = await site({ "/hangs": hostile("/slow-headers"), "*": ({ url }) => page(url.pathname) });
  const engine = engineFor({ limits: { maxConcurrencyPerHost: 1 } });
  const stop = new AbortController();
  const timeout = 3_600_000;
  const scrape = (path: string, team: string) =>
    engine.scrape({ url: url + path, timeout }, { team, signal: stop.signal });
  const hanging = scrape("/hangs", "a").catch(() => "stopped");
  let isAnswered = false;
  const waiting = scrape("/waits", "b").finally(() => {
    isAnswered = true;
  });
  await delay(50);
  expect(isAnswered).toBe(false);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
  onTestFinished(() => void vi.restoreAllMocks());
  // Whoever comes later does not wait, and wakes the others.
  const { data } = await scrape("/comes", "c");
  expect(data.metadata.title).toBe("/comes");
  expect((await waiting).data.metadata.title).toBe("/waits");
  stop.abort();
  expect(await hanging).toBe("stopped");
});

test("those who wait for a host are woken when pages that hang give up their places", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onRoom = vi.fn();
  const hosts = createHosts(1, onRoom);
  const begunAt = hosts.enter("x.example");
  vi.advanceTimersByTime(59_000);
  expect(hosts.isFree("x.example", performance.now())).toBe(false);
  vi.advanceTimersByTime(2000);
  expect(onRoom).toHaveBeenCalledTimes(1);
  expect(hosts.isFree("x.example", performance.now())).toBe(true);
  hosts.leave("x.example", begunAt);
  vi.advanceTimersByTime(120_000);
  expect(onRoom).toHaveBeenCalledTimes(1);
});

test("they are woken a minute after the pages that hang began, also if others had their places before", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onRoom = vi.fn();
  const hosts = createHosts(2, onRoom);
  const places = [hosts.enter("x.example"), hosts.enter("x.example")];
  vi.advanceTimersByTime(50_000);
  for (const begunAt of places) {
    hosts.leave("x.example", begunAt);
    hosts.enter("x.example");
  }
  vi.advanceTimersByTime(59_000);
  expect(onRoom).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(onRoom).toHaveBeenCalled();
  expect(hosts.isFree("x.example", performance.now())).toBe(true);
});

test("within a team, jobs take turns", async () => {
  const { seen, urls } = await slowSite(10);
  const engine = engineFor({ limits: { maxConcurrency: 2 } });
  const large = await engine.batchScrape({ urls: urls("large", 100) });
  await vi.waitFor(() => expect(seen.paths.length).toBeGreaterThan(5), { timeout: 20_000, interval: 2 });
  const begun = seen.paths.length;
  const small = await engine.batchScrape({ urls: urls("small", 6) });
  await small.wait();
  expect(seen.paths.slice(begun).filter((path) => path.startsWith("/large")).length).toBeLessThan(14);
  await large.cancel();
});

test("single scrapes do not wait behind dozens of jobs, nor these behind dozens of scrapes", async () => {
  const { url, seen, urls } = await slowSite(10);
  const engine = engineFor({ limits: { maxConcurrency: 2 } });
  const jobs = await Promise.all(
    Array.from({ length: 60 }, (_, number) => engine.batchScrape({ urls: urls(`job-${number}`, 4) })),
  );
  await vi.waitFor(() => expect(seen.paths.length).toBeGreaterThan(10), { timeout: 20_000, interval: 2 });
  const begun = seen.paths.length;
  await Promise.all(Array.from({ length: 20 }, (_, number) => engine.scrape({ url: `${url}/single/${number}` })));
  const ofJobs = seen.paths.slice(begun).filter((path) => path.startsWith("/job-")).length;
  // One of each in turn; without turns of their own the scrapes would have waited for sixty pages each.
  expect(ofJobs).toBeGreaterThan(10);
  expect(ofJobs).toBeLessThan(30);
  await Promise.all(jobs.map((job) => job.cancel()));
});

test("only the team's own crawls are active", async () => {
  const { url } = await slowSite(300);
  const engine = engineFor();
  const mine = await engine.crawl({ url }, { team: "a" });
  await engine.crawl({ url }, { team: "b" });
  await engine.batchScrape({ urls: [url] }, { team: "a" });
  const { crawls } = await engine.getActiveCrawls({ team: "a" });
  expect(crawls.map(({ id, teamId }) => [id, teamId])).toEqual([[mine.id, "a"]]);
});
