/** The Postgres storage and the pg-boss queue keep the contracts of their ports. */

import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage } from "../src/drivers/memory/index.ts";
import { type PostgresPool, pgBossQueue, postgresStorage } from "../src/drivers/postgres/index.ts";
import type { IndexedPage } from "../src/ports/search-index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import { testQueue, testStorage } from "../src/testing/index.ts";
import { newItem, newJob } from "../src/testing/storage-cases/storage-case.ts";
import { testCacheBounds } from "./cache-bounds.ts";
import { startPooled } from "./postgres-server.ts";
import { compareStorages } from "./storage-model.ts";

let server: Awaited<ReturnType<typeof startPooled>>;
let pool: pg.Pool;
let schemas = 0;

beforeAll(async () => {
  server = await startPooled();
  ({ pool } = server);
});

afterAll(() => server?.stop());

function newSchema(): string {
  schemas += 1;
  return `test_${schemas}`;
}

/** Makes the schema once; later only its rows are deleted, which is much quicker. */
async function empty(schema: string): Promise<void> {
  await postgresStorage({ pool, schema }).jobs.getJob("none", 0);
  const tables = await pool.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", [schema]);
  const names = tables.rows
    .map(({ name }) => name)
    .filter((name) => !["version", "cache_size", "index_size"].includes(name));
  const deletions = names.map((name) => `DELETE FROM ${schema}.${name};`).join("");
  await pool.query(
    `${deletions} UPDATE ${schema}.cache_size SET bytes = 0; UPDATE ${schema}.index_size SET bytes = 0;`,
  );
}

