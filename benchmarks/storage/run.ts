/**
 * Measures the memory and the SQLite storage: completing pages, admitting URLs, bytes per URL, reading usage from a
 * million charges, the first chunk of a large job, erasing it, and how long the event loop was held up meanwhile.
 *
 *     node benchmarks/storage/run.ts [--quick]
 */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryStorage } from "../../src/drivers/memory/index.ts";
import { sqliteStorage } from "../../src/drivers/sqlite/index.ts";
import type { NewJob, NewPage, PageCompletion } from "../../src/ports/job-store.ts";
import type { Storage } from "../../src/ports/storage.ts";

const quick = process.argv.includes("--quick");
const scale = quick ? 0.1 : 1;
const now = Date.UTC(2026, 5, 15);
const never = Date.UTC(2100, 0);

function newJob(id: string): NewJob {
  return {
    id,
    team: "team",
    apiKey: "key",
    kind: "crawl",
    request: "{}",
    limit: 1_000_000,
    zeroDataRetention: false,
    createdAt: now,
    expiresAt: never,
    expanding: false,
  };
}

function newPage(name: string): NewPage {
  const key = `shop.example.com/catalogue/section-${name.length}/product-${name}`;
  return { url: `https://${key}`, key, depth: 2 };
}

interface Measured {
  readonly what: string;
  readonly value: string;
}

function print({ what, value }: Measured): void {
  console.log(`  ${what.padEnd(64)} ${value}`);
}

/** Runs `work` and measures elapsed time, processor time, and the longest time for which the event loop was held up. */
async function measure(work: () => Promise<void>) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  await work();
  const wall = performance.now() - before;
  const cpu = process.cpuUsage(cpuBefore);
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  // The monitor counts its own millisecond; work that ends within one has no sample.
  const held = (nanoseconds: number): string => Math.max(0, nanoseconds / 1e6 - 1).toFixed(1);
  return {
    wall,
    cpu: (cpu.user + cpu.system) / 1000,
    loop: `loop p99 ${held(delay.percentile(99))} max ${held(delay.max)} ms`,
  };
}

async function completePages(storage: Storage): Promise<Measured> {
  const count = 5000 * scale;
  const document = JSON.stringify({ markdown: "A sentence of a page, with some words in it. ".repeat(455) });
  await storage.jobs.createJob(
    newJob("complete"),
    Array.from({ length: count }, (_, i) => newPage(`start-${i}`)),
    [],
  );
  let pages = 0;
  async function work(worker: number): Promise<void> {
    for (;;) {
      const [page] = await storage.jobs.claimPages("complete", { worker: "w", count: 1, now, leaseUntil: never });
      if (page === undefined || pages >= count) return;
      pages += 1;
      const name = `${worker}-${pages}`;
      const completion: PageCompletion = {
        outcome: "succeeded",
        completedAt: now,
        document,
        discovered: [1, 2, 3, 4, 5].map((i) => newPage(`${name}-${i}`)),
        leftOut: [1, 2, 3].map((i) => ({ url: `https://elsewhere.example.com/${name}-${i}`, reason: "external" })),
        charge: {
          id: name,
          team: "team",
          apiKey: "key",
          jobId: "complete",
          kind: "crawl",
          credits: 1,
          tokens: 0,
          at: now,
        },
        outbox: [],
      };
      await storage.jobs.completePage(page.lease, completion);
    }
  }
  const { wall, cpu, loop } = await measure(async () => {
    await Promise.all(Array.from({ length: 20 }, (_, worker) => work(worker)));
  });
  return {
    what: "claim and complete a 20 KB page (5 found, 3 left out, 1 charge)",
    value: `${(cpu / pages).toFixed(3)} ms CPU, ${Math.round(pages / (wall / 1000))} pages/s, ${loop}`,
  };
}

async function admitPages(storage: Storage): Promise<Measured> {
  const count = 100_000 * scale;
  await storage.jobs.createJob(newJob("admit"), [], []);
  const pages = Array.from({ length: count }, (_, i) => newPage(`${(i * 7919) % count}`));
  const { wall, loop } = await measure(async () => {
    for (let i = 0; i < count; i += 100) {
      await storage.jobs.admitPages("admit", { pages: pages.slice(i, i + 100), leftOut: [], duplicates: "ignore" });
    }
  });
  return {
    what: `admit ${count} URLs in batches of 100`,
    value: `${Math.round(count / (wall / 1000))} URLs/s, ${loop}`,
  };
}

async function claimAll(storage: Storage): Promise<Measured> {
  let count = 0;
  const { wall, loop } = await measure(async () => {
    for (;;) {
      const pages = await storage.jobs.claimPages("admit", { worker: "w", count: 20, now, leaseUntil: never });
      if (pages.length === 0 || count >= 20_000 * scale) return;
      count += pages.length;
    }
  });
  await storage.jobs.releaseLeases("w");
  return { what: "claim in batches of 20", value: `${Math.round(count / (wall / 1000))} pages/s, ${loop}` };
}

async function createLarge(storage: Storage): Promise<Measured> {
  const count = 10_000 * scale;
  const pages = Array.from({ length: count }, (_, i) => newPage(`${i}`));
  const { wall, loop } = await measure(() => storage.jobs.createJob(newJob("large"), pages, []));
  return { what: `create a job of ${count} URLs`, value: `${wall.toFixed(0)} ms, ${loop}` };
}

