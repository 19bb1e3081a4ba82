/** URLs that are appended to a batch at the very moment it ends are scraped like all others. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Billing, type JobQueue, type JobStore, memoryStorage, type Storage, type Task } from "../src/index.ts";
import { fakeModel, hostile } from "../src/testing/index.ts";
import { engineFor, noPage, page, site } from "./start-engine.ts";

/** A queue that hands each task to the engine within the call. */
function toldQueue(isDown = () => false): JobQueue {
  let work: ((task: Task) => Promise<void>) | undefined;
  return {
    async push(task) {
      if (isDown()) throw new Error("queue down");
      void work?.(task);
    },
    consume: (handle, signal) =>
      new Promise((resolve) => {
        work = handle;
        signal.addEventListener("abort", () => resolve());
      }),
    close: async () => {},
  };
}

/** A storage whose every call on jobs takes a moment before and after, as one behind a network does. */
function distant(storage: Storage, wait: () => Promise<unknown>): Storage {
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof JobStore) {
      const method = target[name] as (...values: unknown[]) => unknown;
      if (name === "listKeys") return method.bind(target);
      return async (...values: unknown[]) => {
        await wait();
        const result = await method.apply(target, values);
        await wait();
        return result;
      };
    },
  });
  return { ...storage, jobs };
}

test("a batch goes on with what is appended as it ends", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const engine = engineFor({ storage: distant(memoryStorage(), () => delay(random() * 5)) });
  for (let round = 0; round < 6; round++) {
    const batches = Array.from({ length: 15 }, async (_, index) => {
      const { id } = await engine.batchScrape({ urls: [`${url}/${index}`] });
      await delay(random() * 40);
      const job = await engine.batchScrape({ urls: [`${url}/${index}/more`], appendToId: id });
      return job.wait({ signal: AbortSignal.timeout(8000) });
    });
    for (const status of await Promise.all(batches)) {
      expect(status).toMatchObject({ status: "completed", total: 2, completed: 2 });
    }
  }
}, 30_000);

test("a batch goes on with what is appended between the answer that it has ended and its end", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  for (let steps = 0; steps < 6; steps++) {
    const storage = memoryStorage();
    const queue = toldQueue();
    let append: (() => Promise<void>) | undefined;
    const jobs = new Proxy(storage.jobs, {
      get(target, name: keyof JobStore) {
        if (name !== "getJob") return (target[name] as () => unknown).bind(target);
        return async (...call: Parameters<JobStore["getJob"]>) => {
          const job = await target.getJob(...call);
          if (job?.state === "completed") append = void append?.();
          return job;
        };
      },
    });
    const engine = engineFor({ storage: { ...storage, jobs }, queue });
    const job = await engine.batchScrape({ urls: [`${url}/a`] });
    append = async () => {
      const pages = [{ url: `${url}/b`, key: "b", depth: 0 }];
      const expiresAt = Date.now() + 60_000;
      await storage.jobs.admitPages(job.id, { pages, leftOut: [], duplicates: "repeat", reopen: true, expiresAt });
      for (let step = 0; step < steps; step++) await undefined;
      await queue.push({ jobId: job.id, team: "default" });
    };
    const listed = async () => (await storage.jobs.getJob(job.id, Date.now()))?.listed;
    await expect.poll(listed, { timeout: 3500, interval: 5 }).toBe(2);
  }
});

test("an append that is stored has succeeded, though the queue fails: the URLs are scraped once it works again", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  let isDown = false;
  const queue = toldQueue(() => isDown);
  const engine = engineFor({ storage, queue });
  const { id } = await engine.batchScrape({ urls: [`${url}/a`] });
  await expect.poll(async () => (await engine.getBatchScrapeStatus(id)).status).toBe("completed");
  isDown = true;
  const job = await engine.batchScrape({ urls: [`${url}/b`], appendToId: id });
  expect((await engine.getBatchScrapeStatus(id)).total).toBe(2);
  isDown = false;
  expect(await job.wait({ signal: AbortSignal.timeout(8000) })).toMatchObject({ status: "completed", completed: 2 });
});

/** A host's billing that takes its time for each answer but the first, and knows what is reserved. */
function slowBilling() {
  const reserved = new Map<string, number>();
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  let answered = 0;
  const billing: Billing = {
    async authorize({ atLeast }, { id }) {
      if (asked++ > 0) await gate.promise;
      reserved.set(id, (reserved.get(id) ?? 0) + atLeast);
      answered++;
      return { allowed: true };
    },
    charge() {},
    release: ({ id }) => void reserved.delete(id),
  };
  return { billing, reserved, asked: () => asked, answer: () => gate.resolve(), answered: () => answered };
}

test("URLs for a batch that is cancelled meanwhile are refused, and cost nothing", async () => {
  const { url } = await site({ "/never": hostile("/slow-headers/0"), "/a": page("a") });
  const { billing, reserved, asked, answer } = slowBilling();
  const engine = engineFor({ billing });
  const job = await engine.batchScrape({ urls: [`${url}/never`] });
  const appended = engine.batchScrape({ urls: [`${url}/a`], appendToId: job.id }).catch((error) => error);
  await expect.poll(asked).toBe(2);
  await job.cancel();
  answer();
  expect(await appended).toMatchObject({ code: "CONFLICT" });
  await expect.poll(() => [...reserved]).toEqual([]);
});

