/** What many pages put into Postgres at once: few transactions, each page for itself, nothing lost when it is closed. */

import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import type { IndexedPage } from "../src/ports/search-index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import { type PostgresServer, startPostgres, watched } from "./postgres-server.ts";

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.connectionString, max: 20 });
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

const entry = (key: string, team = "team") => ({ team, key, storedAt: 1000, head: "{}", body: Buffer.from(key) });
const indexed = (key: string, team = "team"): IndexedPage => ({
  team,
  key,
  url: `https://example.com/${key}`,
  title: "A kettle",
  description: "",
  markdown: `Kettle ${key} boils.`,
  publishedAt: null,
  seenAt: 1000,
});

test("pages that come while others are written share a transaction; of one page the last counts", async () => {
  const { pool: counted, asked } = watched(pool);
  const { cache, index } = postgresStorage({ pool: counted, schema: "shared" });
  const keys = Array.from({ length: 100 }, (_, number) => `key-${number}`);
  const again = { ...entry("key-7"), body: Buffer.from("again") };
  await Promise.all([...keys.map((key) => entry(key)), again].map((page) => cache.put(page)));
  await Promise.all([...keys, "key-7"].map((key) => index!.put(indexed(key))));
  // One for the schema, and for each of the two one for the first page and one for all others.
  expect(asked.filter((text) => text.startsWith("BEGIN")).length).toBeLessThanOrEqual(6);
  expect((await cache.get({ team: "team", key: "key-99" }))?.body).toEqual(new Uint8Array(Buffer.from("key-99")));
  expect((await cache.get({ team: "team", key: "key-7" }))?.body).toEqual(new Uint8Array(again.body));
  const found = await index!.search({ team: "team", terms: parseSearchQuery("kettle"), limit: 200 });
  expect(new Set(found.map(({ url }) => url)).size).toBe(100);
  expect(found).toHaveLength(100);
});

test("a page that the database refuses takes no other with it", async () => {
  const { cache, index } = postgresStorage({ pool, schema: "refused" });
  // More than fits into an entry of the table's index.
  const refused = randomBytes(6000).toString("base64");
  for (const put of [
    (key: string, team?: string) => cache.put(entry(key, team)),
    (key: string, team?: string) => index!.put(indexed(key, team)),
  ]) {
    const ends = await Promise.allSettled([put("a"), put("b"), put("c", refused), put("d")]);
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  }
  expect(await cache.get({ team: "team", key: "d" })).not.toBeNull();
  const found = await index!.search({ team: "team", terms: parseSearchQuery("kettle"), limit: 10 });
  expect(found.map(({ url }) => url.slice(-1)).sort()).toEqual(["a", "b", "d"]);
});

test("of more pages than there is room for, the newest are left", async () => {
  const storage = postgresStorage({ pool, schema: "full", maxCacheBytes: 200 });
  const big = (key: string, bytes: number) => ({ ...entry(key), body: Buffer.alloc(bytes) });
  const puts = [big("old", 90), big("huge", 500), big("a", 60), big("b", 60), big("c", 60)];
  await Promise.all(puts.map((page) => storage.cache.put(page)));
  const left = await Promise.all(puts.map(({ key }) => storage.cache.get({ team: "team", key })));
  expect(left.map((page) => page !== null)).toEqual([false, false, true, true, true]);
  await storage.cache.put(big("d", 150));
  expect(await storage.cache.get({ team: "team", key: "c" })).toBeNull();
  const sizes = await pool.query(
    'SELECT (SELECT sum(bytes) FROM "full".cached_pages)::float8 AS held, bytes FROM "full".cache_size',
  );
  expect(sizes.rows[0].held).toBe(sizes.rows[0].bytes);
});

test("what was given before the storage is closed is written", async () => {
  const { connectionString } = server;
  const storage = postgresStorage({ connectionString, schema: "closed" });
  const puts = Array.from({ length: 20 }, (_, number) => storage.cache.put(entry(`key-${number}`)));
  await storage.close();
  await Promise.all(puts);
  const { rows } = await pool.query("SELECT count(*)::int AS pages FROM closed.cached_pages");
  expect(rows[0].pages).toBe(20);
  await storage.close();
});
