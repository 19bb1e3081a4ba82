/** Parts of a host that throw what is no error, reject late, or never answer: nothing is unhandled, and all ends. */
import { getEventListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { CrawlcoreError, type Logger, memoryQueue, memoryStorage, type Storage } from "../src/index.ts";
import { hostile } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

// Vitest fails a run in which a rejection was not handled.

const thrown: readonly [string, unknown][] = [
  ["undefined", undefined],
  ["an object without a prototype", Object.create(null)],
  [
    "an object that cannot become text",
    {
      toString() {
        throw new Error("no text");
      },
    },
  ],
  [
    "an object that cannot be read",
    new Proxy(
      {},
      {
        get() {
          throw new Error("no reading");
        },
        getPrototypeOf() {
          throw new Error("no reading");
        },
      },
    ),
  ],
];

/** A storage one of whose methods rejects for the first time with `error`. */
function failingOnce(part: "jobs" | "outbox" | "cache" | "ledger", method: string, error: unknown): Storage {
  const storage = memoryStorage();
  let failures = 1;
  const own = storage[part] as unknown as Record<string, (...values: unknown[]) => unknown>;
  const failing = {
    ...own,
    [method]: (...values: unknown[]) => (failures-- > 0 ? Promise.reject(error) : own[method]?.(...values)),
  };
  return { ...storage, [part]: failing };
}

test("a storage may reject with anything", async () => {
  const { url } = await site({ "/": page("home") });
  const calls = [
    ["cache", "put"],
    ["jobs", "claimPages"],
    ["outbox", "take"],
    ["outbox", "settle"],
    ["outbox", "nextDue"],
  ] as const;
  const cases = thrown.flatMap(([name, error]) => calls.map((call) => ({ name, error, call })));
  const ended = cases.map(async ({ name, error, call: [part, method] }) => {
    const engine = engineFor({ storage: failingOnce(part, method, error), events: { emit: () => {} } });
    const job = await engine.batchScrape({ urls: [url] });
    return [name, method, (await job.wait()).status];
  });
  expect(await Promise.all(ended)).toEqual(cases.map(({ name, call }) => [name, call[1], "completed"]));
});

test("a storage may throw where it should reject, also at a heartbeat", async () => {
  const { url } = await site({ "/": hostile("/slow-headers/0") });
  const storage = memoryStorage();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  storage.jobs.renewLeases = () => {
    throw new Error("the connection is closed");
  };
  const claimed = vi.spyOn(storage.jobs, "claimPages");
  const log: unknown[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (_: string, fields?: object) => void log.push(fields) };
  const engine = engineFor({ storage, logger });
  const job = await engine.batchScrape({ urls: [url] });
  await expect.poll(() => claimed.mock.settledResults.length).toBeGreaterThan(0);
  // What a timer throws ends the process.
  vi.advanceTimersByTime(4000);
  await expect.poll(() => log).toEqual([{ error: "the connection is closed" }]);
  await job.cancel();
});

test.each(thrown)("a caller gets an error of the package for %s", async (_, error) => {
  const { url } = await site({ "/": page("home") });
  const crawl = engineFor({ storage: failingOnce("jobs", "createJob", error) }).crawl({ url });
  await expect(crawl).rejects.toSatisfy((seen) => CrawlcoreError.isInstance(seen));
  const scrape = engineFor({ storage: failingOnce("ledger", "charge", error) }).scrape({ url });
  await expect(scrape).rejects.toSatisfy((seen) => CrawlcoreError.isInstance(seen));
});

test("functions that are only told something may be async, and reject", async () => {
  const { url } = await site({ "/": page("home") });
  const reject = async () => {
    throw new Error("nobody listens");
  };
  const logger: Logger = { debug: reject, info: reject, warn: reject, error: reject };
  const span = { set: reject, end: reject };
  const engine = engineFor({
    logger,
    telemetry: { begin: () => span, count: reject },
    storage: failingOnce("cache", "put", new Error("no disk")),
  });
  const job = await engine.crawl({ url });
  expect((await job.wait()).status).toBe("completed");
  await expect(job.wait({ onProgress: reject })).rejects.toMatchObject({ code: "UNKNOWN_ERROR" });
  await delay(20);
});

test("a job that has ended no longer listens to its caller's signal, also when the storage failed meanwhile", async () => {
  const { url } = await site({ "/": { delay: 300, body: page("home") } });
  const storage = memoryStorage();
  let isFailing = false;
  const jobs = {
    ...storage.jobs,
    getJob: (...call: Parameters<typeof storage.jobs.getJob>) =>
      isFailing ? Promise.reject(new Error("no connection")) : storage.jobs.getJob(...call),
  };
  const engine = engineFor({ storage: { ...storage, jobs } });
  const { signal } = new AbortController();
  const job = await engine.crawl({ url }, { signal });
  isFailing = true;
  await delay(700);
  isFailing = false;
  await job.wait();
  await expect.poll(() => getEventListeners(signal, "abort")).toEqual([]);
});

test("what a host's billing reserves after the engine has closed is freed", async () => {
  const answer = Promise.withResolvers<{ allowed: true }>();
  const released: string[] = [];
  const asked: string[] = [];
  const engine = engineFor({
    billing: {
      authorize: (_request, { id }) => {
        asked.push(id);
        return answer.promise;
      },
      charge: () => {},
      release: ({ id }) => void released.push(id),
    },
  });
  const call = expect(engine.scrape({ url: "http://127.0.0.1:1" })).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await expect.poll(() => asked.length).toBe(1);
  await engine.close();
  await call;
  answer.resolve({ allowed: true });
  await expect.poll(() => released).toEqual(asked);
});

const head = { url: "http://x.example/", statusCode: 200, statusText: "OK", headers: {}, redirects: [] };

test.each([
  ["nothing at all", undefined],
  ["a text", "copy"],
  ["a head that is cut off", { storedAt: Date.now(), head: '{"url":', body: new Uint8Array() }],
  ["the head of another version", { storedAt: Date.now(), head: '{"v":2}', body: new Uint8Array() }],
  ["a body that has been through JSON", { storedAt: Date.now(), head: JSON.stringify(head), body: { 0: 60 } }],
])("a cache that gives %s has no copy, for a page and for its changes", async (_, entry) => {
  const server = await site({ "/": page("home") });
  const storage = memoryStorage();
  const engine = engineFor({ storage: { ...storage, cache: { ...storage.cache, get: async () => entry as never } } });
  const { data } = await engine.scrape({ url: server.url, maxAge: 60_000 });
  expect([data.markdown, data.metadata.cacheState]).toEqual([expect.stringContaining("home"), "miss"]);
  const tracked = await engine.scrape({ url: server.url, formats: ["markdown", "changeTracking"] });
  expect([tracked.data.changeTracking?.changeStatus, tracked.data.warning]).toEqual(["new", undefined]);
});

// These wait for what never comes, so they do it together.
test.concurrent("a cache that never answers holds no page for long", async ({ onTestFinished }) => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) }, onTestFinished);
  const storage = memoryStorage();
  const cache = { ...storage.cache, put: () => new Promise<never>(() => {}) };
  const engine = engineFor({ storage: { ...storage, cache } }, onTestFinished);
  const [status] = await Promise.all([
    engine.batchScrape({ urls: [`${url}/a`] }).then((job) => job.wait()),
    engine.scrape({ url: `${url}/b` }),
  ]);
  expect(status.status).toBe("completed");
});

