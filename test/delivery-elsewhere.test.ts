/** Engines that accept jobs and leave the work to others: the others deliver what they announce, without being told. */
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryOutbox } from "../src/drivers/memory/outbox.ts";
import { type JobEvent, memoryQueue, memoryStorage } from "../src/index.ts";
import { createDelivery } from "../src/jobs/deliver.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("a job is announced when it is taken up, not when its first page is done", async () => {
  const { url } = await site({ "/slow": { delay: 3000, body: page("slow") } });
  const types: string[] = [];
  const shared = {
    storage: memoryStorage(),
    queue: memoryQueue(),
    events: { emit: ({ type }: JobEvent) => void types.push(type) },
  };
  const worker = engineFor(shared);
  await worker.resume();
  const door = engineFor({ ...shared, work: false });
  await door.batchScrape({ urls: [`${url}/slow`] });
  await vi.waitFor(() => expect(types).toEqual(["batch_scrape.started"]), { timeout: 1500 });
});

test("what another engine adds while nothing is to be delivered is found", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outbox = memoryOutbox(() => true);
  const delivered: string[] = [];
  const delivery = createDelivery({
    outbox,
    worker: "w",
    longestDeliveryMs: 1000,
    isShared: true,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    telemetry: { begin: () => ({ set() {}, end() {} }), count() {} },
    targetOf: () => ({
      timeoutMs: 1000,
      retriedForMs: 0,
      deliver: async ({ id }) => void delivered.push(id),
      retryDelay: () => null,
    }),
  });
  delivery.wake();
  await vi.advanceTimersByTimeAsync(1000);
  const item = { team: "t", jobId: null, target: "billing", lane: "l", payload: "{}" };
  await outbox.add([{ ...item, id: "released elsewhere", createdAt: Date.now() }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(delivered).toEqual(["released elsewhere"]);
  await delivery.stop();
  expect(vi.getTimerCount()).toBe(0);
});
