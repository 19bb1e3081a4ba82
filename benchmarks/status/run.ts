/**
 * Measures how fast the status of a large job is, and how much memory reading it takes. Fills an SQLite file with a job
 * of 10,000 pages and 1 GB, opens it in a fresh engine, and reads the first chunk, the middle one, the last, and all.
 *
 *     node --expose-gc benchmarks/status/run.ts [--quick]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStorage } from "../../src/drivers/sqlite/index.ts";
import { createEngine } from "../../src/index.ts";

const pages = process.argv.includes("--quick") ? 1000 : 10_000;
const id = "6f1c0000-0000-4000-8000-000000000000";
const now = Date.now();
const folder = mkdtempSync(join(tmpdir(), "crawlcore-status-"));
const path = join(folder, "crawl.db");

async function fill(): Promise<void> {
  const { jobs, close } = sqliteStorage({ path });
  const job = { id, team: "default", apiKey: null, kind: "crawl", limit: pages, createdAt: now } as const;
  const all = Array.from({ length: pages }, (_, index) => ({
    url: `https://example.com/${index}`,
    key: `example.com/${index}`,
    depth: 0,
  }));
  const rest = { request: "{}", zeroDataRetention: false, expiresAt: now + 86_400_000, expanding: false };
  await jobs.createJob({ ...job, ...rest }, all, []);
  const markdown = "A sentence of a page, with some words in it, and Ümläute. ".repeat(1770);
  const worker = { worker: "w", now, leaseUntil: now + 3_600_000 };
  for (let done = 0; done < pages; done += 100) {
    const leased = await jobs.claimPages(id, { ...worker, count: 100 });
    await Promise.all(
      leased.map(({ lease, url }) => {
        const document = JSON.stringify({ markdown, metadata: { sourceURL: url, statusCode: 200 } });
        const end = { completedAt: now, discovered: [], leftOut: [], outbox: [] };
        return jobs.completePage(lease, { ...end, outcome: "succeeded", document });
      }),
    );
  }
  await jobs.closeJob(id, { state: "completed", finishedAt: now, expiresAt: now + 86_400_000, outbox: [] });
  await close();
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MB`;

async function read(): Promise<void> {
  const engine = createEngine({ storage: sqliteStorage({ path }) });
  await engine.getActiveCrawls();
  const chunk = async (what: string, skip: number) => {
    const begun = performance.now();
    const { data } = await engine.getCrawlStatus(id, { skip });
    console.log(`${what}: ${(performance.now() - begun).toFixed(1)} ms, ${data.length} pages`);
  };
  await chunk("chunk 1, first read", 0);
  for (let round = 0; round < 4; round++) await chunk("chunk 1 again", 0);
  await chunk("in the middle", pages / 2);
  await chunk("the last page", pages - 1);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  let next: string | null = null;
  let count = 0;
  const begun = performance.now();
  do {
    const status = await engine.getCrawlStatus(id, next === null ? {} : { next });
    count += status.data.length;
    next = status.next;
    most = Math.max(most, process.memoryUsage().rss);
  } while (next !== null);
  const took = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`all ${count} pages: ${took} s, memory ${megabytes(before)} at first, ${megabytes(most)} at most`);
  await engine.close();
}

try {
  await fill();
  await read();
} finally {
  rmSync(folder, { recursive: true });
}
