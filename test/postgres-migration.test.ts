/** A new version of the library makes its changes to the tables while others use them. */

import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { startAdministered } from "./postgres-server.ts";

let server: Awaited<ReturnType<typeof startAdministered>>;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startAdministered();
  pool = new pg.Pool({ connectionString: server.connectionString });
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** The tables as they were before the pages of the index had a time. */
async function olderSchema(schema: string): Promise<void> {
  await postgresStorage({ pool, schema }).sweep(0);
  await pool.query(`ALTER TABLE ${schema}.indexed_pages DROP COLUMN seen_at; UPDATE ${schema}.version SET number = 5`);
  const { rows } = await pool.query("SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND indexdef LIKE $2", [
    schema,
    "%USING hash%",
  ]);
  for (const { indexname } of rows) await pool.query(`DROP INDEX ${schema}.${indexname}`);
}

/** Somebody who reads the index in one transaction, as a backup does; returns what ends it, at the latest with the test. */
async function readForLong(schema: string): Promise<() => Promise<void>> {
  const reader = new pg.Client({ connectionString: server.connectionString });
  await reader.connect();
  onTestFinished(() => reader.end());
  await reader.query(`BEGIN; SELECT 1 FROM ${schema}.indexed_pages`);
  return () => reader.end();
}

async function someoneWaits(): Promise<boolean> {
  const { rows } = await server.administrator.query(
    "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'",
  );
  return rows.length > 0;
}

test("one that has to wait for a long reader lets the others work meanwhile", async () => {
  const schema = "waiting";
  await olderSchema(schema);
  const endReading = await readForLong(schema);
  const storage = postgresStorage({ pool, schema });
  const migrated = storage.sweep(0);
  await expect.poll(someoneWaits).toBe(true);
  await pool.query(`SELECT 1 FROM ${schema}.indexed_pages`);
  await endReading();
  expect(await migrated).toEqual({ removedJobs: 0, nextExpiry: null });
  expect(await storage.index!.listUrls({ team: "team", part: "/", limit: 1 })).toEqual([]);
});

test("limits of the role for short statements do not end one, nor those who wait for it", async () => {
  const schema = "impatient";
  await olderSchema(schema);
  // Longer than their own statements take on a busy machine.
  const options = "-c statement_timeout=1500 -c lock_timeout=1500";
  const impatient = new pg.Pool({ connectionString: server.connectionString, options });
  const endReading = await readForLong(schema);
  const migrated = [1, 2, 3].map(() => postgresStorage({ pool: impatient, schema }).sweep(0));
  const ends = Promise.allSettled(migrated);
  await expect.poll(someoneWaits).toBe(true);
  await pool.query("SELECT pg_sleep(2.5)");
  await endReading();
  expect((await ends).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  await impatient.end();
});
