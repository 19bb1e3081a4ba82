/**
 * Scrapes the same pages as one batch, and as many small batches at once, with each storage: what a page costs does not
 * grow with the number of jobs. Postgres runs without `fsync`, and the processor's time of its processes is not counted.
 *
 *     node benchmarks/jobs/run.ts [--jobs 1000] [--pages 4] [--storage memory|sqlite|postgres]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { postgresStorage } from "../../src/drivers/postgres/index.ts";
import { sqliteStorage } from "../../src/drivers/sqlite/index.ts";
import { createEngine, memoryStorage } from "../../src/index.ts";
import type { Storage } from "../../src/ports/storage.ts";
import { startPostgres } from "../../test/postgres-server.ts";
import { pagePath } from "../crawl/site-graph.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "1000" },
    pages: { type: "string", default: "4" },
    storage: { type: "string" },
  },
});
const pagesOfJob = Number(values.pages);
const total = Number(values.jobs) * pagesOfJob;

/** Calls by the name of the method. */
function countCalls(storage: Storage): Map<string, number> {
  const counts = new Map<string, number>();
  const jobs = storage.jobs as unknown as Record<string, (...parameters: unknown[]) => unknown>;
  for (const [name, method] of Object.entries(jobs)) {
    jobs[name] = (...parameters) => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return method.apply(jobs, parameters);
    };
  }
  return counts;
}

async function scrape(storage: Storage, site: string, jobs: number): Promise<void> {
  const calls = countCalls(storage);
  const engine = createEngine({ storage, browser: false, network: { allowHosts: ["127.0.0.1"] } });
  const urls = Array.from({ length: total }, (_, index) => new URL(pagePath(index), site).href);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  const started = await Promise.all(
    Array.from({ length: jobs }, (_, job) =>
      engine.batchScrape({ urls: urls.slice((job * total) / jobs, ((job + 1) * total) / jobs) }),
    ),
  );
  delay.enable();
  const ended = await Promise.all(started.map((job) => job.wait()));
  delay.disable();
  const wall = (performance.now() - before) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  await engine.close();
  const completed = ended.reduce((sum, job) => sum + job.completed, 0);
  const figures = [
    `${jobs} ${jobs === 1 ? "job " : "jobs"} of ${total / jobs} pages`.padEnd(24),
    `${completed} pages`,
    `${Math.round(completed / wall)} pages/s`,
    `${((cpu.user + cpu.system) / 1000 / completed).toFixed(2)} ms CPU a page`,
    `loop p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
    ...["claimPages", "getJob"].map((name) => `${((calls.get(name) ?? 0) / completed).toFixed(2)} ${name} a page`),
  ];
  console.log(`  ${figures.join("   ")}`);
}

async function firstLine(child: ChildProcess): Promise<{ url: string }> {
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line);
  throw new Error("The server ended without an answer");
}

const folder = mkdtempSync(join(tmpdir(), "crawlcore-jobs-benchmark-"));
const server = spawn(process.execPath, [join(import.meta.dirname, "../crawl/server.ts"), "light", String(total)], {
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
const { url } = await firstLine(server);
const postgres = ["postgres", undefined].includes(values.storage) ? await startPostgres() : undefined;
let databases = 0;
const storages: Readonly<Record<string, () => Storage>> = {
  memory: memoryStorage,
  sqlite: () => sqliteStorage({ path: join(folder, `${++databases}.db`) }),
  postgres: () => postgresStorage({ connectionString: postgres!.connectionString, schema: `jobs_${++databases}` }),
};
try {
  for (const [name, open] of Object.entries(storages)) {
    if (values.storage !== undefined && values.storage !== name) continue;
    console.log(`\n${name}`);
    for (const jobs of [1, 1, Number(values.jobs)]) await scrape(open(), url, jobs);
  }
} finally {
  server.kill();
  await once(server, "exit");
  await postgres?.stop();
  rmSync(folder, { recursive: true });
}
