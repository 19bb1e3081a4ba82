/** The Postgres storage and the pg-boss queue keep the contracts of their ports. */

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStorage } from "../src/drivers/memory/index.ts";
import { pgBossQueue, postgresStorage } from "../src/drivers/postgres/index.ts";
import { testQueue, testStorage } from "../src/testing/index.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { compareStorages } from "./storage-model.ts";

let server: PostgresServer;
let pool: pg.Pool;
let schemas = 0;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.connectionString, max: 20 });
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

function newSchema(): string {
  schemas += 1;
  return `test_${schemas}`;
}

/** Makes the schema once; later only its rows are deleted, which is much quicker. */
async function empty(schema: string): Promise<void> {
  await postgresStorage({ pool, schema }).jobs.getJob("none", 0);
  const tables = await pool.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", [schema]);
  const names = tables.rows.map(({ name }) => name).filter((name) => !["version", "cache_size"].includes(name));
  const deletions = names.map((name) => `DELETE FROM ${schema}.${name};`).join("");
  await pool.query(`${deletions} UPDATE ${schema}.cache_size SET bytes = 0;`);
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

  for (const seed of [101, 102, 103]) {
    test(`answers as the memory storage does, seed ${seed}`, () =>
      compareStorages(seed, memoryStorage(), postgresStorage({ pool, schema: newSchema() })));
  }

  test("a connection string is enough; a closed storage opens again when it is used", async () => {
    const storage = postgresStorage({ connectionString: server.connectionString, schema: newSchema() });
    expect(await storage.sweep(0)).toEqual({ removedJobs: 0, nextExpiry: null });
    await Promise.all([storage.close(), storage.close()]);
    expect(await storage.jobs.getJob("none", 0)).toBeNull();
    await storage.close();
  });

  test("a schema of a newer version is refused", async () => {
    const schema = newSchema();
    await postgresStorage({ pool, schema }).sweep(0);
    await pool.query(`UPDATE ${schema}.version SET number = 99`);
    await expect(postgresStorage({ pool, schema }).sweep(0)).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });

  test("options that cannot work are refused", () => {
    for (const options of [{}, { pool, connectionString: "postgres://localhost/x" }, { pool, schema: "x; DROP" }]) {
      expect(() => postgresStorage(options)).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
    }
  });

  test("a URL and a key of any length are taken, and a NUL in a message", async () => {
    const { jobs, ledger, close } = postgresStorage({ pool, schema: newSchema() });
    const long = `https://example.com/${"x".repeat(20_000)}`;
    const job = {
      id: "job",
      team: "team",
      apiKey: null,
      kind: "crawl",
      request: "{}",
      limit: 10,
      zeroDataRetention: false,
      createdAt: 0,
      expiresAt: 9,
      expanding: false,
    } as const;
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

describe("pg-boss queue", () => {
  testQueue({
    test,
    async create() {
      const { rows } = await pool.query("SELECT to_regclass('queue.job') AS jobs");
      if (rows[0].jobs !== null) await pool.query("DELETE FROM queue.job");
      return pgBossQueue({ connectionString: server.connectionString, schema: "queue", pollEveryMs: 20 });
    },
  });
});
