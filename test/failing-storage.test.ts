/** A storage that fails now and then: the job is finished all the same, each page once. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryQueue, memoryStorage, type Storage } from "../src/index.ts";
import { fakeModel, hostile } from "../src/testing/index.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

/** Each of these methods fails the first times it is called. */
function failing(storage: Storage, failures: Partial<Record<keyof Storage["jobs"], number>>): Storage {
  const jobs = new Proxy(storage.jobs, {
    get(target, name: keyof Storage["jobs"]) {
      const method = target[name] as (...parameters: unknown[]) => unknown;
      return (...parameters: unknown[]) => {
        const left = failures[name] ?? 0;
        if (left === 0) return method.apply(target, parameters);
        failures[name] = left - 1;
        return Promise.reject(new Error(`the disk is full (${name})`));
      };
    },
  });
  return { ...storage, jobs };
}

test("pages whose completion failed are done again, and claims, seeds and the end are tried again", async () => {
  const { url } = await site({
    "/": page("home", ["/a", "/b"]),
    "/sitemap.xml": ({ url }) => `<urlset><url><loc>${url.origin}/c</loc></url></urlset>`,
    "*": ({ url }) => page(url.pathname),
  });
  const storage = failing(memoryStorage(), {
    completePage: 2,
    claimPages: 1,
    finishExpansion: 1,
    closeJob: 1,
    admitPages: 1,
  });
  const job = await engineFor({ storage }).crawl({ url });
  const status = await job.wait();
  expect(status).toMatchObject({ status: "completed", total: 4, completed: 4, creditsUsed: 4 });
  expect(paths(status.data)).toEqual(["/", "/a", "/b", "/c"]);
});

test("a storage that fails when it is asked for pages is asked again soon: there need not be a heartbeat", async () => {
  const { url } = await site({ "/": page("home", ["/a"]), "*": page("more") });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const storage = failing(memoryStorage(), { claimPages: 3 });
  const job = await engineFor({ storage }).crawl({ url, ignoreSitemap: true });
  expect(paths((await job.wait()).data)).toEqual(["/", "/a"]);
}, 10_000);

test("a crawl whose sitemap pages the storage never takes ends with the others", async () => {
  const { url } = await site({
    "/": page("home", ["/a"]),
    "/sitemap.xml": ({ url }) => `<urlset><url><loc>${url.origin}/c</loc></url></urlset>`,
    "*": ({ url }) => page(url.pathname),
  });
  const messages: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => void messages.push(message) };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const job = await engineFor({
    storage: failing(memoryStorage(), { admitPages: Number.POSITIVE_INFINITY }),
    logger,
  }).crawl({ url });
  const ended = job.wait();
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(100);
    await nextTurn();
  }
  expect(paths((await ended).data)).toEqual(["/", "/a"]);
  expect(messages).toEqual(Array.from({ length: 13 }, () => "the seeds of a job could not be admitted"));
});

test("a page whose completion breaks off after its charge was booked is charged once", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const completePage = vi.spyOn(storage.jobs, "completePage").mockImplementationOnce(async (_, { charge }) => {
    if (charge !== undefined) await storage.ledger.charge(charge);
    throw new Error("the disk is full");
  });
  const engine = engineFor({ storage });
  expect(await (await engine.crawl({ url })).wait()).toMatchObject({ completed: 1, creditsUsed: 1 });
  expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: 1 }]);
  expect(completePage).toHaveBeenCalledTimes(2);
});

