/** Jobs of which something is stored that nobody can read: they end, and say so. */
import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { type JobEvent, memoryQueue, memoryStorage, type NewJob } from "../src/index.ts";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const day = 24 * 60 * 60 * 1000;

const broken: readonly [name: string, fields: Partial<NewJob>][] = [
  ["a request that is no JSON", { request: '{"url": "https://a.exa' }],
  ["a request of another version", { request: "{}" }],
  ["a kind that nobody knows", { kind: "screenshot_tour" as "crawl" }],
];

test.each(broken)("a job with %s fails after a few tries", async (_, fields) => {
  const storage = memoryStorage();
  const events: JobEvent[] = [];
  const now = Date.now();
  const about = { id: "0199a0b4-6d5c-7c1e-8f4e-000000000001", team: "default", apiKey: null, kind: "crawl" } as const;
  const rest = { request: "{}", limit: 10, zeroDataRetention: false, createdAt: now, expiresAt: now + day };
  const job: NewJob = { ...about, ...rest, expanding: true, ...fields };
  const pages = ["a", "b"].map((key) => ({ url: `https://${key}.example/`, key, depth: 0 }));
  await storage.jobs.createJob(job, pages, []);
  const engine = engineFor({
    storage,
    queue: memoryQueue({ redeliverAfterMs: 10 }),
    events: { emit: (event) => void events.push(event) },
  });
  expect(await engine.resume()).toEqual({ resumed: [job.id] });
  await expect.poll(async () => (await storage.jobs.getJob(job.id, now))?.state).toBe("failed");
  const error = expect.stringContaining("not understood by this version");
  expect(await storage.jobs.getJob(job.id, now)).toMatchObject({ error, openPages: 0, creditsUsed: 0 });
  await expect.poll(() => events.at(-1)).toMatchObject({ type: `${job.kind}.failed`, success: false, error });
  expect((await engine.getActiveCrawls()).crawls).toEqual([]);
  if (job.kind !== "crawl") return;
  expect(await engine.getCrawlStatus(job.id)).toMatchObject({ status: "failed", total: 2, completed: 0 });
  const { errors } = await engine.getCrawlErrors(job.id);
  expect(errors).toMatchObject([{ url: "https://a.example/", error }, { url: "https://b.example/" }]);
});

/** The name of a worker whose process, on this machine, is over. */
function deadWorker(): string {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  return `${hostname()}/${pid}/dead`;
}

test.each([
  ["under ids of their own", deadWorker],
  // As in a container, where each process has the id of the one before it.
  ["under the id of this process", () => `${hostname()}/${process.pid}/earlier`],
])("a page with which five processes died %s fails, and those that were only stopped do not count", async (_, name) => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  const idle = engineFor({ storage, work: false });
  const job = await idle.batchScrape({ urls: [`${url}/deadly`, `${url}/other`] });
  const dead = name();
  const now = Date.now();
  for (let deaths = 0; deaths < 5; deaths++) {
    const claim = { worker: dead, count: 1, now, leaseUntil: now + day };
    expect(await storage.jobs.claimPages(job.id, claim)).toMatchObject([{ url: `${url}/deadly`, deaths }]);
    await storage.jobs.claimPages(job.id, { ...claim, worker: "stopping" });
    await storage.jobs.releaseLeases("stopping");
    await idle.resume();
  }
  await engineFor({ storage }).resume();
  await expect.poll(async () => (await idle.getBatchScrapeStatus(job.id)).status).toBe("completed");
  expect(await idle.getBatchScrapeStatus(job.id)).toMatchObject({ total: 2, completed: 1, creditsUsed: 1 });
  const { errors } = await idle.getBatchScrapeErrors(job.id);
  expect(errors).toMatchObject([{ url: `${url}/deadly`, error: expect.stringContaining("5 times the process ended") }]);
});

test("of a job, pages that may kill the process are worked on one by one", async () => {
  let running = 0;
  let most = 0;
  const { url } = await site({
    "*": async ({ url }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      return page(url.pathname);
    },
  });
  const storage = memoryStorage();
  const idle = engineFor({ storage, work: false });
  const { id } = await idle.batchScrape({ urls: ["/a", "/b", "/c"].map((path) => url + path) });
  const dead = deadWorker();
  const now = Date.now();
  for (let deaths = 0; deaths < 2; deaths++) {
    await storage.jobs.claimPages(id, { worker: dead, count: 9, now, leaseUntil: now + day });
    await idle.resume();
  }
  await engineFor({ storage }).resume();
  await expect.poll(async () => (await idle.getBatchScrapeStatus(id)).completed, { timeout: 20_000 }).toBe(3);
  expect(most).toBe(1);
});

test("other jobs at work are no reason to try more often to end one whose end the storage does not take", async () => {
  const { url } = await site({ "/a": page("a"), "*": ({ url }) => ({ delay: 50, body: page(url.pathname) }) });
  const { jobs, ...rest } = memoryStorage();
  const refused = new Map<string, number>();
  const refusing = {
    ...jobs,
    closeJob: (id: string) => {
      refused.set(id, (refused.get(id) ?? 0) + 1);
      return Promise.reject(new Error("the disk is full"));
    },
  };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const engine = engineFor({ storage: { ...rest, jobs: refusing } });
  const long = await engine.batchScrape({
    urls: Array.from({ length: 20 }, (_, number) => `${url}/${number}`),
    maxConcurrency: 1,
  });
  const short = await engine.batchScrape({ urls: [`${url}/a`] });
  // The long one takes as long as several looks at the jobs.
  await expect.poll(() => refused.get(long.id)).toBe(1);
  expect(refused.get(short.id)).toBe(1);
  vi.advanceTimersByTime(4000);
  await expect.poll(() => [...refused.values()]).toEqual([2, 2]);
});

test("a job whose end the storage never takes fails, and is not ended again and again", async () => {
  const { url } = await site({ "/": page("Kettle") });
  const { jobs, ...rest } = memoryStorage();
  let refused = 0;
  const storage = {
    ...rest,
    jobs: new Proxy(jobs, {
      get(target, name: keyof typeof jobs) {
        if (name !== "closeJob") return target[name];
        return (...[id, closing]: Parameters<typeof jobs.closeJob>) => {
          if (closing.result === undefined) return jobs.closeJob(id, closing);
          refused++;
          return Promise.reject(new Error("row 17 of shard b is too large"));
        };
      },
    }),
  };
  const schema = { type: "object", properties: { name: { type: "string" } } };
  // The tries are made at heartbeats.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const job = await engineFor({ storage, model: fakeModel({ name: "Kettle" }) }).extract({ urls: [url], schema });
  await expect.poll(() => refused).toBeGreaterThan(0);
  let isOver = false;
  const ended = job.wait().finally(() => {
    isOver = true;
  });
  while (!isOver && refused < 100) {
    vi.advanceTimersByTime(4000);
    await new Promise(setImmediate);
  }
  const status = await ended;
  expect(status).toMatchObject({ status: "failed", error: "The end of the job could not be stored", data: [] });
  expect(refused).toBe(10);
});
