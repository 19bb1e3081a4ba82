/** Another program reads the SQLite file for long, for example to copy it, while engines write. */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";

test("nobody waits for one who reads for long, and the log is emptied after that", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crawlcore-reader-"));
  const path = join(folder, "crawl.db");
  const storage = sqliteStorage({ path });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const item = (id: string) => ({ id, team: "t", jobId: null, target: "webhook", lane: "l", createdAt: 0 });
  const write = (id: string) => storage.outbox.add([{ ...item(id), payload: JSON.stringify("x".repeat(400_000)) }]);
  await write("first");
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM outbox").get();
  let longest = 0;
  for (let written = 0; written < 150; written += 1) {
    const begun = performance.now();
    await write(`${written}`);
    longest = Math.max(longest, performance.now() - begun);
    await delay(10);
  }
  expect(longest).toBeLessThan(700);
  const { size } = statSync(`${path}-wal`);
  reader.close();
  for (let written = 150; written < 300; written += 1) {
    await write(`${written}`);
    await delay(10);
  }
  expect(statSync(`${path}-wal`).size).toBeLessThan(1.5 * size);
}, 30_000);
