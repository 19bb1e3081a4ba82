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

describe("Postgres storage", () => {
  testStorage({
    test,
    durable: true,
    create() {
      const schema = newSchema();
      return {
        storage: postgresStorage({ pool, schema }),
        reopen: () => postgresStorage({ pool, schema }),
      };
    },
  });

  for (const seed of [101, 102, 103]) {
    test(`answers as the memory storage does, seed ${seed}`, () =>
      compareStorages(seed, memoryStorage(), postgresStorage({ pool, schema: newSchema() })));
  }

  test("a connection string is enough, and the pool made of it ends with the storage", async () => {
    const storage = postgresStorage({ connectionString: server.connectionString, schema: newSchema() });
    expect(await storage.sweep(0)).toEqual({ removedJobs: 0, nextExpiry: null });
    await storage.close();
    await expect(storage.sweep(0)).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
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
    create: () => pgBossQueue({ connectionString: server.connectionString, schema: newSchema(), pollEveryMs: 20 }),
  });
});
