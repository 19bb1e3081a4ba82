/** The host's own sinks: events of every job in this process, and its own billing. */
import { expect, test, vi } from "vitest";
import { type Billing, type BillingRequest, type Charge, type JobEvent, memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const routes = { "/": page("home", ["/a"]), "/a": page("a") };

test("a sink gets every event of every job, typed, in order", async () => {
  const { url } = await site(routes);
  const events: JobEvent[] = [];
  const engine = engineFor({ events: { emit: (event) => void events.push(event) } });
  const job = await engine.crawl({ url }, { team: "a" });
  await job.wait();
  await vi.waitFor(() => expect(events.at(-1)?.type).toBe("crawl.completed"));
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
  await vi.waitFor(() => expect(good).toHaveLength(4));
  await vi.waitFor(() => expect(flaky).toHaveLength(5), { timeout: 5000 });
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
  await vi.waitFor(() => expect(charges.size).toBe(4), { timeout: 5000 });
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
  await vi.waitFor(() => expect(charges).toHaveLength(1), { timeout: 8000 });
  expect(tries).toContain("a delivery failed");
}, 15_000);
