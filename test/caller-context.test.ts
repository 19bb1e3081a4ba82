/** What a host keeps for its caller in an AsyncLocalStorage is there when its own parts are called. */
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test, vi } from "vitest";
import { memoryQueue, memoryStorage } from "../src/index.ts";
import { fakeModel } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("a model is asked for each page in the context of the call that wants it, also after waiting for its turn", async () => {
  const { url } = await site({ "*": ({ url: { pathname } }) => page(`page ${pathname.slice(1)}`) });
  const caller = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const model = fakeModel(async ({ prompt }) => {
    const name = /# page (\w+)/.exec(prompt)?.[1];
    seen.push(`${name} for ${caller.getStore()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { name };
  });
  const engine = engineFor({ model, limits: { modelConcurrency: 1 } });
  const names = ["one", "two", "three"];
  const scrape = (name: string) =>
    engine.scrape({ url: `${url}/${name}`, formats: ["json"], jsonOptions: { prompt: "the name" } });
  await Promise.all(names.map((name) => caller.run(name, () => scrape(name))));
  expect(seen.sort()).toEqual(["one for one", "three for three", "two for two"]);
});

test("the pages of a job are worked in the context of the call that started it, whoever else has jobs at that time", async () => {
  const { url } = await site({
    "*": ({ url: { pathname } }) => page(`page ${pathname}`, [`${pathname}/a`, `${pathname}/b`, `${pathname}/c`]),
  });
  const caller = new AsyncLocalStorage<string>();
  const seen = new Set<string>();
  const record = (part: string, team: string | undefined) => seen.add(`${part} of ${team} for ${caller.getStore()}`);
  const model = fakeModel(({ prompt }) => {
    record("model", /# page \/(\w+)/.exec(prompt)?.[1]);
    return {};
  });
  const engine = engineFor({
    model,
    browser: { choose: (asked) => void record("choice", new URL(asked.url).pathname.split("/")[1]) },
    limits: { maxConcurrency: 2, maxConcurrencyPerHost: 3 },
  });
  const crawl = async (team: string) => {
    const jsonOptions = { prompt: "anything" };
    const scrapeOptions = { formats: ["json" as const], jsonOptions };
    const job = await engine.crawl({ url: `${url}/${team}`, limit: 12, ignoreSitemap: true, scrapeOptions }, { team });
    await job.wait();
  };
  await Promise.all(["one", "two", "three"].map((team) => caller.run(team, () => crawl(team))));
  const parts = ["choice", "model"];
  const own = parts.flatMap((part) => ["one", "two", "three"].map((team) => `${part} of ${team} for ${team}`));
  expect([...seen].sort()).toEqual(own.sort());
});

test("what is delivered for all teams is delivered in the context of none of their calls", async () => {
  const { url } = await site({ "*": page("page") });
  const caller = new AsyncLocalStorage<string>();
  const seen = { emit: [] as unknown[], charge: [] as unknown[], secret: [] as unknown[] };
  const record = (part: keyof typeof seen) => void seen[part].push(caller.getStore());
  const engine = engineFor({
    events: { emit: () => record("emit") },
    billing: { authorize: () => ({ allowed: true }), charge: () => record("charge") },
    webhooks: { secret: () => void record("secret") },
  });
  const scrape = async (team: string) => {
    const job = await engine.batchScrape({ urls: [`${url}/${team}`], webhook: url }, { team });
    await job.wait();
  };
  const teams = ["one", "two", "three"];
  await Promise.all(teams.map((team) => caller.run(team, () => scrape(team))));
  const all = { emit: { length: 9 }, charge: { length: 3 }, secret: { length: 9 } };
  await vi.waitFor(() => expect(seen).toMatchObject(all), 20_000);
  expect(new Set(Object.values(seen).flat())).toEqual(new Set([undefined]));
});

test("a job that another engine accepted is worked in the context of no caller", async () => {
  const { url } = await site({ "*": page("page") });
  const caller = new AsyncLocalStorage<string>();
  const seen: string[] = [];
  const choose = (asked: { url: string }) => void seen.push(`${new URL(asked.url).pathname} for ${caller.getStore()}`);
  const shared = { storage: memoryStorage(), queue: memoryQueue() };
  const accepting = engineFor({ ...shared, work: false });
  const working = engineFor({ ...shared, browser: { choose } });
  const first = await caller.run("one", () => accepting.batchScrape({ urls: [`${url}/first`] }));
  await caller.run("two", async () => (await working.batchScrape({ urls: [`${url}/second`] })).wait());
  await first.wait();
  expect(new Set(seen)).toEqual(new Set(["/first for undefined", "/second for two"]));
});

test("what has expired is removed in the context of no caller", async () => {
  const caller = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const storage = memoryStorage();
  const sweep: typeof storage.sweep = (now) => {
    seen.push(caller.getStore());
    return storage.sweep(now);
  };
  const engine = engineFor({ storage: { ...storage, sweep }, limits: { jobTtlMs: 1 } });
  await caller.run("one", () => engine.batchScrape({ urls: [] }));
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), 20_000);
  expect(new Set(seen)).toEqual(new Set([undefined]));
});

test("the leases of all jobs are renewed in the context of no caller", async () => {
  const { url } = await site({ "*": () => new Promise<never>(() => {}) });
  const caller = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const storage = memoryStorage();
  const renewLeases: typeof storage.jobs.renewLeases = (...renewal) => {
    seen.push(caller.getStore());
    return storage.jobs.renewLeases(...renewal);
  };
  const engine = engineFor({ storage: { ...storage, jobs: { ...storage.jobs, renewLeases } } });
  await caller.run("one", () => engine.batchScrape({ urls: [url] }));
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), 20_000);
  expect(new Set(seen)).toEqual(new Set([undefined]));
});
