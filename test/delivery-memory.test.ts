import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const source = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);

// What waits behind a slow delivery shows in no value: so memory itself is looked at.
test("of what a receiver that hangs is still to get, little is held in memory", async () => {
  const program = `
    import { createDelivery } from ${source("jobs/deliver.ts")};
    import { memoryOutbox } from ${source("drivers/memory/outbox.ts")};
    const silent = { info() {}, warn() {}, error() {}, debug() {} };
    const telemetry = { begin: () => ({ end() {}, fail() {}, set() {} }), count() {} };
    const outbox = memoryOutbox(() => true);
    const lanes = Array.from({ length: 60 }, (_, number) => "lane " + number);
    await outbox.add(lanes.map((lane) => ({
      id: lane, team: "t", jobId: "j", target: "webhook", lane, payload: "{}", createdAt: Date.now(),
    })));
    // As from a database: the documents are read when the items are taken.
    const document = () => Buffer.alloc(100_000, "x" + Math.random()).toString("latin1");
    const take = async (request) => (await outbox.take(request)).map(({ lane, items }) => ({
      lane, items: Array.from({ length: 40 }, (_, number) => ({ ...items[0], id: lane + number, document: document() })),
    }));
    const held = new Promise(() => {});
    let hanging = 0;
    const deliver = () => {
      hanging++;
      return held;
    };
    const delivery = createDelivery({
      outbox: { ...outbox, take }, worker: "w", clock: Date.now, logger: silent, telemetry, longestDeliveryMs: 60_000, isShared: false,
      targetOf: () => ({ timeoutMs: 60_000, deliver, retryDelay: () => null }),
    });
    gc();
    const before = process.memoryUsage().heapUsed;
    delivery.wake();
    const heldMegabytes = () => {
      gc();
      return Math.round((process.memoryUsage().heapUsed - before) / 1_000_000);
    };
    // All hang, and have been found to be slow.
    const end = Date.now() + 20_000;
    const isOver = () => Date.now() > end || (hanging === lanes.length && heldMegabytes() < 60);
    while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 200));
    console.log(hanging, heldMegabytes());
    process.exit();
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  // 60 lanes of 40 documents of 100 KB are 240 MB.
  const [hanging, megabytes] = stdout.split(" ").map(Number);
  expect(hanging).toBe(60);
  expect(megabytes).toBeLessThan(60);
});

test("a delivery that has been made holds nothing until its time would have been up", async () => {
  const program = `
    import { createDelivery } from ${source("jobs/deliver.ts")};
    import { memoryOutbox } from ${source("drivers/memory/outbox.ts")};
    const silent = { info() {}, warn() {}, error() {}, debug() {} };
    const telemetry = { begin: () => ({ end() {}, set() {} }), count() {} };
    const outbox = memoryOutbox(() => true);
    const all = 20_000;
    await outbox.add(Array.from({ length: all }, (_, number) => ({
      id: "item " + number, team: "t", jobId: "j", target: "webhook", lane: "lane " + (number % 400), payload: "{}",
      createdAt: Date.now(),
    })));
    let made = 0;
    const delivered = Promise.withResolvers();
    const deliver = async () => void (++made === all && delivered.resolve());
    const delivery = createDelivery({
      outbox, worker: "w", clock: Date.now, logger: silent, telemetry, longestDeliveryMs: 60_000, isShared: false,
      targetOf: () => ({ timeoutMs: 60_000, retriedForMs: 60_000, deliver, retryDelay: () => null }),
    });
    gc();
    const before = process.memoryUsage().heapUsed;
    delivery.wake();
    await delivered.promise;
    await new Promise((resolve) => setTimeout(resolve, 100));
    gc();
    console.log(Math.round((process.memoryUsage().heapUsed - before) / 1_000_000));
    process.exit();
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  // A timer and a listener for each were 60 MB.
  expect(Number(stdout)).toBeLessThan(15);
});

test("an engine that was closed after its events were delivered is not held by a timer", async () => {
  const program = `
    import { setTimeout as delay } from "node:timers/promises";
    import { createEngine, memoryStorage } from ${source("index.ts")};
    import { startTestSite } from ${source("testing/index.ts")};
    const site = await startTestSite({ "*": "<p>A page, and <a href=/b>another</a>.</p>" });
    const storages = [];
    for (let count = 0; count < 20; count++) {
      const storage = memoryStorage();
      storages.push(new WeakRef(storage.jobs));
      const options = { storage, events: { emit() {} }, browser: false, network: { allowHosts: ["127.0.0.1"] } };
      const engine = createEngine(options);
      await (await engine.crawl({ url: site.url, limit: 2 })).wait();
      await engine.close();
    }
    for (let turn = 0; turn < 10; turn++) {
      await delay(50);
      gc();
    }
    console.log(storages.filter((storage) => storage.deref() !== undefined).length);
    await site.close();
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  expect(Number(stdout)).toBeLessThan(5);
});

test("what the events of a job have in common is held once, however many wait for their receiver", async () => {
  const program = `
    import { createEngine } from ${source("index.ts")};
    const engine = createEngine();
    const text = (length) => Buffer.alloc(length, "x").toString("latin1");
    // No page can be reached, and nor can the receiver.
    const urls = Array.from({ length: 1000 }, (_, number) => "http://127.0.0.1/" + number);
    const webhook = { url: "http://127.0.0.1/", headers: { a: text(16_000) }, metadata: { a: text(60_000) } };
    gc();
    const before = process.memoryUsage().heapUsed;
    const job = await engine.batchScrape({ urls, webhook });
    const { data } = await job.wait();
    gc();
    console.log(data.length, Math.round((process.memoryUsage().heapUsed - before) / 1_000_000));
    await engine.close();
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  // 1000 events with 76 KB each are 76 MB.
  const [pages, megabytes] = stdout.split(" ").map(Number);
  expect(pages).toBe(1000);
  expect(megabytes).toBeLessThan(40);
});
