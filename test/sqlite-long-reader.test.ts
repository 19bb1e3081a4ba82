/** Others read the SQLite file while engines write: one for long, for example to copy it, or many for a short time. */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import type { Storage } from "../src/ports/storage.ts";

let folder: string;
let path: string;
let storage: Storage;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crawlcore-reader-"));
  path = join(folder, "crawl.db");
  storage = sqliteStorage({ path });
});

afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const item = (id: string) => ({ id, team: "t", jobId: null, target: "webhook", lane: "l", createdAt: 0 });
const write = (id: string) => storage.outbox.add([{ ...item(id), payload: JSON.stringify("x".repeat(400_000)) }]);

test("nobody waits for one who reads for long, and the log is emptied after that", async () => {
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
});

test("the log does not grow for as long as one short reader follows another", async () => {
  await write("first");
  const reading = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(require("node:worker_threads").workerData);
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    for (;;) {
      database.exec("BEGIN");
      database.prepare("SELECT count(*) FROM outbox").get();
      wait(30);
      database.exec("COMMIT");
      wait(1);
    }`;
  const readers = [1, 2, 3].map(() => new Worker(reading, { eval: true, workerData: path }));
  onTestFinished(async () => void (await Promise.all(readers.map((reader) => reader.terminate()))));
  // Once it has begun anew, what is written goes where something has been before: the file is not longer afterwards.
  let size = 0;
  let unchanged = 0;
  for (let written = 0; written < 600 && unchanged < 20; written += 1) {
    await write(`${written}`);
    await delay(10);
    const before = size;
    size = statSync(`${path}-wal`).size;
    unchanged = size === before ? unchanged + 1 : 0;
  }
  expect(unchanged).toBe(20);
});
