/** Jobs of thousands of results in a storage that answers at once: the rest of the process goes on while they are read. */
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryStorage, type Storage } from "../src/index.ts";
import { turnTimes } from "./cpu-time.ts";
import { collectCharges, engineFor, page, site } from "./start-engine.ts";

/** A storage whose jobs have thousands of results once they have ended. */
function withManyResults(count: number): Storage {
  const storage = memoryStorage();
  const document = JSON.stringify({
    markdown: "Some words in a row. ".repeat(500),
    metadata: { sourceURL: "http://x/" },
  });
  return {
    ...storage,
    jobs: {
      ...storage.jobs,
      async getJob(...call) {
        const job = await storage.jobs.getJob(...call);
        return job === null || job.state === "scraping" ? job : { ...job, listed: count, succeeded: count };
      },
      readResults: async (_id, { skip, limit }) => ({
        results: Array.from({ length: Math.min(limit, count - skip) }, () => ({ document, url: null })),
      }),
    },
  };
}

/**
 * How often the event loop went round. Without turns for others it would be once or never; how often it is beyond that
 * depends on the speed of the machine.
 */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work();
  clearImmediate(next);
  return turns;
}

test("others get in between while a job is waited for or iterated", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ storage: withManyResults(4000) });
  const job = await engine.batchScrape({ urls: [url] });
  await expect.poll(async () => (await engine.getBatchScrapeStatus(job.id, { limit: 1 })).status).toBe("completed");
  let seen = 0;
  const turns = await turnsDuring(async () => {
    for await (const _ of job) seen++;
  });
  expect(seen).toBe(4000);
  expect(turns).toBeGreaterThan(2);
  expect(await turnsDuring(async () => expect((await job.wait()).data).toHaveLength(4000))).toBeGreaterThan(2);
});

/** A storage whose jobs have failed at so many pages. */
function withManyFailures(count: number, site: string): Storage {
  const storage = memoryStorage();
  const failures = Array.from({ length: count }, (_, number) => ({
    id: `${number}`,
    timestamp: number,
    url: `${site}/some/way/${number}?a=${number}&b=2`,
    code: "SCRAPE_TIMEOUT",
    error: "It took too long",
  }));
  return { ...storage, jobs: { ...storage.jobs, listFailures: async () => failures } };
}

test("others get in between while the errors of a job that failed at many pages are listed", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ storage: withManyFailures(50_000, url) });
  const job = await engine.batchScrape({ urls: [url] });
  await job.wait();
  const turns = await turnsDuring(async () => {
    const { errors } = await engine.getBatchScrapeErrors(job.id);
    expect(errors).toHaveLength(50_000);
    expect(errors[1]).toMatchObject({ id: "1", timestamp: "1970-01-01T00:00:00.001Z", code: "SCRAPE_TIMEOUT" });
  });
  expect(turns).toBeGreaterThan(2);
});

test("others get in between while a URL is added to a batch that failed at many pages", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ storage: withManyFailures(30_000, url) });
  const { id } = await engine.batchScrape({ urls: [url] });
  const turns = await turnsDuring(() => engine.batchScrape({ urls: [`${url}/a`], appendToId: id }));
  expect(turns).toBeGreaterThan(2);
});

test("others get in between while the errors of a job that left many links out are listed", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const leftOut = Array.from({ length: 30_000 }, (_, number) => ({
    url: `${url}/some/way/${number}?a=${number}&b=2`,
    reason: "MAX_DISCOVERY_DEPTH",
  }));
  const jobs = { ...storage.jobs, listLeftOut: async () => leftOut };
  const engine = engineFor({ storage: { ...storage, jobs } });
  const job = await engine.crawl({ url, maxDiscoveryDepth: 0 });
  await job.wait();
  const turns = await turnsDuring(async () =>
    expect((await engine.getCrawlErrors(job.id)).skipped).toHaveLength(30_000),
  );
  expect(turns).toBeGreaterThan(2);
});

test("others get in between while an extract looks through the links of a page that has tens of thousands", async () => {
  const links = Array.from({ length: 20_000 }, (_, number) => `/docs/some/page-${number}`);
  const data = '<script type="application/ld+json">{"@type":"Product","name":"Kettle"}</script>';
  const { url } = await site({ "/docs/": page("Kettle", links) + data });
  const globs = Array.from({ length: 10 }, (_, number) => `${url}/docs/*/page-*${number}/x`);
  const schema = { type: "object", properties: { name: { type: "string" } } };
  const { longest, total } = await turnTimes(async () => {
    const job = await engineFor().extract({ urls: [`${url}/docs/`, ...globs], schema, limit: 1 });
    expect(await job.wait()).toMatchObject({ status: "completed", data: { name: "Kettle" } });
  });
  // Looked through in one go, the links took a sixth.
  expect(longest).toBeLessThan(total / 20);
});