test("what a batch that has ended reserved for URLs that never came is free again", async () => {
  const { url } = await site({ "/a": page("a"), "/b": page("b") });
  const { billing, reserved, asked, answer, answered } = slowBilling();
  const engine = engineFor({ billing });
  const job = await engine.batchScrape({ urls: [`${url}/a`] });
  await job.wait();
  const leaving = new AbortController();
  const appended = engine.batchScrape({ urls: [`${url}/b`], appendToId: job.id }, { signal: leaving.signal });
  await expect.poll(asked).toBe(2);
  leaving.abort();
  await expect(appended).rejects.toBe(leaving.signal.reason);
  answer();
  await expect.poll(answered).toBe(2);
  await expect.poll(() => reserved.size).toBe(0);
  expect(await engine.getBatchScrapeStatus(job.id)).toMatchObject({ status: "completed", total: 1 });
});

test("nothing is reserved for a batch that has ended if none of the URLs for it is valid", async () => {
  const { url } = await site({ "/a": page("a") });
  const { billing, reserved, answered } = slowBilling();
  const engine = engineFor({ billing });
  const { id } = await engine.batchScrape({ urls: [`${url}/a`] });
  await expect.poll(() => [answered(), reserved.size]).toEqual([1, 0]);
  const job = await engine.batchScrape({ urls: ["no url"], ignoreInvalidURLs: true, appendToId: id });
  expect(job.invalidURLs).toEqual(["no url"]);
  expect(await job.wait()).toMatchObject({ status: "completed", total: 1 });
  expect([answered(), ...reserved]).toEqual([1]);
});

test("what a batch at work has reserved stays reserved when URLs for it are not added after all", async () => {
  const { url } = await site({ "/never": hostile("/slow-headers/0"), "/a": page("a") });
  const { billing, reserved, asked, answer, answered } = slowBilling();
  const engine = engineFor({ billing });
  const job = await engine.batchScrape({ urls: [`${url}/never`] });
  const leaving = new AbortController();
  const appended = engine.batchScrape({ urls: [`${url}/a`], appendToId: job.id }, { signal: leaving.signal });
  await expect.poll(asked).toBe(2);
  leaving.abort();
  await expect(appended).rejects.toBe(leaving.signal.reason);
  answer();
  await expect.poll(answered).toBe(2);
  // Releases of a team are delivered in order: that of this call would come after that of the batch.
  const { data } = await engine.scrape({ url: `${url}/a` });
  await expect.poll(() => reserved.has(data.metadata.scrapeId ?? "")).toBe(false);
  expect([...reserved.keys()]).toEqual([job.id]);
  await job.cancel();
});

test("URLs for a batch that keeps no data and has ended meanwhile are refused", async () => {
  const { billing, reserved, asked, answer } = slowBilling();
  const { url } = await site({
    async "/a"() {
      await expect.poll(asked).toBe(2);
      return page("a");
    },
    "/b": page("b"),
  });
  const engine = engineFor({ billing });
  const job = await engine.batchScrape({ urls: [`${url}/a`], zeroDataRetention: true });
  const appended = engine.batchScrape({ urls: [`${url}/b`], appendToId: job.id }).catch((error) => error);
  await expect.poll(async () => (await engine.getBatchScrapeStatus(job.id, { skip: 1 })).status).toBe("completed");
  answer();
  expect(await appended).toMatchObject({ code: "CONFLICT" });
  expect(await engine.getBatchScrapeStatus(job.id)).toMatchObject({ status: "completed", total: 1 });
  await expect.poll(() => [...reserved]).toEqual([]);
});

test("a model lent with what is appended stays, though that of the batch before is taken back late", async () => {
  const gate = Promise.withResolvers<void>();
  const { url } = await site({
    "/a": page("a"),
    "/b": async () => {
      await gate.promise;
      return page("b");
    },
    "/c": page("c"),
  });
  const storage = memoryStorage();
  const late = Promise.withResolvers<void>();
  let [reads, isAppending] = [0, false];
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof JobStore) {
      if (name !== "getJob") return (target[name] as () => unknown).bind(target);
      return async (...call: Parameters<JobStore["getJob"]>) => {
        const job = await target.getJob(...call);
        if (job?.state === "scraping" || isAppending) return job;
        // First the worker sees the end. Whoever waits for it, to take the model back, hears of it late.
        if (++reads > 1) await late.promise;
        return job;
      };
    },
  });
  const engine = engineFor({ storage: { ...storage, jobs } });
  const options = { formats: ["json" as const], jsonOptions: { prompt: "the letter" }, maxConcurrency: 1 };
  const { id } = await engine.batchScrape({ urls: [`${url}/a`], ...options }, { model: fakeModel({ by: "first" }) });
  await expect.poll(() => reads).toBeGreaterThan(1);
  isAppending = true;
  const second = { model: fakeModel({ by: "second" }) };
  const job = await engine.batchScrape({ urls: [`${url}/b`, `${url}/c`], appendToId: id, ...options }, second);
  late.resolve();
  await delay(20);
  gate.resolve();
  const { data } = await job.wait();
  expect(data.map(({ json }) => json)).toEqual([{ by: "first" }, { by: "second" }, { by: "second" }]);
});