/** A storage that takes no page with this in it, and hands pages out as if they had been tried so often before. */
function refusing(storage: Storage, text: string, attempts: number): Storage {
  const { jobs } = storage;
  return {
    ...storage,
    jobs: new Proxy(jobs, {
      get(target, name: keyof Storage["jobs"]) {
        if (name === "claimPages") {
          return async (...parameters: Parameters<typeof jobs.claimPages>) => {
            const pages = await jobs.claimPages(...parameters);
            return pages.map((page) => ({ ...page, attempt: page.attempt + attempts }));
          };
        }
        if (name === "completePage") {
          return (...[lease, completion]: Parameters<typeof jobs.completePage>) =>
            JSON.stringify(completion).includes(text)
              ? Promise.reject(new Error("row 17 of shard b is too large"))
              : jobs.completePage(lease, completion);
        }
        return (target[name] as () => unknown).bind(target);
      },
    }),
  };
}

test("a page that the storage never takes ends as failed, and its job ends", async () => {
  const { url } = await site({ "/": page("home", ["/a"]), "/a": page("indigestible"), "/b": page("b") });
  const engine = engineFor({ storage: refusing(memoryStorage(), "indigestible", 24) });
  const job = await engine.batchScrape({ urls: [`${url}/a`, `${url}/b`] });
  expect(await job.wait()).toMatchObject({ status: "completed", total: 2, completed: 1, creditsUsed: 1 });
  const { errors } = await engine.getBatchScrapeErrors(job.id);
  expect(errors).toMatchObject([{ url: `${url}/a`, error: "The page could not be stored" }]);
});

test("a crawl whose start the storage never takes has failed", async () => {
  const { url } = await site({ "/": page("indigestible", ["/a"]), "/sitemap.xml": "<urlset></urlset>" });
  const engine = engineFor({ storage: refusing(memoryStorage(), "indigestible", 24) });
  const status = await (await engine.crawl({ url })).wait();
  expect(status).toMatchObject({ status: "failed", total: 1, completed: 0 });
});

test("a job whose signal fires while the storage fails is cancelled all the same", async () => {
  const { url } = await site({ "/": hostile("/slow-headers/0") });
  const engine = engineFor({ storage: failing(memoryStorage(), { cancelJob: 1 }) });
  const leaving = new AbortController();
  const job = await engine.crawl({ url }, { signal: leaving.signal });
  leaving.abort();
  await expect.poll(async () => (await engine.getCrawlStatus(job.id)).status).toBe("cancelled");
});

test("a job whose call has failed is not done later, though the storage failed as well as the queue", async () => {
  const storage = failing(memoryStorage(), { cancelJob: 1 });
  const queue = { ...memoryQueue(), push: () => Promise.reject(new Error("the queue is away")) };
  const call = engineFor({ storage, queue }).crawl({ url: "https://a.example" });
  await expect(call).rejects.toThrow("the queue is away");
  await expect.poll(() => storage.jobs.listOpenJobs({ now: Date.now() })).toEqual([]);
});

test("nor is one that was stored, if the storage's answer was lost", async () => {
  const storage = memoryStorage();
  const { createJob } = storage.jobs;
  vi.spyOn(storage.jobs, "createJob").mockImplementationOnce(async (...job) => {
    await createJob(...job);
    throw new Error("connection lost after the commit");
  });
  const engine = engineFor({ storage });
  await expect(engine.crawl({ url: "https://a.example" })).rejects.toThrow("connection lost");
  expect((await engine.getActiveCrawls()).crawls).toEqual([]);
  expect(await engine.resume()).toEqual({ resumed: [] });
});

test("a batch that was opened again ends again, though the storage's answer was lost", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const job = await engine.batchScrape({ urls: [`${url}/a`] });
  await job.wait();
  const { admitPages } = storage.jobs;
  vi.spyOn(storage.jobs, "admitPages").mockImplementationOnce(async (...pages) => {
    await admitPages(...pages);
    throw new Error("connection lost after the commit");
  });
  const appended = engine.batchScrape({ urls: [`${url}/b`], appendToId: job.id });
  await expect(appended).rejects.toThrow("connection lost");
  expect(await job.wait({ signal: AbortSignal.timeout(8000) })).toMatchObject({ status: "completed", completed: 2 });
});

