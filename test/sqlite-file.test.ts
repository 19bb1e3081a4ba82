/** What is special about the SQLite storage: its file, other processes, the event loop, and what is left after erasing. */

import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { migrations } from "../src/drivers/sqlite/migrations.ts";
import { statements } from "../src/drivers/sqlite/statements.ts";
import { createEngine } from "../src/index.ts";
import type { NewJob, NewPage } from "../src/ports/job-store.ts";
import type { Storage } from "../src/ports/storage.ts";

const now = Date.UTC(2026, 0);
const never = Date.UTC(2100, 0);

let folder: string;
let path: string;
let opened: Storage[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crawlcore-sqlite-"));
  path = join(folder, "crawl.db");
  opened = [];
});

afterEach(async () => {
  for (const storage of opened) await storage.close();
  rmSync(folder, { recursive: true });
});

function open(file = path): Storage {
  const storage = sqliteStorage({ path: file });
  opened.push(storage);
  return storage;
}

function newJob(id: string): NewJob {
  return {
    id,
    team: "team",
    apiKey: null,
    kind: "crawl",
    request: "{}",
    limit: 1_000_000,
    zeroDataRetention: true,
    createdAt: now,
    expiresAt: never,
    expanding: false,
  };
}

function newPages(count: number, name = "page"): NewPage[] {
  return Array.from({ length: count }, (_, i) => {
    const key = `${name}.example.com/${i}`;
    return { url: `https://${key}`, key, depth: 0 };
  });
}

test("nothing is written before the first use", async () => {
  const storage = open();
  expect(readdirSync(folder)).toEqual([]);
  await storage.jobs.getJob("none", now);
  expect(readdirSync(folder)).toContain("crawl.db");
});

test("a path is needed", () => {
  expect(() => sqliteStorage({ path: "" })).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
});

test("a path that cannot be opened rejects the call and says which", async () => {
  const bad = join(folder, "missing", "crawl.db");
  const storage = open(bad);
  await expect(storage.jobs.getJob("none", now)).rejects.toThrow(bad);
});

test("a file that is no database, or another program's, is refused and left alone", async () => {
  writeFileSync(path, "This is a letter, not a database. ".repeat(100));
  await expect(open().sweep(now)).rejects.toThrow("is not a database");
  expect(readFileSync(path, "utf8")).toContain("This is a letter");

  // Other programs count the steps of their schemas as well.
  for (const version of [0, 3, migrations.length, 99]) {
    const other = join(folder, `other-${version}.db`);
    const database = new DatabaseSync(other);
    database.exec(`CREATE TABLE letters (text TEXT); PRAGMA user_version = ${version}`);
    database.close();
    const before = readFileSync(other);
    const storage = open(other);
    await expect(storage.sweep(now)).rejects.toThrow("another program");
    await storage.close();
    expect(readFileSync(other).equals(before)).toBe(true);
  }
});

test("a file of a newer version is refused", async () => {
  await open().sweep(now);
  await opened[0]?.close();
  const database = new DatabaseSync(path);
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expect(open().sweep(now)).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("newer version"),
  });
});

test("a closed storage opens again when it is used", async () => {
  const storage = open();
  await storage.jobs.createJob(newJob("job"), newPages(1), []);
  await Promise.all([storage.close(), storage.close()]);
  expect(await storage.jobs.getJob("job", now)).toMatchObject({ id: "job" });
  await storage.close();
});

test("a storage stays with its file, also when the program changes its folder", async () => {
  const started = process.cwd();
  try {
    process.chdir(folder);
    const storage = open("crawl.db");
    process.chdir(tmpdir());
    await storage.jobs.createJob(newJob("job"), [], []);
    await storage.close();
    process.chdir(started);
    expect((await storage.jobs.getJob("job", now))?.id).toBe("job");
    expect(readdirSync(folder)).toContain("crawl.db");
  } finally {
    process.chdir(started);
  }
});

test("a path is a path, also where SQLite would read an address in it", async () => {
  const started = process.cwd();
  try {
    process.chdir(folder);
    const storage = open("file:crawl.db?mode=memory");
    process.chdir(started);
    await storage.jobs.createJob(newJob("job"), [], []);
    await storage.cache.put({ team: "team", key: "page", storedAt: now, head: "{}", body: new Uint8Array(1) });
    await storage.close();
    expect((await storage.jobs.getJob("job", now))?.id).toBe("job");
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(["file:crawl.db?mode=memory", "file:crawl.db?mode=memory-cache"]),
    );
    const address = open(`file://${path}`);
    await expect(address.jobs.getJob("job", now)).rejects.toThrow("cannot be opened");
    expect(readdirSync(folder)).not.toContain("crawl.db");
  } finally {
    process.chdir(started);
  }
});

