/** A process that stops in the middle of reading results gets none of another job's, whatever happens meanwhile. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { newJob, newPages, succeeded } from "../src/testing/storage-cases/storage-case.ts";

const source = (file: string) => JSON.stringify(new URL(`../src/${file}`, import.meta.url).href);

/** What another process does: it erases the job, and stores documents of another team's. */
const other = `
  import { sqliteStorage } from ${source("drivers/sqlite/index.ts")};
  import { newJob, newPages, succeeded } from ${source("testing/storage-cases/storage-case.ts")};
  const { jobs, close } = sqliteStorage({ path: process.argv[1] });
  await jobs.eraseResults("erased");
  await jobs.createJob(newJob({ id: "next", team: "team-b" }), newPages(12), []);
  const pages = await jobs.claimPages("next", { worker: "w", count: 12, now: 1, leaseUntil: 2 });
  for (const { lease } of pages) await jobs.completePage(lease, succeeded({ document: '"secret"' }));
  await close();
`;

test("results that were erased while they were read are not replaced by another job's", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crawlcore-stale-"));
  const path = join(folder, "crawl.db");
  const { jobs, close } = sqliteStorage({ path });
  const document = JSON.stringify("own ".repeat(200_000));
  await jobs.createJob(newJob({ id: "erased" }), newPages(12), []);
  for (const { lease } of await jobs.claimPages("erased", { worker: "w", count: 12, now: 1, leaseUntil: 2 })) {
    await jobs.completePage(lease, succeeded({ document }));
  }
  await jobs.closeJob("erased", { state: "completed", finishedAt: 1, expiresAt: 9e12, outbox: [] });
  const reading = jobs.readResults("erased", { skip: 0, limit: 100, maxBytes: 1e9 });
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", other, path]).status).toBe(0);
  const { results } = await reading;
  expect(results.filter((result) => result.document !== document)).toEqual([]);
  expect(results.length).toBeLessThan(12);
  await close();
  rmSync(folder, { recursive: true });
});
