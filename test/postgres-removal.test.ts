/** What has expired leaves a database that lets no statement take long. */

import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import type { Storage } from "../src/index.ts";
import { newItem, newJob, newPages, succeeded } from "../src/testing/storage-cases/storage-case.ts";
import { startPooled } from "./postgres-server.ts";

let server: Awaited<ReturnType<typeof startPooled>>;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPooled({ statement_timeout: 1500 });
  ({ pool } = server);
});

afterAll(() => server?.stop());

const documents = 40;
const document = JSON.stringify({ markdown: "x".repeat(1_000_000), metadata: {} });

async function completedJob({ jobs }: Storage, id: string, zeroDataRetention: boolean): Promise<void> {
  const pages = Array.from({ length: documents }, (_, number) => ({ url: `${number}`, key: `${number}`, depth: 0 }));
  await jobs.createJob(newJob({ id, team: "team", zeroDataRetention, expiresAt: 1000 }), pages, []);
  const claimed = await jobs.claimPages(id, { worker: "w", count: documents, now: 1, leaseUntil: 2 });
  for (const { lease } of claimed) {
    const completion = {
      outcome: "succeeded",
      completedAt: 1,
      document,
      discovered: [],
      leftOut: [],
      outbox: [],
    } as const;
    await jobs.completePage(lease, completion);
  }
  await jobs.closeJob(id, { state: "completed", finishedAt: 1, expiresAt: 1000, outbox: [] });
}

/** As if each document had many parts, which a database deletes one by one. */
async function deleteSlowly(table: string, seconds = 0.05): Promise<void> {
  await pool.query(`
    CREATE FUNCTION ${table}_slowly() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(${seconds}); RETURN OLD; END';
    CREATE TRIGGER slowly BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_slowly()`);
}

async function documentsIn(schema: string): Promise<number> {
  return (await pool.query(`SELECT count(*)::int AS count FROM ${schema}.documents`)).rows[0].count;
}

test("a large job that has expired is removed, and the jobs after it", async () => {
  const storage = postgresStorage({ pool, schema: "expired" });
  await completedJob(storage, "large", false);
  await storage.jobs.createJob(newJob({ id: "next", team: "team", expiresAt: 1001 }), [], []);
  await deleteSlowly("expired.documents");
  expect(await storage.sweep(2000)).toEqual({ removedJobs: 2, nextExpiry: null });
  expect(await documentsIn("expired")).toBe(0);
});

test("a large job is erased", async () => {
  const storage = postgresStorage({ pool, schema: "erased" });
  await completedJob(storage, "large", true);
  await deleteSlowly("erased.documents");
  await storage.jobs.eraseResults("large");
  expect(await documentsIn("erased")).toBe(0);
  expect(await storage.jobs.getJob("large", 2)).toMatchObject({ request: "{}", listed: documents });
});

test("items that were given up go with their job, without its documents being copied for them", async () => {
  const { jobs, outbox, sweep } = postgresStorage({ pool, schema: "items" });
  await jobs.createJob(newJob({ id: "job", expiresAt: 5 }), newPages(1), []);
  const [page] = await jobs.claimPages("job", { worker: "w", count: 1, now: 1, leaseUntil: 2 });
  const item = newItem("item", { jobId: "job", lane: "lane", createdAt: 1, withDocument: true });
  await jobs.completePage(page!.lease, succeeded({ outbox: [item] }));
  await outbox.take({ worker: "w", now: 1, leaseUntil: 2, lanes: 1, batch: 1 });
  const failed = { id: "item", at: 1, retryAt: null, error: "410" };
  await outbox.settle({ lane: "lane", worker: "w" }, { delivered: [], failed });
  await pool.query(`
    CREATE FUNCTION items.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''a copy''; END';
    CREATE TRIGGER refuse BEFORE UPDATE ON items.outbox FOR EACH ROW EXECUTE FUNCTION items.refuse()`);
  expect(await sweep(5)).toEqual({ removedJobs: 1, nextExpiry: null });
  expect(await outbox.listFailed({ team: "team-a" })).toEqual([]);
});

test("many versions that have expired are removed", async () => {
  const storage = postgresStorage({ pool, schema: "versions" });
  const version = { team: "team", tag: null, url: "", scrapedAt: 1, markdown: "", fingerprint: "", isGone: false };
  const metIn = { site: "site", jobId: "job" };
  const keys = Array.from({ length: 500 }, (_, number) => `${number}`);
  const put = (key: string) =>
    storage.versions!.put({ ...version, key, expiresAt: Number(key) < 450 ? 1000 : 3000, metIn });
  await Promise.all(keys.map(put));
  await deleteSlowly("versions.page_versions", 0.004);
  expect(await storage.sweep(2000)).toEqual({ removedJobs: 0, nextExpiry: 3000 });
  const left = await pool.query("SELECT count(*)::int AS count FROM versions.page_versions");
  expect(left.rows[0].count).toBe(50);
});
