/** The file in which the SQLite storage keeps cached bodies: beside the database, and lost without harm. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import type { Storage } from "../src/ports/storage.ts";

let folder: string;
let path: string;
let file: string;
let opened: Storage[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crawlcore-cache-"));
  path = join(folder, "crawl.db");
  file = `${path}-cache`;
  opened = [];
});

afterEach(async () => {
  for (const storage of opened) await storage.close();
  rmSync(folder, { recursive: true });
});

function open(options: { maxCacheBytes?: number } = {}): Storage {
  const storage = sqliteStorage({ path, ...options });
  opened.push(storage);
  return storage;
}

const entry = (key: string, text = key, storedAt = 0) => ({
  team: "team",
  key,
  storedAt,
  head: `{"key":"${key}"}`,
  body: Buffer.from(text.repeat(1000)),
});

async function bodyOf(storage: Storage, key: string): Promise<string | undefined> {
  const found = await storage.cache.get({ team: "team", key });
  return found === null ? undefined : Buffer.from(found.body).toString();
}

test("bodies lie beside the database, and are there after it was closed and opened again", async () => {
  const storage = open();
  await Promise.all(["a", "b", "c"].map((key) => storage.cache.put(entry(key))));
  await storage.close();
  expect(readdirSync(folder)).toEqual(["crawl.db-cache"]);
  expect(await bodyOf(storage, "b")).toBe("b".repeat(1000));
  expect(await storage.cache.get({ team: "another", key: "b" })).toBeNull();
});

test("what was put is found at once, however it is changed afterwards", async () => {
  const storage = open();
  const put = entry("a");
  await storage.cache.put(put);
  put.body.fill(0);
  expect(await bodyOf(storage, "a")).toBe("a".repeat(1000));
  await storage.cache.put(entry("a", "anew"));
  expect(await bodyOf(storage, "a")).toBe("anew".repeat(1000));
});

test("a part of a larger buffer is kept as that part", async () => {
  const storage = open();
  const whole = Buffer.from("before the body after");
  await storage.cache.put({ ...entry("a"), body: whole.subarray(7, 15) });
  expect(await bodyOf(storage, "a")).toBe("the body");
  expect(whole.toString()).toBe("before the body after");
});

test("many large bodies at once wait for the file, not in memory", async () => {
  const storage = open();
  const body = Buffer.alloc(3_000_000, "x");
  await Promise.all(Array.from({ length: 12 }, (_, i) => storage.cache.put({ ...entry(`${i}`), body })));
  // At most the last eight megabytes may still be on their way.
  expect(statSync(file).size).toBeGreaterThan(25_000_000);
  expect((await bodyOf(storage, "11"))?.length).toBe(3_000_000);
});

test.each([
  [5_000_000, 8],
  [600_000, 24],
])("of many bodies of %i bytes, memory holds few, also after they were written", async (size, atOnce) => {
  const storage = open();
  const body = Buffer.alloc(size, "x");
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let written = 0; written < 500_000_000; written += atOnce * size) {
    await Promise.all(Array.from({ length: atOnce }, (_, i) => storage.cache.put({ ...entry(`${i}`), body })));
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  // Those that are being written, and copies that have not been collected.
  expect(most).toBeLessThan(200_000_000);
  expect((await bodyOf(storage, "7"))?.length).toBe(size);
});

test("the oldest go when they are too many, and all that are too old", async () => {
  const storage = open({ maxCacheBytes: 3_500 });
  for (const key of ["a", "b", "a", "c", "d"]) await storage.cache.put(entry(key));
  expect(await Promise.all(["a", "b", "c", "d"].map((key) => bodyOf(storage, key).then(Boolean)))).toEqual([
    true,
    false,
    true,
    true,
  ]);
  await storage.sweep(31 * 24 * 60 * 60 * 1000);
  expect(await bodyOf(storage, "d")).toBeUndefined();
  await storage.close();
  expect(readFileSync(file).includes("dddddddd")).toBe(false);
});

test("a damaged file is begun anew", async () => {
  const storage = open();
  await storage.cache.put(entry("a"));
  await storage.close();
  const bytes = readFileSync(file);
  // The head of the file stays as it was: it says whose file this is.
  writeFileSync(file, bytes.fill(0xff, 200));
  expect(await bodyOf(storage, "a")).toBeUndefined();
  await storage.cache.put(entry("b"));
  expect(await bodyOf(storage, "b")).toBe("b".repeat(1000));
});

test("a file that another engine has begun anew is used by those that had the old one open", async () => {
  const [first, second] = [open(), open()];
  await first.cache.put(entry("a"));
  expect(await bodyOf(first, "a")).toBeDefined();
  writeFileSync(file, readFileSync(file).fill(0xff, 200));
  await second.cache.put(entry("b"));
  expect(await bodyOf(second, "b")).toBeDefined();
  await first.cache.put(entry("c"));
  expect(await bodyOf(first, "c")).toBe("c".repeat(1000));
  expect(await bodyOf(second, "c")).toBe("c".repeat(1000));
});

test("a body that is not as it was stored is not given", async () => {
  const storage = open();
  await storage.cache.put(entry("a"));
  await storage.close();
  const database = new DatabaseSync(file);
  database.prepare("UPDATE pages SET body = ?").run(Buffer.from("spoilt"));
  database.close();
  expect(await storage.cache.get({ team: "team", key: "a" })).toBeNull();
});

test("another's file is left alone, and the caller hears of it", async () => {
  writeFileSync(file, "This is a letter, not a cache. ".repeat(100));
  const storage = open();
  await storage.cache.put(entry("a"));
  await expect(storage.cache.get({ team: "team", key: "a" })).rejects.toThrow(/belongs to another program/);
  // It was given to the thread before; that it failed is told now.
  await expect(storage.cache.put(entry("b"))).rejects.toThrow(/belongs to another program/);
  expect(readFileSync(file, "utf8")).toContain("This is a letter");
  // The database does not need it.
  expect(await storage.jobs.getJob("none", 0)).toBeNull();
});

test("why the file cannot be used is told with its code, which says more in a log than that there was an error", async () => {
  mkdirSync(file);
  const storage = open();
  await expect(storage.cache.get({ team: "team", key: "a" })).rejects.toMatchObject({ code: "EISDIR" });
  rmSync(file, { recursive: true });
  writeFileSync(file, "This is a letter, not a cache. ".repeat(100));
  await expect(storage.cache.get({ team: "team", key: "a" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("two storages share the file", async () => {
  const [first, second] = [open(), open()];
  await Promise.all([first.cache.put(entry("a")), second.cache.put(entry("b"))]);
  await Promise.all([first.close(), second.close()]);
  expect(await bodyOf(first, "b")).toBe("b".repeat(1000));
  expect(await bodyOf(second, "a")).toBe("a".repeat(1000));
});

test("where threads are forbidden, all is done without one", () => {
  const program = `
    import { sqliteStorage } from ${JSON.stringify(new URL("../src/drivers/sqlite/index.ts", import.meta.url).href)};
    const storage = sqliteStorage({ path: process.argv[1] });
    await storage.cache.put({ team: "t", key: "k", storedAt: 0, head: "{}", body: Buffer.from("body") });
    const found = await storage.cache.get({ team: "t", key: "k" });
    await storage.sweep(1);
    await storage.close();
    console.log(Buffer.from(found.body).toString());
  `;
  const permissions = ["--permission", "--allow-fs-read=*", "--allow-fs-write=*", "--no-warnings"];
  const output = execFileSync(process.execPath, [...permissions, "--input-type=module", "-e", program, path], {
    encoding: "utf8",
  });
  expect(output.trim()).toBe("body");
});

test("a process that forgets to close ends all the same, and the bodies are there", async () => {
  const program = `
    import { sqliteStorage } from ${JSON.stringify(new URL("../src/drivers/sqlite/index.ts", import.meta.url).href)};
    const storage = sqliteStorage({ path: process.argv[1] });
    await storage.cache.put({ team: "team", key: "k", storedAt: 0, head: "{}", body: Buffer.from("body") });
  `;
  execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", program, path], { timeout: 20_000 });
  expect(await bodyOf(open(), "k")).toBe("body");
});