test("a job keeps the model that its caller has lent it while the storage fails", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ storage: failing(memoryStorage(), { getJob: 2 }) });
  const scrapeOptions = { formats: ["json" as const], jsonOptions: { prompt: "What is it called?" } };
  const job = await engine.crawl({ url, limit: 1, scrapeOptions }, { model: fakeModel(() => ({ name: "home" })) });
  const status = () => engine.getCrawlStatus(job.id).catch(() => undefined);
  await expect.poll(async () => (await status())?.status).toBe("completed");
  expect((await status())?.data).toMatchObject([{ json: { name: "home" } }]);
});

test("who waits for a job is let go by its signal, and by the engine's end, though the storage hangs", async () => {
  const { url } = await site({ "/": hostile("/slow-headers/0") });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const job = await engine.crawl({ url });
  const hanging = Promise.withResolvers<null>();
  storage.jobs.getJob = () => hanging.promise;
  const leaving = new AbortController();
  const left = job.wait({ signal: leaving.signal });
  const stayed = job.wait();
  setTimeout(() => leaving.abort(new Error("gone")), 700);
  await expect(left).rejects.toThrow("gone");
  const closed = engine.close();
  await expect(stayed).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  hanging.resolve(null);
  await closed;
});

test("so is who reads the results of a job", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const job = await engine.batchScrape({ urls: [url] });
  await job.wait();
  const hanging = Promise.withResolvers<{ results: [] }>();
  const asked = vi.spyOn(storage.jobs, "readResults").mockReturnValue(hanging.promise);
  const leaving = new AbortController();
  const left = job.wait({ signal: leaving.signal });
  const stayed = job.wait();
  const iterated = Array.fromAsync(job);
  await expect.poll(() => asked.mock.calls.length).toBe(3);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  const closed = engine.close();
  await expect(stayed).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await expect(iterated).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  hanging.resolve({ results: [] });
  await closed;
});

test("a read that fails now and then ends no reader of a job", async () => {
  const { url } = await site({ "/": page("home", ["/a", "/b"]), "*": ({ url }) => page(url.pathname) });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const job = await engine.crawl({ url });
  await job.wait();
  const failOnce = (name: "getJob" | "readResults") =>
    vi.spyOn(storage.jobs, name).mockRejectedValueOnce(new Error("away"));
  for (const read of [async () => (await job.wait()).data.length, async () => (await Array.fromAsync(job)).length]) {
    const asked = [failOnce("getJob"), failOnce("readResults")];
    expect(await read()).toBe(3);
    for (const { mock } of asked) expect(mock.settledResults[0]).toMatchObject({ type: "rejected" });
    vi.restoreAllMocks();
  }
});

test("a storage that rejects one call and throws in the next leaves no rejection behind", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  const job = await engine.batchScrape({ urls: [url] });
  await job.wait();
  const unseen: unknown[] = [];
  const see = (reason: unknown) => void unseen.push(reason);
  process.on("unhandledRejection", see);
  try {
    storage.jobs.listFailures = () => Promise.reject(new Error("the failures are away"));
    storage.jobs.listLeftOut = () => {
      throw new Error("the driver is broken");
    };
    await expect(engine.getBatchScrapeErrors(job.id)).rejects.toThrow("the failures are away");
    await nextTurn();
  } finally {
    process.off("unhandledRejection", see);
  }
  expect(unseen).toEqual([]);
});

test("why a page was not kept is logged as a code, and never with words of the page", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const [full, worded, read] = ["ENOSPC", "value 'home' is too long", "ERR_SQLITE_ERROR"].map((code) =>
    Object.assign(new Error("no room for 'home'"), { code, errcode: 13 }),
  );
  const failures = [new TypeError("not written: 'home'", { cause: full }), worded, read];
  vi.spyOn(storage.cache, "put").mockImplementation(() => Promise.reject(failures.shift()));
  const errors: unknown[] = [];
  const warn = (message: string, { error }: { error?: unknown } = {}) => {
    if (message === "a page could not be cached") errors.push(error);
  };
  const engine = engineFor({ storage, logger: { debug() {}, info() {}, warn, error() {} } });
  for (let number = 0; number < 3; number++) await engine.scrape({ url, maxAge: 1000 });
  await expect.poll(() => errors).toEqual(["TypeError (ENOSPC 13)", "Error", "Error (ERR_SQLITE_ERROR 13)"]);
});