test("two storages may be opened on a new file at once", async () => {
  const storages = [open(), open(), open()];
  await Promise.all(storages.map((storage, i) => storage.jobs.createJob(newJob(`job-${i}`), newPages(1), [])));
  expect(await storages[0]?.jobs.listOpenJobs({ now })).toHaveLength(3);
});

test("a call that fails does not fail those that were gathered with it", async () => {
  const storage = open();
  const bad = { ...newJob("bad"), team: null as unknown as string };
  const [first, second, third] = await Promise.allSettled([
    storage.jobs.createJob(newJob("first"), newPages(3), []),
    storage.jobs.createJob(bad, newPages(3), []),
    storage.jobs.createJob(newJob("third"), newPages(3), []),
  ]);
  expect([first?.status, second?.status, third?.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await storage.jobs.getJob("bad", now)).toBeNull();
  expect((await storage.jobs.getJob("third", now))?.openPages).toBe(3);
});

test("while another process writes, calls wait, reads go on, and the event loop stays free", async () => {
  const storage = open();
  await storage.jobs.createJob(newJob("job"), newPages(1), []);
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  expect(await storage.jobs.getJob("job", now)).not.toBeNull();
  let claimed = false;
  const claiming = storage.jobs.claimPages("job", { worker: "w", count: 1, now, leaseUntil: never }).finally(() => {
    claimed = true;
  });
  let turns = 0;
  while (turns < 20) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    turns += 1;
  }
  expect(await storage.jobs.getJob("job", now)).not.toBeNull();
  expect(claimed).toBe(false);
  // Gathered with another call that writes.
  const [read] = await Promise.race([
    Promise.all([storage.jobs.getJob("job", now), storage.jobs.listOpenJobs({ now })]),
    storage.jobs.finishExpansion("job").then(() => []),
  ]);
  expect(read).not.toBeUndefined();
  expect(claimed).toBe(false);
  other.exec("COMMIT");
  other.close();
  expect(await claiming).toHaveLength(1);
});

test("a file that another process keeps locked is opened when it lets go, and the event loop stays free", async () => {
  const maker = open();
  await maker.jobs.createJob(newJob("job"), newPages(1), []);
  await maker.close();
  const other = new DatabaseSync(path);
  other.exec("PRAGMA locking_mode = EXCLUSIVE");
  other.exec("BEGIN EXCLUSIVE");
  setTimeout(() => other.close(), 1500);
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  onTestFinished(() => clearInterval(watch));
  expect(await open().jobs.getJob("job", now)).not.toBeNull();
  expect(longest).toBeLessThan(1000);
});

