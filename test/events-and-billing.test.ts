/** The host's own sinks: events of every job in this process, and its own billing. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type Billing,
  type BillingRequest,
  type Charge,
  type JobEvent,
  memoryQueue,
  memoryStorage,
} from "../src/index.ts";
import { hostile } from "../src/testing/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const routes = { "/": page("home", ["/a"]), "/a": page("a") };

test("a sink gets every event of every job, typed, in order", async () => {
  const { url } = await site(routes);
  const events: JobEvent[] = [];
  const engine = engineFor({ events: { emit: (event) => void events.push(event) } });
  const job = await engine.crawl({ url }, { team: "a" });
  await job.wait();
  await vi.waitFor(() => expect(events.at(-1)?.type).toBe("crawl.completed"), { timeout: 20_000 });
  expect(events.map(({ type }) => type)).toEqual(["crawl.started", "crawl.page", "crawl.page", "crawl.completed"]);
  expect(events[1]).toMatchObject({
    team: "a",
    jobId: job.id,
    success: true,
    metadata: {},
    at: expect.stringMatching(/^\d{4}-/),
  });
  expect((events[1]?.data[0] as { markdown: string } | undefined)?.markdown).toContain("home");
});

test("without anybody to tell, nothing waits for a delivery", async () => {
  const { url } = await site(routes);
  const storage = memoryStorage();
  const engine = engineFor({ storage });
  await (await engine.crawl({ url })).wait();
  await engine.scrape({ url });
  expect(await storage.outbox.nextDue()).toBeNull();
});

test("whoever hears of a job that could not be started hears that it has failed", async () => {
  const events: JobEvent[] = [];
  const queue = { ...memoryQueue(), push: () => Promise.reject(new Error("the queue is away")) };
  const engine = engineFor({ queue, events: { emit: (event) => void events.push(event) } });
  await expect(engine.crawl({ url: "https://site.example/" })).rejects.toThrow("the queue is away");
  await vi.waitFor(
    () =>
      expect(events).toMatchObject([
        { type: "crawl.started", success: true },
        { type: "crawl.failed", success: false, error: "The job could not be started" },
      ]),
    { timeout: 20_000 },
  );
});

test("a sink that throws or stalls does no harm, and gets what it refused again", async () => {
  const { url } = await site(routes);
  const good: string[] = [];
  const flaky: string[] = [];
  const engine = engineFor({
    events: [
      { emit: () => new Promise(() => {}) },
      { emit: ({ type }) => void good.push(type) },
      {
        emit({ id, type }) {
          flaky.push(`${type} ${id}`);
          if (flaky.length === 1) throw new Error("not now");
        },
      },
    ],
  });
  expect((await (await engine.crawl({ url })).wait()).completed).toBe(2);
  await vi.waitFor(() => expect(good).toHaveLength(4), { timeout: 20_000 });
  await vi.waitFor(() => expect(flaky).toHaveLength(5), { timeout: 20_000 });
  expect(flaky[0]).toBe(flaky[1]);
});

test("a host's billing is asked before and charged after, each charge once by its id", async () => {
  const { url } = await site(routes);
  const asked: BillingRequest[] = [];
  const charges = new Map<string, Charge>();
  let failures = 1;
  const engine = engineFor({
    billing: {
      authorize(request) {
        asked.push(request);
        return request.atLeast > 50 ? { allowed: false, reason: "only 50 credits left" } : { allowed: true };
      },
      charge(charge) {
        if (failures-- > 0) throw new Error("the bank is closed");
        charges.set(charge.id, charge);
      },
    },
  });
  const caller = { team: "a", apiKey: "k" };
  await expect(engine.crawl({ url, limit: 100 }, caller)).rejects.toMatchObject({
    code: "INSUFFICIENT_CREDITS",
    statusCode: 402,
  });
  await (await engine.crawl({ url, limit: 50 }, caller)).wait();
  await engine.scrape({ url }, caller);
  await engine.map({ url }, caller);
  await vi.waitFor(() => expect(charges.size).toBe(4), { timeout: 20_000 });
  expect(asked.map(({ kind, atLeast }) => [kind, atLeast])).toEqual([
    ["crawl", 100],
    ["crawl", 50],
    ["scrape", 1],
    ["map", 1],
  ]);
  expect([...charges.values()].map(({ kind, credits, team, apiKey }) => ({ kind, credits, team, apiKey }))).toEqual(
    ["crawl", "crawl", "scrape", "map"].map((kind) => ({ kind, credits: 1, ...caller })),
  );
  expect((await engine.getCreditUsageHistorical({}, caller)).periods).toMatchObject([{ totalCredits: 4 }]);
});

test("a host's usage answers instead of the ledger", async () => {
  const engine = engineFor({
    billing: {
      authorize: () => ({ allowed: true }),
      charge: () => {},
      usage: async ({ team }) => [
        { month: Date.UTC(2024, 1, 1), apiKey: null, credits: team === "a" ? 7 : 0, tokens: 3 },
      ],
    },
  });
  expect(await engine.getCreditUsageHistorical({}, { team: "a" })).toEqual({
    success: true,
    periods: [
      { startDate: "2024-02-01T00:00:00.000Z", endDate: "2024-03-01T00:00:00.000Z", apiKey: null, totalCredits: 7 },
    ],
  });
  expect((await engine.getTokenUsageHistorical()).periods).toMatchObject([{ totalTokens: 3 }]);
});

test("a charge waits for an engine with billing, though one without comes first", async () => {
  const { url } = await site(routes);
  const storage = memoryStorage();
  let isOpen = false;
  const charges: Charge[] = [];
  const billing: Billing = {
    authorize: () => ({ allowed: true }),
    charge(charge) {
      if (!isOpen) throw new Error("the bank is closed");
      charges.push(charge);
    },
  };
  const first = engineFor({ storage, billing });
  await first.scrape({ url });
  const tries: string[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (text: string) => void tries.push(text) };
  await first.close();
  const without = engineFor({ storage, logger });
  await without.resume();
  // The second attempt is due a second after the first.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await without.close();
  isOpen = true;
  await engineFor({ storage, billing }).resume();
  await vi.waitFor(() => expect(charges).toHaveLength(1), { timeout: 20_000 });
  expect(tries).toContain("a delivery failed");
});

test("an engine that keeps everything in its own memory delivers what is due before it closes", async () => {
  const { url, requests } = await site({ "*": ({ url }) => page(url.pathname), "/hook": "ok" });
  const urls = Array.from({ length: 30 }, (_, index) => `${url}/${index}`);
  const events: string[] = [];
  const charged: string[] = [];
  const released: string[] = [];
  const engine = engineFor({
    events: {
      async emit({ type }) {
        await delay(3);
        events.push(type);
      },
    },
    billing: {
      authorize: () => ({ allowed: true }),
      async charge({ id }) {
        await delay(3);
        charged.push(id);
      },
      release: ({ id }) => void released.push(id),
    },
  });
  const job = await engine.batchScrape({ urls, webhook: `${url}/hook` });
  await job.wait();
  await engine.close();
  expect(events).toHaveLength(32);
  expect(events.at(-1)).toBe("batch_scrape.completed");
  expect(charged).toHaveLength(30);
  expect(released).toEqual([job.id]);
  expect(requests.get("/hook")).toBe(32);
});

test("what was reserved for calls that the end of such an engine breaks off is released", async () => {
  const { url } = await site({ "*": hostile("/slow-headers/0") });
  const reserved = new Set<string>();
  const engine = engineFor({
    billing: {
      authorize: (_, { id }) => ({ allowed: reserved.add(id).size > 0 }) as { allowed: true },
      charge: () => {},
      async release({ id }) {
        await delay(1);
        reserved.delete(id);
      },
    },
  });
  const calls = ["/a", "/b", "/c"].map((path) => engine.scrape({ url: url + path }).catch(({ code }) => code));
  await vi.waitFor(() => expect(reserved.size).toBe(3), { timeout: 20_000 });
  await engine.close();
  expect(await Promise.all(calls)).toEqual(["ENGINE_CLOSED", "ENGINE_CLOSED", "ENGINE_CLOSED"]);
  expect([...reserved]).toEqual([]);
});

test("a sink that hangs holds up the end of such an engine for five seconds", async () => {
  const { url } = await site(routes);
  const engine = engineFor({ events: { emit: () => new Promise(() => {}) } });
  await (await engine.crawl({ url })).wait();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let isClosed = false;
  const closed = engine.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(4900);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  await closed;
});
