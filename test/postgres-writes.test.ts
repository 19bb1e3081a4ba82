/** What many pages put into Postgres at once: few transactions, each page for itself, nothing lost when it is closed. */

import { randomBytes } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { memoryStorage } from "../src/index.ts";
import type { IndexedPage } from "../src/ports/search-index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import {
  begin,
  claim,
  dropped,
  failed,
  keys,
  never,
  newCharge,
  newItem,
  newPage,
  newPages,
  record,
  results,
  succeeded,
  take,
} from "../src/testing/storage-cases/storage-case.ts";
import { startPooled, watched } from "./postgres-server.ts";

let server: Awaited<ReturnType<typeof startPooled>>;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPooled();
  ({ pool } = server);
});

afterAll(() => server?.stop());

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

test("what was given before the storage is closed is written, and leaves no connection open", async () => {
  const connectionString = `${server.connectionString}&application_name=closed`;
  const storage = postgresStorage({ connectionString, schema: "closed" });
  // More than one transaction takes.
  const puts = Array.from({ length: 500 }, (_, number) => storage.cache.put(entry(`key-${number}`)));
  await storage.close();
  await Promise.all(puts);
  const { rows } = await pool.query("SELECT count(*)::int AS pages FROM closed.cached_pages");
  expect(rows[0].pages).toBe(500);
  const sessions = "SELECT pid FROM pg_stat_activity WHERE application_name = 'closed'";
  await expect.poll(async () => (await pool.query(sessions)).rows, { timeout: 4000 }).toEqual([]);
});

test("pages of a job that end while others are stored share a transaction, but for their documents", async () => {
  const { pool: counted, asked } = watched(pool);
  const storage = postgresStorage({ pool: counted, schema: "together" });
  await begin(storage, newPages(100));
  const leases = await claim(storage, 100);
  asked.length = 0;
  await Promise.all(
    leases.map(({ lease, key }) =>
      storage.jobs.completePage(
        lease,
        succeeded({ charge: newCharge(key), outbox: [newItem(key)], discovered: [newPage(`${key}/below`)] }),
      ),
    ),
  );
  expect(await record(storage)).toMatchObject({ listed: 100, creditsUsed: 100 });
  expect(asked.filter((text) => text.startsWith("BEGIN"))).toHaveLength(2);
  expect(asked.length).toBeLessThan(130);
});

test("a page that another step has locked holds up the renewal of no other lease", async () => {
  const storage = postgresStorage({ pool, schema: "renewed" });
  await begin(storage, newPages(2));
  await claim(storage, 1, { worker: "worker-1" });
  await claim(storage, 1, { worker: "worker-2" });
  const other = await pool.connect();
  await other.query("BEGIN; SELECT 1 FROM renewed.pages WHERE worker = 'worker-1' FOR UPDATE");
  await Promise.all(["worker-1", "worker-2"].map((worker) => storage.jobs.renewLeases(worker, never)));
  await other.query("COMMIT");
  other.release();
  const { rows } = await pool.query("SELECT lease_until FROM renewed.pages ORDER BY place");
  expect(rows.map(({ lease_until }) => lease_until === never)).toEqual([false, true]);
});

const chosen = (seed: number, most: number) => Math.abs(Math.imul(seed + 1, 2654435761) >> 8) % most;

test.each([1, 2, 3, 4, 5, 6])("pages that end together mean what they mean one after the other (%i)", async (seed) => {
  const pick = (place: number, most: number) => chosen(seed * 1000 + place * 7 + most, most);
  const storages = [memoryStorage(), postgresStorage({ pool, schema: `together_${seed}` })];
  const answers = storages.map(async (storage) => {
    await begin(storage, newPages(60), { limit: 1000 });
    const leases = await claim(storage, 60);
    const ends = await Promise.all(
      Array.from({ length: 70 }, async (_, place) => {
        // The last ten come once more, and some have lost their leases.
        const { lease } = leases[place % 60]!;
        const token = pick(place, 9) === 0 ? lease.token + 1 : lease.token;
        const completion = [succeeded, succeeded, () => failed(`f${place}`), () => dropped()][pick(place, 4)]!({});
        const { status, position } = await storage.jobs.completePage(
          { ...lease, token },
          {
            ...completion,
            ...(completion.document !== undefined && { document: `{"page":${place}}` }),
            ...(pick(place, 3) === 0 && { finalKey: `example.com/key-${pick(place, 8)}` }),
            ...(pick(place, 2) === 0 && {
              charge: newCharge(`charge-${pick(place, 40)}`, { kind: "extract", credits: place, tokens: 2 * place }),
            }),
            ...(pick(place, 5) !== 0 && { memo: `memo ${place}` }),
            discovered: [newPage(`example.com/key-${pick(place, 12)}`), newPage(`example.com/page-${pick(place, 80)}`)],
            leftOut: [{ url: `https://example.com/${pick(place, 20)}`, reason: `reason ${place}` }],
            outbox: [newItem(`item-${place}`, { withDocument: place % 2 === 0 })],
          },
        );
        return [status, position];
      }),
    );
    return [
      ends,
      await record(storage),
      await results(storage),
      await keys(storage),
      await storage.jobs.listFailures("job-1"),
      (await storage.jobs.listLeftOut("job-1")).toSorted((a, b) => (a.url < b.url ? -1 : 1)),
      await storage.ledger.usage({ team: "team-a", byApiKey: true }),
      await take(storage),
      (await claim(storage, 100)).map(({ url, depth }) => [url, depth]),
    ];
  });
  const [inMemory, inPostgres] = await Promise.all(answers);
  expect(inPostgres).toEqual(inMemory);
});
