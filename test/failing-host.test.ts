/** What a host brings may fail, or never answer: a call still ends when it should, with an error of the package. */
import { expect, test } from "vitest";
import { type Authorization, type Billing, createEngine, memoryQueue, memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const never = () => new Promise<never>(() => {});
const silentBilling: Billing = { authorize: never, charge: async () => {} };

test("a signal ends a call that waits for the host's billing, and so does closing", async () => {
  const engine = engineFor({ billing: silentBilling });
  const url = "http://127.0.0.1:1";
  const context = { signal: AbortSignal.timeout(50) };
  for (const call of [engine.scrape({ url }, context), engine.crawl({ url }, context), engine.map({ url }, context)]) {
    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
  }
  const waiting = expect(engine.batchScrape({ urls: [url] })).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  await engine.close();
  await waiting;
});

test("the timeout of a call also holds for the host's billing; what is allowed later is released", async () => {
  const { url } = await site({ "/": page("home") });
  const late: ((answer: Authorization) => void)[] = [];
  const reserved: string[] = [];
  const released: string[] = [];
  const authorize: Billing["authorize"] = (_, { id }) => {
    reserved.push(id);
    return new Promise((resolve) => void late.push(resolve));
  };
  const engine = engineFor({ billing: { authorize, charge() {}, release: ({ id }) => void released.push(id) } });
  await expect(engine.scrape({ url, timeout: 50 })).rejects.toMatchObject({
    code: "SCRAPE_TIMEOUT",
    message: "Not finished within 50 ms: waited for billing.authorize",
  });
  await expect(engine.map({ url, timeout: 50 })).rejects.toMatchObject({ code: "MAP_TIMEOUT" });
  await expect(engine.search({ query: "home", timeout: 50 })).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
  for (const allow of late) allow({ allowed: true });
  await expect.poll(() => released).toEqual(reserved);
  expect(reserved).toHaveLength(3);
});

test("a job that was accepted while the engine closed is known to its caller, and can be resumed", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const jobs = {
    ...storage.jobs,
    createJob: async (...job: Parameters<typeof storage.jobs.createJob>) => {
      await storage.jobs.createJob(...job);
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
  };
  const engine = engineFor({ storage: { ...storage, jobs } });
  const accepted = engine.crawl({ url });
  await new Promise((resolve) => setTimeout(resolve, 10));
  await engine.close();
  const { id } = await accepted;
  expect(await engineFor({ storage }).resume()).toEqual({ resumed: [id] });
});

test("the timeout of a page also holds for a proxies function", async () => {
  const engine = engineFor({ proxies: never });
  const scrape = engine.scrape({ url: "http://127.0.0.1:1", timeout: 100 });
  await expect(scrape).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
});

test.each([
  [5, "a value of the type number"],
  ["proxy.example:8080", "another text"],
])("a proxies function that gives %j is named in the error, and nobody's request is", async (given, named) => {
  const engine = engineFor({ proxies: () => given as string });
  await expect(engine.scrape({ url: "http://127.0.0.1:1" })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: `The engine's proxies function must give http://[user:password@]host:port, https://… or null, not ${named}`,
  });
});

test("a converter that gives a promise instead of a text is named in the error", async () => {
  const { url } = await site({ "/": page("home") });
  const turndown = { turndown: () => Promise.reject(new Error("unheard")) as unknown as string };
  for (const removeBase64Images of [true, false]) {
    await expect(engineFor({ turndown }).scrape({ url, removeBase64Images })).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: "The engine's turndown must give a text, not a promise",
    });
  }
});

test("a cache that cannot be read is a cache without the page", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  const cache = { get: () => Promise.reject(new Error("no disk")), put: () => Promise.reject(new Error("no disk")) };
  const { data } = await engineFor({ storage: { ...storage, cache } }).scrape({ url, maxAge: 60_000 });
  expect(data.metadata).toMatchObject({ title: "home", cacheState: "miss" });
});

test("a queue that fails is asked again", async () => {
  const { url } = await site({ "/": page("home") });
  const queue = memoryQueue();
  let failures = 1;
  const failing = {
    ...queue,
    consume: (...consumer: Parameters<typeof queue.consume>) =>
      failures-- > 0 ? Promise.reject(new Error("no connection")) : queue.consume(...consumer),
  };
  const job = await engineFor({ queue: failing }).crawl({ url });
  expect((await job.wait()).status).toBe("completed");
});

test("a job that could not be put into the queue is not at work later", async () => {
  const { url } = await site({ "/": page("home") });
  const push = () => Promise.reject(new Error("no connection"));
  const engine = engineFor({ queue: { ...memoryQueue(), push } });
  await expect(engine.crawl({ url })).rejects.toMatchObject({ code: "UNKNOWN_ERROR" });
  expect((await engine.getActiveCrawls()).crawls).toEqual([]);
  expect(await engine.resume()).toEqual({ resumed: [] });
});

test("an outbox that fails once is looked at again", async () => {
  const { url } = await site({ "/": page("home") });
  const storage = memoryStorage();
  let failures = Number.POSITIVE_INFINITY;
  const types: string[] = [];
  const outbox = {
    ...storage.outbox,
    take: (...taken: Parameters<typeof storage.outbox.take>) =>
      failures-- > 0 ? Promise.reject(new Error("no disk")) : storage.outbox.take(...taken),
  };
  const engine = engineFor({ storage: { ...storage, outbox }, events: { emit: ({ type }) => void types.push(type) } });
  await (await engine.crawl({ url })).wait();
  failures = 1;
  await expect.poll(() => types).toEqual(["crawl.started", "crawl.page", "crawl.completed"]);
});

test("what was delivered is settled once the storage works again, and the rest follows", async () => {
  const { url } = await site({ "/": { delay: 100, body: page("home") } });
  const storage = memoryStorage();
  let failures = 1;
  const types: string[] = [];
  const outbox = {
    ...storage.outbox,
    settle: (...settled: Parameters<typeof storage.outbox.settle>) =>
      failures-- > 0 ? Promise.reject(new Error("no disk")) : storage.outbox.settle(...settled),
  };
  const engine = engineFor({ storage: { ...storage, outbox }, events: { emit: ({ type }) => void types.push(type) } });
  await (await engine.crawl({ url })).wait();
  await expect.poll(() => types).toEqual(["crawl.started", "crawl.page", "crawl.completed"]);
});

test("closing goes on to its end when a part of the host fails, and says so with an error of the package", async () => {
  let closed = false;
  const storage = memoryStorage();
  const queue = memoryQueue();
  const engine = createEngine({
    queue: {
      ...queue,
      consume: async (_, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        throw new Error("no connection");
      },
    },
    storage: {
      ...storage,
      close() {
        closed = true;
        return Promise.reject(new Error("no disk"));
      },
    },
  });
  await engine.crawl({ url: "http://127.0.0.1:1" });
  await expect(engine.close()).rejects.toMatchObject({ code: "UNKNOWN_ERROR", cause: { message: "no disk" } });
  expect(closed).toBe(true);
});