test("a report on deliveries whose answer was lost does not have the next ones delivered twice at once", async () => {
  const written = Promise.withResolvers<void>();
  const { url } = await site({
    "*": async () => {
      await written.promise;
      return page("home");
    },
  });
  const { outbox, ...rest } = memoryStorage();
  const takenAfterwards = Promise.withResolvers<void>();
  let reports = 0;
  const losing: typeof outbox = {
    ...outbox,
    async take(request) {
      const isAfterwards = reports === 2;
      const taken = await outbox.take(request);
      if (isAfterwards) takenAfterwards.resolve();
      return taken;
    },
    async settle(lane, report) {
      await outbox.settle(lane, report);
      if (++reports > 1) return;
      written.resolve();
      throw new Error("the connection was lost");
    },
  };
  const emitted: string[] = [];
  const emit = async ({ type }: { type: string }) => {
    emitted.push(type);
    if (type.endsWith(".page")) await takenAfterwards.promise;
  };
  const engine = engineFor({ storage: { ...rest, outbox: losing }, events: { emit } });
  await (await engine.batchScrape({ urls: [url] })).wait();
  await expect.poll(() => emitted, { timeout: 8000 }).toContain("batch_scrape.completed");
  expect(emitted).toEqual(["batch_scrape.started", "batch_scrape.page", "batch_scrape.completed"]);
}, 15_000);

test("events whose taking was not answered are delivered when the storage answers again, not when their lease ends", async () => {
  const { url } = await site({ "*": page("home") });
  const { outbox, ...rest } = memoryStorage();
  let isLost = false;
  const losing: typeof outbox = {
    ...outbox,
    async take(request) {
      const taken = await outbox.take(request);
      if (taken.length === 0 || isLost) return taken;
      isLost = true;
      throw new Error("the connection was lost");
    },
  };
  const emitted: string[] = [];
  const events = { emit: ({ type }: { type: string }) => void emitted.push(type) };
  // The lease outlasts what a receiver may take.
  const webhooks = { timeoutMs: 600_000 };
  const engine = engineFor({ storage: { ...rest, outbox: losing }, events, webhooks });
  await (await engine.batchScrape({ urls: [url] })).wait();
  await expect.poll(() => emitted, { timeout: 12_000 }).toContain("batch_scrape.completed");
  expect(emitted).toEqual(["batch_scrape.started", "batch_scrape.page", "batch_scrape.completed"]);
}, 15_000);

test("the end of a job is announced at once, though the storage's answer to it was lost", async () => {
  const { url } = await site({ "*": page("home") });
  const { jobs, outbox, ...rest } = memoryStorage();
  const emitted: string[] = [];
  const allDelivered = Promise.withResolvers<void>();
  const watched: typeof outbox = {
    ...outbox,
    async nextDue() {
      const due = await outbox.nextDue();
      if (due === null && emitted.includes("batch_scrape.page")) allDelivered.resolve();
      return due;
    },
  };
  const losing: typeof jobs = {
    ...jobs,
    async closeJob(...closing) {
      await allDelivered.promise;
      // By then, nothing else leads to a look at the outbox.
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      await jobs.closeJob(...closing);
      throw new Error("the connection was lost");
    },
  };
  const events = { emit: ({ type }: { type: string }) => void emitted.push(type) };
  await engineFor({ storage: { ...rest, jobs: losing, outbox: watched }, events }).batchScrape({ urls: [url] });
  await expect.poll(() => emitted, { timeout: 10_000 }).toContain("batch_scrape.completed");
}, 15_000);
