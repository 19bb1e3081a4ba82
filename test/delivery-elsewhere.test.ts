/** Engines that accept jobs and leave the work to others: the others deliver what they announce, without being told. */
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryOutbox } from "../src/drivers/memory/outbox.ts";
import { type JobEvent, memoryQueue, memoryStorage, type Telemetry } from "../src/index.ts";
import { createDelivery, type Delivery } from "../src/jobs/deliver.ts";
import type { DeliveryTarget } from "../src/jobs/deliver-items.ts";
import type { Outbox, OutboxItem } from "../src/ports/outbox.ts";
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

test("an event waits for an engine with its sink, though one without comes first", async () => {
  const { url } = await site({ "/a": page("a") });
  const storage = memoryStorage();
  const types: string[] = [];
  const events = { emit: ({ type }: JobEvent) => void types.push(type) };
  const door = engineFor({ storage, events, work: false });
  await door.batchScrape({ urls: [`${url}/a`] });
  const tries: string[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (text: string) => void tries.push(text) };
  const without = engineFor({ storage, logger });
  await without.resume();
  await expect.poll(() => tries).toContain("a delivery failed");
  await without.close();
  await engineFor({ storage, events }).resume();
  await expect.poll(() => types[0]).toBe("batch_scrape.started");
});

test("what an engine without the sink leaves to another does not count among the attempts on the sink", async () => {
  const { url } = await site({ "/a": page("a") });
  const storage = memoryStorage();
  const types: string[] = [];
  const refused: string[] = [];
  const events = {
    emit({ type }: JobEvent) {
      if (refused.push(type) === 1) throw new Error("not ready yet");
      types.push(type);
    },
  };
  const door = engineFor({ storage, events, work: false });
  await door.batchScrape({ urls: [`${url}/a`] });
  let tries = 0;
  const logger = { debug() {}, info() {}, error() {}, warn: () => void tries++ };
  const outcomes = new Set<unknown>();
  const telemetry: Telemetry = {
    begin: () => ({ set() {}, end() {} }),
    count: (name, _, { outcome }) => void (name === "crawlcore.deliveries" && outcomes.add(outcome)),
  };
  const without = engineFor({ storage, logger, telemetry });
  await without.resume();
  await expect.poll(() => tries).toBeGreaterThan(3);
  // Whoever watches for failures is not to be woken by it.
  expect([...outcomes]).toEqual(["left"]);
  await without.close();
  const engine = engineFor({ storage, events });
  await engine.resume();
  await expect.poll(() => types[0], { timeout: 20_000 }).toBe("batch_scrape.started");
  expect((await engine.getFailedDeliveries()).deliveries).toEqual([]);
});

function deliveryOf(outbox: Outbox, deliver: DeliveryTarget["deliver"], isShared: boolean): Delivery {
  return createDelivery({
    outbox,
    worker: "w",
    clock: Date.now,
    longestDeliveryMs: 1000,
    isShared,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    telemetry: { begin: () => ({ set() {}, end() {} }), count() {} },
    targetOf: () => ({
      timeoutMs: 1000,
      retriedForMs: 0,
      deliver,
      retryDelay: () => null,
    }),
  });
}

function itemOf(id: string): OutboxItem {
  return { id, team: "t", jobId: null, target: "billing", lane: "l", payload: "{}", createdAt: Date.now() };
}

test("what another engine adds while nothing is to be delivered is found", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outbox = memoryOutbox(() => true);
  const delivered: string[] = [];
  const delivery = deliveryOf(outbox, async ({ id }) => void delivered.push(id), true);
  delivery.wake();
  await vi.advanceTimersByTimeAsync(1000);
  await outbox.add([itemOf("released elsewhere")]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(delivered).toEqual(["released elsewhere"]);
  await delivery.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test("what is added at the very moment in which the delivery comes to rest is delivered", async () => {
  for (let steps = 0; steps < 12; steps++) {
    const outbox = memoryOutbox(() => true);
    const delivered: string[] = [];
    const delivery = deliveryOf(
      {
        ...outbox,
        async nextDue() {
          const due = await outbox.nextDue();
          if (!isAdded) void addLater();
          return due;
        },
      },
      async ({ id }) => void delivered.push(id),
      false,
    );
    let isAdded = false;
    const addLater = async () => {
      isAdded = true;
      for (let step = 0; step < steps; step++) await undefined;
      await outbox.add([itemOf(`after ${steps}`)]);
      delivery.wake();
    };
    delivery.wake();
    await vi.waitFor(() => expect(delivered).toEqual([`after ${steps}`]), { timeout: 20_000, interval: 5 });
    await delivery.stop();
  }
});

test("while all places are taken the outbox is left alone", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outbox = memoryOutbox(() => true);
  await outbox.add(Array.from({ length: 40 }, (_, lane) => ({ ...itemOf(`item ${lane}`), lane: `lane ${lane}` })));
  let asked = 0;
  const counted: Outbox = {
    ...outbox,
    async nextDue() {
      asked++;
      return outbox.nextDue();
    },
  };
  let delivering = 0;
  const deliver = () => {
    delivering++;
    return new Promise<void>(() => {});
  };
  const delivery = deliveryOf(counted, deliver, false);
  delivery.wake();
  await vi.advanceTimersByTimeAsync(900);
  expect([delivering, asked]).toEqual([32, 1]);
  await vi.advanceTimersByTimeAsync(200);
  expect(delivering).toBe(40);
  await delivery.stop();
});
