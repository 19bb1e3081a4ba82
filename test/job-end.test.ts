/** A job ends with its last pages, also when these end together. */
import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryStorage, type Storage } from "../src/index.ts";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** Completes pages as a database does that writes several in one commit: nobody hears of one before all are written. */
function committingTogether(storage: Storage, pages: number): Storage {
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
  let open = pages;
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof Storage["jobs"]) {
      const method = (target[name] as (...parameters: unknown[]) => unknown).bind(target);
      if (name !== "completePage") return method;
      return async (...parameters: unknown[]) => {
        const completed = await method(...parameters);
        if (--open === 0) commit();
        await committed;
        return completed;
      };
    },
  });
  return { ...storage, jobs };
}

test("pages that end in one commit do not wait for each other to end the job", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  // Several times: a timer that looks after jobs might come to help once.
  for (let round = 0; round < 5; round++) {
    const paths = ["/a", "/b", "/c"];
    const memory = memoryStorage();
    const engine = engineFor({ storage: committingTogether(memory, paths.length) });
    const job = await engine.batchScrape({ urls: paths.map((path) => url + path) });
    const read = () => memory.jobs.getJob(job.id, Date.now());
    while ((await read())?.listed !== paths.length) await nextTurn();
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(await read()).toMatchObject({ state: "completed" });
  }
});

test("a job is ended once, though the storage takes its time to say that nothing is open", async () => {
  const { url } = await site({ "/": page("home") });
  const { jobs, ...rest } = memoryStorage();
  let isComplete = false;
  let claims = 0;
  const answers = Promise.withResolvers<void>();
  const slow: typeof jobs = {
    ...jobs,
    async completePage(...completion) {
      const completed = await jobs.completePage(...completion);
      isComplete = true;
      return completed;
    },
    claimPages(...claim) {
      // After the first of these, the worker has asked once more whether anything is open.
      if (isComplete && ++claims === 2) answers.resolve();
      return jobs.claimPages(...claim);
    },
    async getJob(...asked) {
      if (isComplete) await answers.promise;
      return jobs.getJob(...asked);
    },
  };
  const closeJob = vi.spyOn(slow, "closeJob");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const job = await engineFor({ storage: { ...rest, jobs: slow } }).batchScrape({ urls: [url] });
  await expect.poll(() => claims).toBe(1);
  // The next claim comes with a heartbeat.
  vi.advanceTimersByTime(4000);
  expect((await job.wait()).status).toBe("completed");
  expect(closeJob).toHaveBeenCalledTimes(1);
});

test("a signal that fires while the job is being stored cancels it", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const { createJob } = storage.jobs;
  const controller = new AbortController();
  vi.spyOn(storage.jobs, "createJob").mockImplementation(async (about, ...rest) => {
    await createJob(about, ...rest);
    controller.abort(new Error("enough"));
  });
  const cancelJob = vi.spyOn(storage.jobs, "cancelJob");
  const call = engineFor({ storage, work: false }).crawl({ url }, { signal: controller.signal });
  await expect(call).rejects.toThrow("enough");
  await expect.poll(() => cancelJob.mock.results.length).toBe(1);
  expect(await storage.jobs.listOpenJobs({ now: Date.now() })).toEqual([]);
});

test("a signal or a model is no reason to ask the storage again and again about a job that others work on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const storage = memoryStorage();
  const getJob = vi.spyOn(storage.jobs, "getJob");
  const controller = new AbortController();
  const engine = engineFor({ storage, work: false });
  await engine.crawl({ url: "https://a.example" }, { signal: controller.signal, model: fakeModel({}) });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(getJob.mock.calls.length).toBeLessThan(5);
  // It is asked now and then: a signal that lives long must not keep what it was for.
  const [open] = await storage.jobs.listOpenJobs({ now: Date.now() });
  const now = Date.now();
  await storage.jobs.cancelJob(open?.id ?? "", { finishedAt: now, expiresAt: now + 60_000, outbox: [] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("whoever waits for a job that others work on asks the storage the more rarely, the longer it takes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const storage = memoryStorage();
  const engine = engineFor({ storage, work: false });
  const job = await engine.crawl({ url: "https://a.example" });
  const pages = await engine.crawl({ url: "https://b.example" });
  const getJob = vi.spyOn(storage.jobs, "getJob");
  const ended = job.wait();
  const read = Array.fromAsync(pages);
  const looksIn = async (seconds: number) => {
    getJob.mockClear();
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return [job, pages].map(({ id }) => getJob.mock.calls.filter(([asked]) => asked === id).length);
  };
  for (const looks of await looksIn(10)) expect(looks).toBeGreaterThan(15);
  await looksIn(600);
  for (const looks of await looksIn(60)) expect(looks).toBeLessThan(15);
  const now = Date.now();
  for (const { id } of [job, pages]) {
    await storage.jobs.cancelJob(id, { finishedAt: now, expiresAt: now + 60_000, outbox: [] });
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await ended).status).toBe("cancelled");
  expect(await read).toEqual([]);
});

test("whoever has read a job to its end, or stopped before, leaves no timer behind", async () => {
  const { url } = await site({ "*": page("home") });
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [`${url}/a`, `${url}/b`] });
  await job.wait();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await job.wait();
  await Array.fromAsync(job);
  for await (const _ of job) break;
  const stopped = job.wait({ onProgress: () => Promise.reject(new Error("enough")) });
  await expect(stopped).rejects.toThrow("enough");
  expect(vi.getTimerCount()).toBe(0);
});