test("the model of a call that could not append is not asked about the batch's other pages", async () => {
  const gate = Promise.withResolvers<void>();
  const { url } = await site({
    "*": async ({ url }) => {
      await gate.promise;
      return page(url.pathname);
    },
  });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const options = { formats: ["json" as const], jsonOptions: { prompt: "the letter" } };
  const job = await engine.batchScrape({ urls: [`${url}/a`], ...options }, { model: fakeModel({ by: "first" }) });
  const { admitPages } = storage.jobs;
  storage.jobs.admitPages = () => Promise.reject(new Error("the disk is full"));
  const second = { model: fakeModel({ by: "second" }) };
  const appended = engine.batchScrape({ urls: [`${url}/b`], appendToId: job.id, ...options }, second);
  await expect(appended).rejects.toThrow("the disk is full");
  storage.jobs.admitPages = admitPages;
  gate.resolve();
  expect((await job.wait()).data.map(({ json }) => json)).toEqual([{ by: "first" }]);
  expect(second.model.calls).toEqual([]);
});

test("pages that were appended although the call failed are answered by the model of that call, if there is no other", async () => {
  const gate = Promise.withResolvers<void>();
  const { url } = await site({
    "/a": async () => {
      await gate.promise;
      return page("a");
    },
    "/b": page("b"),
  });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const job = await engine.batchScrape({ urls: [`${url}/a`], maxConcurrency: 1 });
  const { admitPages } = storage.jobs;
  storage.jobs.admitPages = async (...call) => {
    await admitPages(...call);
    throw new Error("connection lost after the commit");
  };
  const options = { formats: ["json" as const], jsonOptions: { prompt: "the letter" } };
  const model = fakeModel({ by: "the lender" });
  const appended = engine.batchScrape({ urls: [`${url}/b`], appendToId: job.id, ...options }, { model });
  await expect(appended).rejects.toThrow("connection lost");
  storage.jobs.admitPages = admitPages;
  gate.resolve();
  expect((await job.wait()).data.map(({ json }) => json)).toEqual([undefined, { by: "the lender" }]);
});

test("what is listed after the state was read is not among its data: counts and data fit each other", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const { id } = await engine.batchScrape({ urls: [`${url}/a`] });
  await expect.poll(async () => (await engine.getBatchScrapeStatus(id)).status).toBe("completed");
  // Another engine reads the job, and the batch goes on and ends again before that one reads the results.
  let appended: string | undefined;
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof JobStore) {
      if (name !== "readResults") return (target[name] as () => unknown).bind(target);
      return async (...call: Parameters<JobStore["readResults"]>) => {
        if (appended !== undefined) {
          const urls = [appended];
          appended = undefined;
          await (await engine.batchScrape({ urls, appendToId: id })).wait();
        }
        return target.readResults(...call);
      };
    },
  });
  const reader = engineFor({ storage: { ...storage, jobs } });
  const handle = await reader.batchScrape({ urls: [`${url}/a`], appendToId: id });
  expect((await handle.wait()).data).toHaveLength(2);
  const fits = { status: "completed", next: null };
  appended = `${url}/b`;
  expect(await handle.wait()).toMatchObject({ ...fits, total: 2, completed: 2, data: { length: 2 } });
  appended = `${url}/c`;
  expect(await reader.getBatchScrapeStatus(id)).toMatchObject({ ...fits, total: 3, completed: 3, data: { length: 3 } });
  expect(await reader.getBatchScrapeStatus(id)).toMatchObject({ ...fits, total: 4, completed: 4, data: { length: 4 } });
});

test("a batch whose only URL failed has completed if another one was appended, and scraped, as it ended", async () => {
  const { url } = await site({ "/a": noPage, "/b": page("b") });
  const storage = memoryStorage();
  let append: (() => Promise<void>) | undefined;
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof JobStore) {
      if (name !== "listFailures") return (target[name] as () => unknown).bind(target);
      return async (id: string) => {
        const failures = await target.listFailures(id);
        const act = append;
        append = undefined;
        if (failures.length > 0) await act?.();
        return failures;
      };
    },
  });
  const engine = engineFor({ storage: { ...storage, jobs } });
  const appended = Promise.withResolvers<void>();
  const started = Promise.withResolvers<string>();
  append = async () => {
    const id = await started.promise;
    await engine.batchScrape({ urls: [`${url}/b`], appendToId: id });
    await expect.poll(async () => (await storage.jobs.getJob(id, Date.now()))?.listed, { interval: 5 }).toBe(2);
    appended.resolve();
  };
  const job = await engine.batchScrape({ urls: [`${url}/a`] });
  started.resolve(job.id);
  await appended.promise;
  expect(await job.wait()).toMatchObject({ status: "completed", total: 2, completed: 1 });
});