test("a job of very many URLs is one step, but does not hold the event loop", async () => {
  const storage = open();
  await storage.jobs.getJob("none", now);
  let turns = 0;
  let done = false;
  const creating = storage.jobs.createJob(newJob("job"), newPages(20_000), []).then(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  await creating;
  expect(turns).toBeGreaterThan(5);
  expect((await storage.jobs.getJob("job", now))?.openPages).toBe(20_000);
});

test("no statement looks through a whole table", () => {
  const database = new DatabaseSync(":memory:");
  for (const migration of migrations) database.exec(migration);
  const scans: string[] = [];
  for (const [name, sql] of Object.entries(statements)) {
    if (/^(BEGIN|COMMIT|ROLLBACK)/.test(sql)) continue;
    for (const { detail } of database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]) {
      // A full-text table is looked up by its words or its rowid, which the plan calls a scan too.
      if (detail.includes(" VIRTUAL TABLE INDEX ")) continue;
      if (/^SCAN (?!CONSTANT ROW|\(subquery|pragma_)/.test(detail)) scans.push(`${name}: ${detail}`);
    }
  }
  database.close();
  // These read partial indexes that hold nothing but the rows they want.
  expect(scans).toEqual([
    "openJobs: SCAN jobs USING INDEX jobs_open",
    "leaseHolders: SCAN pages USING COVERING INDEX pages_leased_by_worker",
    "jobToRemove: SCAN jobs USING COVERING INDEX jobs_to_remove",
  ]);
});

/** Works a job whose every text holds the word, among pages of another job, so that they share database pages. */
async function workJob(storage: Storage, word: string): Promise<void> {
  const jobs = [
    { id: "secret", word },
    { id: "other", word: "ordinary" },
  ];
  for (const { id, word: name } of jobs) {
    await storage.jobs.createJob({ ...newJob(id), request: `{"url":"https://${name}"}` }, newPages(1, name), []);
  }
  for (let round = 0; round < 60; round += 1) {
    await Promise.all(
      jobs.map(async ({ id, word: name }) => {
        const [page] = await storage.jobs.claimPages(id, { worker: "w", count: 1, now, leaseUntil: never });
        const failed = round % 5 === 0;
        await storage.jobs.completePage(page?.lease as never, {
          outcome: failed ? "failed" : "succeeded",
          completedAt: now,
          document: JSON.stringify({ markdown: `${name} `.repeat(round % 3 === 0 ? 2000 : 10) }),
          ...(failed
            ? { failure: { id: `${round}`, url: `https://${name}`, code: "X", error: `${name} failed` } }
            : {}),
          ...(round % 7 === 0 ? { finalKey: `${name}/final-${round}` } : {}),
          discovered: newPages(4, `${round}.${name}`),
          leftOut: newPages(4, `left-${round}.${name}`).map(({ url }) => ({ url, reason: "robots" })),
          outbox: [
            {
              id: `${id}-${round}`,
              team: "team",
              jobId: id,
              target: "webhook",
              lane: id,
              payload: `{"url":"https://${name}/${"x".repeat(round * 100)}"}`,
              withDocument: true,
              createdAt: now,
            },
          ],
        });
      }),
    );
  }
  await storage.outbox.take({ worker: "w", now, leaseUntil: never, lanes: 9, batch: 1000 });
  const failed = { id: "secret-30", at: now, retryAt: null, error: word };
  const delivered = Array.from({ length: 60 }, (_, i) => `secret-${i}`).filter((id) => id !== failed.id);
  await storage.outbox.settle({ lane: "secret", worker: "w" }, { delivered, failed });
  await storage.jobs.cancelJob("secret", { finishedAt: now, expiresAt: now + 1000, outbox: [] });
}

function filesWith(word: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));
}

test("after erasing, no file holds a word or a URL of the job", async () => {
  const storage = open();
  await workJob(storage, "zanzibar");
  expect(filesWith("zanzibar")).not.toEqual([]);
  await storage.jobs.eraseResults("secret");
  expect(filesWith("zanzibar")).toEqual([]);
  expect(filesWith("ordinary")).not.toEqual([]);
  expect((await storage.jobs.getJob("secret", now))?.listed).toBe(60);
});

test("after a sweep, no file holds a word or a URL of the expired job", async () => {
  const storage = open();
  await workJob(storage, "zanzibar");
  expect(await storage.sweep(now + 1000)).toEqual({ removedJobs: 1, nextExpiry: never });
  expect(filesWith("zanzibar")).toEqual([]);
});

test("a removal that was cut off is ended by the next sweep", async () => {
  await workJob(open(), "zanzibar");
  await opened[0]?.close();
  const database = new DatabaseSync(path);
  database.exec("UPDATE jobs SET removal = 'results' WHERE id = 'secret'");
  database.close();
  const storage = open();
  const range = { skip: 0, limit: 10, maxBytes: 1000 };
  expect(await storage.jobs.readResults("secret", range)).toEqual({ results: [] });
  await storage.sweep(now);
  const after = new DatabaseSync(path);
  expect(
    after.prepare("SELECT count(*) AS n FROM results JOIN jobs ON number = job WHERE id = 'secret'").get(),
  ).toEqual({ n: 0 });
  expect(after.prepare("SELECT removal FROM jobs WHERE id = 'secret'").get()).toEqual({ removal: "none" });
  after.close();
});

test("the file does not grow with every job that comes and goes", async () => {
  const storage = open();
  const sizes: number[] = [];
  const document = JSON.stringify({ markdown: "Some words. ".repeat(2000) });
  for (let round = 0; round < 4; round += 1) {
    await storage.jobs.createJob({ ...newJob("job"), expiresAt: now + round }, newPages(300), []);
    const pages = await storage.jobs.claimPages("job", { worker: "w", count: 300, now, leaseUntil: never });
    const completion = {
      outcome: "succeeded",
      completedAt: now,
      document,
      discovered: [],
      leftOut: [],
      outbox: [],
    } as const;
    await Promise.all(pages.map((page) => storage.jobs.completePage(page.lease, completion)));
    await storage.sweep(now + round);
    sizes.push(statSync(path).size);
  }
  // 7 MB of documents each time; what stays is what a quarter of the file or 4 MB allows.
  expect(Math.max(...sizes)).toBeLessThan(6_000_000);
  expect(sizes[3]).toBeLessThanOrEqual((sizes[1] as number) * 1.1);
});