async function readUsage(storage: Storage): Promise<Measured> {
  const count = 1_000_000 * scale;
  const day = 86_400_000;
  const booking = await measure(async () => {
    for (let i = 0; i < count; i += 1000) {
      await Promise.all(
        Array.from({ length: 1000 }, (_, k) =>
          storage.ledger.charge({
            id: `usage-${i + k}`,
            team: "team",
            apiKey: `key-${k % 5}`,
            jobId: null,
            kind: "scrape",
            credits: 1,
            tokens: 2,
            at: Date.UTC(2025, 0) + ((i + k) % 365) * day,
          }),
        ),
      );
    }
  });
  const { wall } = await measure(async () => {
    await storage.ledger.usage({ team: "team", byApiKey: true });
  });
  return {
    what: `usage of a year of ${count} charges`,
    value: `${wall.toFixed(1)} ms (booked at ${Math.round(count / (booking.wall / 1000))}/s, ${booking.loop})`,
  };
}

async function* largeJob(storage: Storage): AsyncGenerator<Measured> {
  const count = 10_000 * scale;
  const text = JSON.stringify({ markdown: "All the words of a long page. ".repeat(3400) });
  await storage.jobs.createJob(
    newJob("gigabyte"),
    Array.from({ length: count }, (_, i) => newPage(`${i}`)),
    [],
  );
  const writing = await measure(async () => {
    for (;;) {
      const pages = await storage.jobs.claimPages("gigabyte", { worker: "w", count: 20, now, leaseUntil: never });
      if (pages.length === 0) break;
      const completion = {
        outcome: "succeeded",
        completedAt: now,
        document: text,
        discovered: [],
        leftOut: [],
        outbox: [],
      } as const;
      await Promise.all(pages.map((page) => storage.jobs.completePage(page.lease, completion)));
    }
  });
  yield {
    what: `write a job of ${count} pages, ${((count * text.length) / 1e6).toFixed(0)} MB`,
    value: `${(writing.cpu / count).toFixed(3)} ms CPU a page, ${Math.round(count / (writing.wall / 1000))} pages/s, ${writing.loop}`,
  };
  const chunk = await measure(async () => {
    await storage.jobs.getJob("gigabyte", now);
    await storage.jobs.readResults("gigabyte", { skip: 0, limit: count, maxBytes: 10_000_000 });
  });
  yield { what: "its first chunk of 10 MB", value: `${chunk.wall.toFixed(1)} ms, ${chunk.loop}` };
  await storage.jobs.closeJob("gigabyte", { state: "completed", finishedAt: now, expiresAt: now, outbox: [] });
  const sweep = await measure(async () => {
    await storage.sweep(now);
  });
  yield { what: "sweep it away", value: `${sweep.wall.toFixed(0)} ms, ${sweep.loop}` };
}

async function outbox(storage: Storage): Promise<Measured> {
  const count = 10_000 * scale;
  const { wall, loop } = await measure(async () => {
    for (let i = 0; i < count; i += 100) {
      await storage.outbox.add(
        Array.from({ length: 100 }, (_, k) => ({
          id: `item-${i + k}`,
          team: "team",
          jobId: "job",
          target: "webhook",
          lane: `job-${k % 10} webhook`,
          payload: '{"type":"crawl.page"}',
          createdAt: now,
        })),
      );
    }
    for (;;) {
      const lanes = await storage.outbox.take({ worker: "w", now, leaseUntil: never, lanes: 10, batch: 10 });
      if (lanes.length === 0) return;
      for (const { lane, items } of lanes) {
        await storage.outbox.settle({ lane, worker: "w" }, { delivered: items.map((item) => item.id) });
      }
    }
  });
  return { what: "add and deliver an outbox item", value: `${Math.round(count / (wall / 1000))} items/s, ${loop}` };
}

/** The average size of a waiting URL, of 100,000. */
async function bytesPerUrl(storage: Storage, size: () => number): Promise<Measured> {
  const count = 100_000 * scale;
  await storage.jobs.createJob(newJob("warm"), [], []);
  const before = size();
  const pages = Array.from({ length: count }, (_, i) => newPage(`${i}`));
  await storage.jobs.createJob(newJob("waiting"), pages, []);
  pages.length = 0;
  await storage.close();
  const bytes = (size() - before) / count;
  // Used once more, because a storage in memory would otherwise have been collected before it was measured.
  await storage.close();
  return { what: "bytes a URL that waits", value: bytes.toFixed(0) };
}

/** Bytes in use after garbage collection. */
function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

async function run(name: string, storage: Storage): Promise<void> {
  console.log(`\n${name}`);
  print(await completePages(storage));
  print(await admitPages(storage));
  print(await claimAll(storage));
  print(await createLarge(storage));
  print(await outbox(storage));
  print(await readUsage(storage));
  for await (const measured of largeJob(storage)) print(measured);
  await storage.close();
}

const folder = mkdtempSync(join(tmpdir(), "crawlcore-storage-benchmark-"));
try {
  await run("memory", memoryStorage());
  print(await bytesPerUrl(memoryStorage(), heapUsed));
  await run("SQLite", sqliteStorage({ path: join(folder, "crawl.db") }));
  const path = join(folder, "urls.db");
  print(await bytesPerUrl(sqliteStorage({ path }), () => statSync(path, { throwIfNoEntry: false })?.size ?? 0));
} finally {
  rmSync(folder, { recursive: true });
}
