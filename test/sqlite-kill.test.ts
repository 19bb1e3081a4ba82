/** A process that is killed while it writes leaves a sound file behind, and the next one ends its work. */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";

const pages = 5000;
const kills = 12;
const child = fileURLToPath(new URL("./storage-kill-child.ts", import.meta.url));

/** Runs the child; kills it some milliseconds after it began to work. True when it came to its end. */
async function run(path: string, killAfterMs: number): Promise<boolean> {
  const process_ = spawn(process.execPath, [child, path, `${pages}`], { stdio: ["ignore", "pipe", "inherit"] });
  let timer: NodeJS.Timeout | undefined;
  process_.stdout.once("data", () => {
    timer = setTimeout(() => process_.kill("SIGKILL"), killAfterMs);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    process_.on("exit", (...ending) => resolve(ending));
  });
  clearTimeout(timer);
  if (signal !== "SIGKILL") expect(code).toBe(0);
  return signal === null;
}

/** The counters of the job beside what its rows say. */
function checkFile(path: string): number {
  const database = new DatabaseSync(path);
  const one = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0] as number;
  expect(one("PRAGMA integrity_check")).toBe("ok");
  const job = database.prepare("SELECT * FROM jobs").get() as Record<string, number>;
  const state = (list: string) => one(`SELECT count(*) FROM pages WHERE state IN (${list})`);
  const documents = one("SELECT count(*) FROM documents");
  expect({ ...job }).toMatchObject({
    admitted: one("SELECT count(*) FROM pages"),
    queued: state("'queued', 'waiting'"),
    leased: state("'leased'"),
    attempted: state("'succeeded', 'failed'"),
    succeeded: state("'succeeded'"),
    listed: documents,
    credits_used: documents,
    tokens_used: documents * 2,
  });
  for (const table of ["results", "charges", "left_out", "outbox WHERE id <> 'end'"]) {
    expect([table, one(`SELECT count(*) FROM ${table}`)]).toEqual([table, documents]);
  }
  expect(one("SELECT count(*) FROM failures")).toBe(state("'failed'"));
  expect(one("SELECT coalesce(sum(credits), 0) FROM months")).toBe(documents);
  expect(one("SELECT count(DISTINCT document) FROM results")).toBe(documents);
  database.close();
  return documents;
}

test("killed at many moments, every page is stored, listed, charged and announced once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crawlcore-kill-"));
  const path = join(folder, "crawl.db");
  try {
    let done = 0;
    let ended = false;
    for (let kill = 0; kill < kills && !ended; kill += 1) {
      ended = await run(path, 2 + Math.random() * 120);
      const stored = checkFile(path);
      expect(stored).toBeGreaterThanOrEqual(done);
      done = stored;
    }
    if (!ended) expect(await run(path, 60_000)).toBe(true);
    expect(checkFile(path)).toBe(pages);

    const storage = sqliteStorage({ path });
    expect(await storage.jobs.getJob("job", 0)).toMatchObject({ state: "completed", listed: pages, openPages: 0 });
    const range = { skip: 0, limit: pages, maxBytes: Number.MAX_SAFE_INTEGER };
    const { results } = await storage.jobs.readResults("job", range);
    expect(new Set(results.map(({ document }) => JSON.parse(document).key)).size).toBe(pages);
    const announced: string[] = [];
    for (;;) {
      const [lane] = await storage.outbox.take({ worker: "w", now: 1e7, leaseUntil: 1e8, lanes: 1, batch: pages });
      if (lane === undefined) break;
      const delivered = lane.items.map(({ id }) => id);
      announced.push(...delivered);
      await storage.outbox.settle({ lane: lane.lane, worker: "w" }, { delivered });
    }
    expect(new Set(announced).size).toBe(pages + 1);
    expect([announced.length, announced.at(-1)]).toEqual([pages + 1, "end"]);
    await storage.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("two processes share the work of one job, and one of them ends it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crawlcore-share-"));
  const path = join(folder, "crawl.db");
  try {
    expect(await Promise.all([run(path, 60_000), run(path, 60_000)])).toEqual([true, true]);
    expect(checkFile(path)).toBe(pages);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