test("large documents are taken from the outbox a few at a time", async () => {
  const storage = open();
  const job = newJob("large");
  await storage.jobs.createJob(job, newPages(6, "large"), []);
  const pages = await storage.jobs.claimPages("large", { worker: "w", count: 6, now, leaseUntil: never });
  for (const [index, { lease }] of pages.entries()) {
    const item = { id: String(index), team: "team", jobId: "large", target: "webhook", lane: "lane", payload: "{}" };
    await storage.jobs.completePage(lease, {
      outcome: "succeeded",
      completedAt: now,
      document: JSON.stringify({ markdown: "x".repeat(index === 3 ? 9_000_000 : 1_500_000) }),
      discovered: [],
      leftOut: [],
      outbox: [{ ...item, withDocument: true, createdAt: now }],
    });
  }
  const taken: string[][] = [];
  for (;;) {
    const [lane] = await storage.outbox.take({ worker: "w", now, leaseUntil: never, lanes: 1, batch: 50 });
    if (lane === undefined) break;
    const delivered = lane.items.map(({ id }) => id);
    taken.push(delivered);
    await storage.outbox.settle({ lane: "lane", worker: "w" }, { delivered });
  }
  expect(taken).toEqual([["0", "1"], ["2"], ["3"], ["4", "5"]]);
});

test("the cache forgets the entries stored longest ago when it is full", async () => {
  const storage = sqliteStorage({ path, maxCacheBytes: 1000 });
  opened.push(storage);
  const entry = { team: "team", storedAt: 0, head: "{}" };
  for (const key of ["a", "b", "a", "c"]) await storage.cache.put({ ...entry, key, body: new Uint8Array(400) });
  expect(await storage.cache.get({ team: "team", key: "b" })).toBeNull();
  expect(await storage.cache.get({ team: "team", key: "a" })).not.toBeNull();
  await storage.cache.put({ ...entry, key: "a", body: new Uint8Array(2000) });
  expect(await storage.cache.get({ team: "team", key: "a" })).toBeNull();
  expect(await storage.cache.get({ team: "team", key: "c" })).not.toBeNull();
});

test("an engine that did nothing opens no file, not even to close", async () => {
  await createEngine({ storage: open() }).close();
  expect(readdirSync(folder)).toEqual([]);
  const nowhere = createEngine({ storage: open(join(folder, "missing", "crawl.db")) });
  await expect(nowhere.crawl({ url: "https://example.com" })).rejects.toThrow("cannot be opened");
  await nowhere.close();
});

test.each([
  ["deleted", () => rmSync(path)],
  ["replaced", () => renameSync(join(folder, "other.db"), path)],
])("nothing more is accepted once the file was %s while it is open", async (_, change) => {
  const storage = open();
  await storage.jobs.createJob(newJob("before"), newPages(1), []);
  writeFileSync(join(folder, "other.db"), "");
  change();
  const message = `The database ${path} was deleted or replaced while it was open.`;
  const add = (id: string) => storage.jobs.createJob(newJob(id), newPages(1), []);
  await vi.waitFor(() => expect(add(randomUUID())).rejects.toThrow(message), { timeout: 5000 });
  await expect(add("refused")).rejects.toThrow(message);
  await expect(storage.jobs.getJob("before", now)).rejects.toThrow(message);
  await storage.close();
  await add("after");
  await storage.close();
  expect(await open().jobs.getJob("after", now)).toMatchObject({ id: "after" });
});

test("a file that cannot be opened is no fault of the caller's", async () => {
  const engine = createEngine({ storage: open(join(folder, "missing", "crawl.db")) });
  await expect(engine.getActiveCrawls()).rejects.toMatchObject({ code: "UNKNOWN_ERROR", statusCode: 500 });
  await engine.close();
});

test("no statement numbers its arguments: Node 22 would not bind them by position", () => {
  for (const sql of Object.values(statements)) expect(sql).not.toMatch(/\?\d/);
});