test("others get in between while the keys of a large job are read", async () => {
  const { url } = await site({ "/": page("home", ["/a"]) });
  const storage = memoryStorage();
  const keys = Array.from({ length: 1000 }, (_, number) => `site.example/some/way/${number}`);
  /** How often the event loop went round while they were read, each time that they were. */
  const turns: number[] = [];
  let round = 0;
  const count = (): void => {
    round++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  async function* listKeys() {
    const begun = round;
    for (let chunks = 0; chunks < 500; chunks++) yield keys;
    turns.push(round - begun);
  }
  const { billing } = collectCharges();
  const engine = engineFor({ billing, storage: { ...storage, jobs: { ...storage.jobs, listKeys } } });
  const crawl = await engine.crawl({ url, maxDiscoveryDepth: 0 });
  await crawl.wait();
  expect((await engine.getCrawlErrors(crawl.id)).skipped).toHaveLength(1);
  const batch = await engine.batchScrape({ urls: [url] });
  await engine.batchScrape({ urls: [`${url}/a`], appendToId: batch.id });
  expect(turns).toHaveLength(3);
  for (const times of turns) expect(times).toBeGreaterThan(0);
});

test("others get in between while a crawl looks which of tens of thousands of links are late", async () => {
  const way = "/some-way".repeat(30);
  const links = Array.from({ length: 15_000 }, (_, number) => `${way}/${number}`);
  const { url } = await site({ "/": page("home", links) });
  const { longest, total } = await turnTimes(async () => {
    expect((await (await engineFor().crawl({ url, limit: 1, maxDepth: 40 })).wait()).total).toBe(1);
  });
  // Looked at in one go, they took a quarter.
  expect(longest).toBeLessThan(total / 8);
});

test("others get in between while pages are refused without any waiting", async () => {
  const engine = engineFor();
  const urls = Array.from({ length: 5000 }, (_, number) => `http://10.0.0.1/${number}`);
  const job = await engine.batchScrape({ urls });
  expect(await turnsDuring(() => job.wait())).toBeGreaterThan(20);
  expect((await engine.getBatchScrapeErrors(job.id)).errors).toHaveLength(5000);
});

test("others get in between while a receiver takes a backlog of events", async () => {
  const held = Promise.withResolvers<void>();
  let seen = 0;
  const all = Promise.withResolvers<void>();
  const engine = engineFor({
    events: {
      async emit() {
        await held.promise;
        if (++seen === 3002) all.resolve();
      },
    },
  });
  const urls = Array.from({ length: 3000 }, (_, number) => `http://10.0.0.1/${number}`);
  await (await engine.batchScrape({ urls })).wait();
  const turns = await turnsDuring(async () => {
    held.resolve();
    await all.promise;
  });
  expect(turns).toBeGreaterThan(20);
});

test("others get in between while a long list of URLs is read, which may be changed meanwhile", async () => {
  const engine = engineFor();
  const urls = Array.from({ length: 20_000 }, (_, number) => `http://10.0.0.1/${number}`);
  const refused = [...urls, "no url"];
  const turns = await turnsDuring(async () => {
    const call = engine.batchScrape({ urls: refused });
    refused.length = 0;
    await expect(call).rejects.toMatchObject({ code: "BAD_REQUEST", details: [{ path: ["urls", 20_000] }] });
  });
  expect(turns).toBeGreaterThan(2);

  const job = await engine.batchScrape({ urls: [...urls, "no url"], ignoreInvalidURLs: true, maxConcurrency: 1 });
  expect(job.invalidURLs).toEqual(["no url"]);
  expect((await engine.getBatchScrapeStatus(job.id, { limit: 1 })).total).toBe(20_000);
  await job.cancel();
});

test("a batch is not started if its call is aborted, or the engine closed, while its URLs are read", async () => {
  const storage = memoryStorage();
  const createJob = vi.spyOn(storage.jobs, "createJob");
  const engine = engineFor({ storage });
  const urls = Array.from({ length: 50_000 }, (_, number) => `http://10.0.0.1/${number}`);
  const caller = new AbortController();
  const aborted = engine.batchScrape({ urls }, { signal: caller.signal });
  setImmediate(() => caller.abort(new Error("gone")));
  await expect(aborted).rejects.toThrow("gone");
  const closed = expect(engine.batchScrape({ urls })).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await engine.close();
  await closed;
  expect(createJob).not.toHaveBeenCalled();
});

test("long work goes on while a host's tests have stopped its timers", async () => {
  const engine = engineFor();
  const urls = [...Array.from({ length: 20_000 }, (_, number) => `http://10.0.0.1/${number}`), "no url"];
  vi.useFakeTimers({ toFake: ["setImmediate"] });
  try {
    await expect(engine.batchScrape({ urls })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  } finally {
    vi.useRealTimers();
  }
});

test("many long calls at once do not hold others up together", async () => {
  const engine = engineFor();
  const urls = [...Array.from({ length: 20_000 }, (_, number) => `http://10.0.0.1/${number}`), "no url"];
  const refused = () => expect(engine.batchScrape({ urls })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await refused();
  const one = await turnsDuring(refused);
  const ten = await turnsDuring(() => Promise.all(Array.from({ length: 10 }, refused)));
  expect(ten).toBeGreaterThan(one * 4);
});

test("others get in between while the memory storage takes a job of many pages", async () => {
  const storage = memoryStorage();
  const pages = Array.from({ length: 50_000 }, (_, number) => ({
    url: `http://x/${number}`,
    key: `${number}`,
    depth: 0,
  }));
  const createdAt = Date.now();
  const about = {
    id: "job",
    team: "default",
    apiKey: null,
    kind: "batch_scrape",
    request: "{}",
    limit: 1_000_000,
    createdAt,
    expiresAt: createdAt + 60_000,
    expanding: false,
    zeroDataRetention: false,
  } as const;
  const turns = await turnsDuring(async () => {
    await Promise.all([storage.jobs.createJob(about, pages, []), storage.jobs.createJob(about, pages, [])]);
  });
  expect(turns).toBeGreaterThan(2);
  expect(await storage.jobs.getJob("job", createdAt)).toMatchObject({ open: 50_000, openPages: 50_000 });
});
