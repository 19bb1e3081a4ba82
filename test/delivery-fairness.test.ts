/** Receivers that are behind hold up only what is meant for them. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type Fetcher, type JobEvent, memoryStorage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("many jobs whose receivers are behind do not hold up the events of another team", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const seen = new Map<string, string[]>();
  const engine = engineFor({
    events: {
      async emit({ team, type }: JobEvent) {
        // Quick enough to keep its place, and far too slow for all that there is.
        if (team === "many") await new Promise((resolve) => setTimeout(resolve, 700));
        seen.set(team, [...(seen.get(team) ?? []), type]);
      },
    },
  });
  const urls = Array.from({ length: 10 }, (_, index) => `${url}/${index}`);
  for (let count = 0; count < 80; count++) await engine.batchScrape({ urls }, { team: "many" });
  await vi.waitFor(async () => expect(seen.get("many")?.length).toBeGreaterThan(0), { timeout: 20_000 });
  const started = Date.now();
  await (await engine.batchScrape({ urls: [`${url}/own`] }, { team: "few" })).wait();
  const all = ["batch_scrape.started", "batch_scrape.page", "batch_scrape.completed"];
  await vi.waitFor(() => expect(seen.get("few")).toEqual(all), { timeout: 30_000, interval: 50 });
  expect(Date.now() - started).toBeLessThan(8000);
});

test("a team whose receivers are all dead leaves places for the events of others, however many it has", async () => {
  // A delivery is slow after a second; here, sooner.
  const start = setTimeout;
  vi.stubGlobal(
    "setTimeout",
    Object.assign((act: () => void, ms: number) => start(act, ms === 1000 ? 10 : ms), start),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const never: Fetcher = {
    name: "never",
    can: new Set(),
    fetch: ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
    async close() {},
  };
  let hanging = 0;
  const seen: string[] = [];
  const putOff: number[] = [];
  const lanesPutOff = new Set<string>();
  const charged: string[] = [];
  const storage = memoryStorage();
  const { settle } = storage.outbox;
  vi.spyOn(storage.outbox, "settle").mockImplementation((lane, report) => {
    if (report.failed?.isAttempt === false) {
      putOff.push(report.failed.retryAt ?? 0);
      lanesPutOff.add(lane.lane);
    }
    return settle(lane, report);
  });
  const engine = engineFor({
    storage,
    fetchers: [never],
    limits: { maxConcurrency: 1 },
    billing: { authorize: () => ({ allowed: true }), charge: ({ team }) => void charged.push(team) },
    events: {
      async emit({ team }: JobEvent) {
        if (team !== "dead") return void seen.push(team);
        hanging++;
        await new Promise(() => {});
      },
    },
  });
  const urls = ["http://127.0.0.1/"];
  await Promise.all(Array.from({ length: 700 }, () => engine.batchScrape({ urls }, { team: "dead" })));
  await vi.waitFor(() => expect(hanging).toBeGreaterThanOrEqual(240), { timeout: 20_000 });
  // A charge, which is for the host itself: that is not dead.
  const charge = {
    id: "c",
    team: "dead",
    apiKey: null,
    jobId: null,
    kind: "scrape",
    credits: 1,
    tokens: 0,
    at: Date.now(),
  };
  const about = { id: "c/billing", team: "dead", jobId: null, target: "billing", lane: "dead/billing" };
  await storage.outbox.add([{ ...about, payload: JSON.stringify(charge), createdAt: charge.at }]);
  await engine.batchScrape({ urls }, { team: "alive" });
  await vi.waitFor(() => expect(seen).toEqual(["alive"]), { timeout: 20_000 });
  // Those that find no place do not come again all at once: each time, their events are read.
  expect(putOff.length).toBeGreaterThan(100);
  expect(Math.max(...putOff) - Math.min(...putOff)).toBeGreaterThanOrEqual(50 * (putOff.length - 1));
  await vi.waitFor(() => expect(charged).toEqual(["dead"]), { timeout: 60_000 });
  expect(lanesPutOff).not.toContain("dead/billing");
});