describe("Postgres storage", () => {
  testStorage({
    test,
    durable: true,
    async create() {
      const schema = "conformance";
      await empty(schema);
      return { storage: postgresStorage({ pool, schema }), reopen: () => postgresStorage({ pool, schema }) };
    },
  });

  for (const seed of [101, 102, 103, 104, 105, 106]) {
    test(`answers as the memory storage does, seed ${seed}`, () =>
      compareStorages(seed, memoryStorage(), postgresStorage({ pool, schema: newSchema() })));
  }

  testCacheBounds((bounds) => postgresStorage({ pool, schema: newSchema(), ...bounds }));

  test("a connection string is enough; a closed storage opens again when it is used", async () => {
    const storage = postgresStorage({ connectionString: server.connectionString, schema: newSchema() });
    expect(await storage.sweep(0)).toEqual({ removedJobs: 0, nextExpiry: null });
    await Promise.all([storage.close(), storage.close()]);
    expect(await storage.jobs.getJob("none", 0)).toBeNull();
    await storage.close();
  });

  test("closing waits for what has begun, and leaves nothing on the connections of a pool of the host's", async () => {
    const own = new pg.Pool({ connectionString: server.connectionString, max: 1 });
    const listeners = new Set<number>();
    own.on("acquire", (client) => listeners.add(client.listenerCount("error")));
    const schema = newSchema();
    const { cache, close } = postgresStorage({ pool: own, schema });
    const entry = { team: "a", storedAt: 1, head: "{}", body: new Uint8Array(1) };
    let stored = 0;
    for (let key = 0; key < 10; key += 1) void cache.put({ ...entry, key: String(key) }).then(() => stored++);
    await close();
    expect(stored).toBe(10);
    expect(Math.max(...listeners)).toBeLessThan(4);
    await own.end();
  });

  test("a connection on which the server has not answered is not used again", async () => {
    const schema = newSchema();
    const noAnswer = new Error("no answer in time");
    const released: unknown[] = [];
    const slow: PostgresPool = {
      query: (text, values) => pool.query(text, values),
      end: async () => {},
      async connect() {
        const client = await pool.connect();
        return {
          query: (text, values) =>
            text.includes("FOR UPDATE") ? Promise.reject(noAnswer) : client.query(text, values),
          release(error) {
            released.push(error);
            client.release(error);
          },
        };
      },
    };
    const { jobs } = postgresStorage({ pool: slow, schema });
    await jobs.createJob(newJob({ id: "job" }), [], []);
    await expect(jobs.finishExpansion("job")).resolves.toBeUndefined();
    const claim = { count: 1, now: 1, leaseUntil: 2, worker: "worker" };
    await expect(jobs.claimPages("job", claim)).rejects.toBe(noAnswer);
    expect(new Set(released.slice(0, -1))).toEqual(new Set([undefined]));
    expect(released.at(-1)).toBe(noAnswer);
  });

  test("nothing waits for an item that is already there and was given up", async () => {
    const { outbox } = postgresStorage({ pool, schema: newSchema() });
    const item = newItem("once", { jobId: null });
    const request = { worker: "worker", now: item.createdAt, leaseUntil: item.createdAt + 1000, lanes: 5, batch: 5 };
    await outbox.add([item]);
    const [taken] = await outbox.take(request);
    const failed = { id: item.id, at: item.createdAt, retryAt: null, error: "gone" };
    await outbox.settle({ lane: taken?.lane ?? "", worker: "worker" }, { at: item.createdAt, delivered: [], failed });
    await outbox.add([item]);
    expect(await outbox.take(request)).toEqual([]);
    expect(await outbox.nextDue()).toBeNull();
  });

  for (const removes of ["eraseResults", "sweep"] as const) {
    test(`an item that is given up while its job goes is not kept: ${removes}`, async () => {
      const schema = newSchema();
      const { jobs, outbox, sweep } = postgresStorage({ pool, schema });
      await jobs.createJob(
        newJob({ id: "job", zeroDataRetention: true, expiresAt: 5 }),
        [],
        [newItem("item", { jobId: "job", lane: "lane", createdAt: 1 })],
      );
      await jobs.closeJob("job", { state: "completed", finishedAt: 2, expiresAt: 5, outbox: [] });
      await outbox.take({ worker: "w", now: 3, leaseUntil: 4, lanes: 1, batch: 1 });
      // What others are told in the middle of the step happens before it ends, or after it.
      let removed: Promise<unknown> | undefined;
      const told: PostgresPool = {
        ...{ query: (text, values) => pool.query(text, values), end: async () => {} },
        async connect() {
          const client = await pool.connect();
          return {
            release: (error) => client.release(error),
            async query(text, values) {
              const result = await client.query(text, values);
              if (text.includes("DELETE FROM") && text.includes("NOT EXISTS")) {
                removed = removes === "sweep" ? sweep(9) : jobs.eraseResults("job");
                await Promise.race([removed, delay(200)]);
              }
              return result;
            },
          };
        },
      };
      const failed = { id: "item", at: 3, retryAt: null, error: "410" };
      await postgresStorage({ pool: told, schema }).outbox.settle(
        { lane: "lane", worker: "w" },
        { delivered: [], failed },
      );
      expect(removed).toBeDefined();
      await removed;
      // A job that others hold is left to the next sweep.
      if (removes === "sweep") await sweep(9);
      expect(await outbox.listFailed({ team: "team-a" })).toEqual([]);
    });
  }

  test("a schema may be called by a word of SQL", async () => {
    const { jobs, sweep } = postgresStorage({ pool, schema: "user" });
    expect(await sweep(0)).toEqual({ removedJobs: 0, nextExpiry: null });
    expect(await jobs.getJob("none", 0)).toBeNull();
  });

  test("a schema of a newer version is refused", async () => {
    const schema = newSchema();
    await postgresStorage({ pool, schema }).sweep(0);
    await pool.query(`UPDATE ${schema}.version SET number = 99`);
    const connections = async () =>
      (await pool.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'newer'")).rows;
    const connectionString = `${server.connectionString}&application_name=newer`;
    const storage = postgresStorage({ connectionString, schema });
    await expect(storage.sweep(0)).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect.poll(connections).toEqual([]);
    // Somebody may mend it meanwhile.
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    expect(await storage.sweep(0)).toEqual({ removedJobs: 0, nextExpiry: null });
    await storage.close();
  });

  test("a schema of something else is refused, by a storage and by a queue", async () => {
    const [stored, queued] = [newSchema(), newSchema()];
    const storage = (schema: string) => postgresStorage({ pool, schema });
    const queue = (schema: string) => pgBossQueue({ connectionString: server.connectionString, schema });
    const task = { jobId: "job", team: "team" };
    const first = queue(queued);
    await first.push(task);
    await first.close();
    await storage(stored).sweep(0);
    const refused = (schema: string) => ({ code: "UNSUPPORTED", message: expect.stringContaining(schema) });
    await expect(storage(queued).sweep(0)).rejects.toMatchObject(refused(queued));
    await expect(queue(stored).push(task)).rejects.toMatchObject(refused(stored));
  });

  test("a database that cannot hold every character is refused: a page with one could never be completed", async () => {
    await pool.query("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
    const connectionString = server.connectionString.replace("/postgres?", "/latin?");
    const storage = postgresStorage({ connectionString });
    await expect(storage.sweep(0)).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining("UTF8"),
    });
    await storage.close();
  });

  test("options that cannot work are refused", () => {
    for (const options of [{}, { pool, connectionString: "postgres://localhost/x" }, { pool, schema: "x; DROP" }]) {
      expect(() => postgresStorage(options)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
    }
  });

  test("a URL and a key of any length are taken, and a NUL in a message", async () => {
    const { jobs, ledger, close } = postgresStorage({ pool, schema: newSchema() });
    const long = `https://example.com/${"x".repeat(20_000)}`;
    const job = newJob({ id: "job", team: "team" });
    await jobs.createJob(job, [{ url: long, key: long, depth: 0 }], []);
    const [page] = await jobs.claimPages("job", { worker: "w", count: 1, now: 1, leaseUntil: 2 });
    expect(page?.key).toBe(long);
    await jobs.completePage(page?.lease as never, {
      outcome: "failed",
      completedAt: 1,
      document: "{}",
      finalKey: `${long}/final`,
      failure: { id: "f", url: long, code: "UNKNOWN_ERROR", error: "a\0b" },
      discovered: [],
      leftOut: [{ url: `${long}/left`, reason: "robots" }],
      outbox: [],
    });
    expect((await jobs.listFailures("job"))[0]?.error).toBe("a\ufffdb");
    expect(await jobs.listLeftOut("job")).toHaveLength(1);
    expect(await ledger.usage({ team: "team", byApiKey: false })).toEqual([]);
    await close();
  });
});

describe("Postgres search index", () => {
  const words = "steel kettle boils water red rail train wheel cafés чайник 東京の天文台 v2 3d naïve guides".split(" ");
  const pages = Array.from({ length: 60 }, (_, number): IndexedPage => {
    const some = (count: number, step: number) =>
      Array.from({ length: count }, (_, index) => words[(number * step + index * index) % words.length]).join(" ");
    return {
      team: number % 5 === 0 ? "team-b" : "team-a",
      key: `key-${number}`,
      url: `https://example.com/${number % 3 === 0 ? "kettles" : "trains"}/${number}`,
      title: some(2 + (number % 3), 7),
      description: some(number % 4, 11),
      markdown: `# ${some(5 + ((number * 13) % 90), 5)}`,
      publishedAt: null,
      seenAt: 1000 + number,
    };
  });
  const queries = [
    "steel kettle",
    "CAFE guide",
    "天文台",
    "чайник -train",
    '"kettle boils"',
    "intitle:wheel rail",
    "site:example.com/kettles water",
    "related:example.com/trains/7",
    "v2 3d",
    "",
  ];

  test("finds what the index in memory finds, in its order", async () => {
    const one = memoryStorage().index!;
    const other = postgresStorage({ pool, schema: newSchema() }).index!;
    for (const page of pages) await Promise.all([one.put(page), other.put(page)]);
    for (const text of queries) {
      const query = { team: "team-a", terms: parseSearchQuery(text), limit: 100 };
      const [expected, found] = await Promise.all([one.search(query), other.search(query)]);
      expect(expected.length).toBeGreaterThan(0);
      // By what words relatives are found is a driver's own matter.
      if (text.startsWith("related:")) expect(found.length).toBeGreaterThan(0);
      else expect([text, found]).toEqual([text, expected]);
    }
  });

  test("engines that search at the same time count new pages once; the oldest pages go when there are too many", async () => {
    const schema = newSchema();
    const [first, second] = [1, 2].map(() => postgresStorage({ pool, schema, maxIndexBytes: 60_000 }).index!);
    await Promise.all(pages.map((page, number) => (number % 2 === 0 ? first! : second!).put(page)));
    const query = { team: "team-a", terms: parseSearchQuery("example"), limit: 100 };
    const [found, also] = await Promise.all([first!.search(query), second!.search(query)]);
    expect(new Set(found.map(({ url }) => url))).toEqual(new Set(also.map(({ url }) => url)));
    expect(found.length).toBe(48);
    for (let number = 0; number < 30; number += 1) {
      await first!.put({
        ...pages[1]!,
        key: `long-${number}`,
        url: `https://long.example/${number}`,
        markdown: "steel ".repeat(300),
      });
    }
    const left = await second!.search({ ...query, terms: parseSearchQuery("steel") });
    expect(left.map(({ url }) => url)).toContain("https://long.example/29");
    expect(left.map(({ url }) => url)).not.toContain("https://long.example/0");
    const sizes = await pool.query(
      `SELECT (SELECT sum(bytes) FROM ${schema}.indexed_pages)::float8 AS held, bytes FROM ${schema}.index_size`,
    );
    expect(sizes.rows[0].held).toBe(sizes.rows[0].bytes);
    expect(sizes.rows[0].held).toBeLessThanOrEqual(60_000);
  });

  test("hostile pages are taken: half characters, NUL, endless words, every ideograph", async () => {
    const { index } = postgresStorage({ pool, schema: newSchema() });
    const letters = "\u{10400}".repeat(40);
    const ideographs = Array.from({ length: 100_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
    );
    const markdown = `x${letters} a\0b \ud801 ${"word".repeat(1000)} ${ideographs.join("")}`;
    await index!.put({ ...pages[1]!, title: "\ud801 title \0", markdown });
    for (const text of [`x${letters}`, "title", "word".repeat(1000), ideographs.slice(500, 503).join("")]) {
      expect(await index!.search({ team: "team-a", terms: parseSearchQuery(text), limit: 1 })).toHaveLength(1);
    }
  });
});

describe("pg-boss queue", () => {
  test("whose database is not there yet is tried again", async () => {
    const queue = pgBossQueue({ connectionString: server.connectionString.replace("/postgres?", "/later?") });
    const task = { jobId: "job", team: "team" };
    await expect(queue.push(task)).rejects.toThrow();
    await pool.query("CREATE DATABASE later");
    await queue.push(task);
    await queue.close();
  });

  testQueue({
    test,
    async create() {
      const { rows } = await pool.query("SELECT to_regclass('queue.job') AS jobs");
      if (rows[0].jobs !== null) await pool.query("DELETE FROM queue.job");
      return pgBossQueue({ connectionString: server.connectionString, schema: "queue", pollEveryMs: 20 });
    },
  });
});