test.concurrent("nor does one that never says what it holds", async ({ onTestFinished }) => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) }, onTestFinished);
  const storage = memoryStorage();
  const cache = { ...storage.cache, get: () => new Promise<never>(() => {}) };
  const engine = engineFor({ storage: { ...storage, cache } }, onTestFinished);
  const { data } = await engine.scrape({ url, maxAge: 1000, timeout: 60_000 });
  expect(data.metadata.cacheState).toBe("miss");
});

for (const method of ["getLast", "put"] as const) {
  test.concurrent(`nor do versions that never answer to ${method}`, async ({ onTestFinished }) => {
    const { url } = await site({ "/": page("home") }, onTestFinished);
    const storage = memoryStorage();
    const versions = { ...storage.versions!, [method]: () => new Promise<never>(() => {}) };
    const engine = engineFor({ storage: { ...storage, versions } }, onTestFinished);
    const { data } = await engine.scrape({ url, formats: ["markdown", "changeTracking"], timeout: 60_000 });
    expect(data.markdown).toContain("home");
    expect(data.changeTracking?.changeStatus).toBe(method === "put" ? "new" : undefined);
  });
}

test.concurrent("closing ends although a queue never answers, and so does the call that waits for it", async ({
  expect,
  onTestFinished,
}) => {
  const push = () => new Promise<never>(() => {});
  const engine = engineFor({ queue: { ...memoryQueue(), push } }, onTestFinished);
  const call = expect(engine.crawl({ url: "http://127.0.0.1:1" })).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await delay(20);
  await engine.close();
  await call;
});
