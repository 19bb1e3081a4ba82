/** The time of day may be set back while jobs run: what is due in a second does not wait until it has come again. */
import { expect, test, vi } from "vitest";
import { createSteadyClock } from "../src/shared/steady-clock.ts";
import { engineFor, page, site } from "./start-engine.ts";

const hour = 60 * 60 * 1000;

/** Sets the time of day back by so much from now on. */
function setBack(milliseconds: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() - milliseconds);
}

test("pages and deliveries that are tried again come in time, and so does what had not been delivered yet", async () => {
  const { url, requests } = await site({
    "/": ({ count }) => (count === 1 ? { status: 503 } : page("home")),
    "/hook": ({ count }) => (count === 1 ? { status: 500 } : "ok"),
  });
  const events: string[] = [];
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const engine = engineFor({
    webhooks: { retryDelays: [300] },
    events: {
      async emit({ type }) {
        begun.resolve();
        await goOn.promise;
        events.push(type);
      },
    },
  });
  const job = await engine.batchScrape({ urls: [url], webhook: `${url}/hook` });
  await begun.promise;
  const bothAsked = (): boolean => requests.has("/") && requests.has("/hook");
  await vi.waitFor(() => expect(bothAsked()).toBe(true), { timeout: 20_000, interval: 5 });
  setBack(hour);
  goOn.resolve();
  const status = await job.wait({ signal: AbortSignal.timeout(10_000) });
  expect(status).toMatchObject({ status: "completed", completed: 1, creditsUsed: 1 });
  const three = ["batch_scrape.started", "batch_scrape.page", "batch_scrape.completed"];
  await vi.waitFor(() => expect(events).toEqual(three), { timeout: 20_000 });
  await vi.waitFor(() => expect(requests.get("/hook")).toBe(4), { timeout: 20_000 });
});

test("the clock for what is due runs at half speed until the time of day has caught up", () => {
  let [day, process] = [10 * hour, 0];
  vi.spyOn(Date, "now").mockImplementation(() => day);
  vi.spyOn(performance, "now").mockImplementation(() => process);
  const pass = (milliseconds: number) => {
    day += milliseconds;
    process += milliseconds;
  };
  const clock = createSteadyClock();
  pass(1000);
  expect(clock()).toBe(10 * hour + 1000);
  day -= hour;
  expect(clock()).toBe(10 * hour + 1000);
  pass(1000);
  expect(clock()).toBe(10 * hour + 1500);
  pass(2 * hour);
  expect(clock()).toBe(day);
  // A machine that was asleep.
  day += hour;
  expect(clock()).toBe(day);
});
