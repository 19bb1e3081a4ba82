/** What happens in the middle of another's step comes after it, or does not wait for it. */

import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import {
  begin,
  claim,
  claimOne,
  close,
  never,
  newItem,
  newPages,
  record,
  results,
  start,
  succeeded,
} from "../src/testing/storage-cases/storage-case.ts";
import { interrupted, startPooled } from "./postgres-server.ts";

let server: Awaited<ReturnType<typeof startPooled>>;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPooled();
  ({ pool } = server);
});

afterAll(() => server?.stop());

/** Another storage, in whose first step something happens after a statement: at once, or when that step has ended. */
function inTheMiddle(schema: string, words: string, act: () => Promise<unknown>) {
  let happened: Promise<unknown> | undefined;
  const middle = interrupted(pool, words, () => {
    happened = act();
    return Promise.race([happened, delay(200)]);
  });
  return {
    storage: postgresStorage({ pool: middle, schema }),
    async happened() {
      expect(happened).toBeDefined();
      await happened;
    },
  };
}

const lane = { lane: "job-1 webhook", worker: "worker-1" };
const request = { worker: "worker-1", now: start, leaseUntil: never, lanes: 5, batch: 5 };

test("a page that ends while leases of its job are given back is counted", async () => {
  const storage = postgresStorage({ pool, schema: "released" });
  await begin(storage, newPages(4));
  await claim(storage, 2, { worker: "worker-1" });
  const lease = await claimOne(storage, { worker: "worker-2" });
  const other = inTheMiddle("released", "UPDATE", () => storage.jobs.completePage(lease, succeeded()));
  await other.storage.jobs.releaseLeases("worker-1");
  await other.happened();
  expect(await record(storage)).toMatchObject({ listed: 1, openPages: 3 });
  expect(await claim(storage, 10)).toHaveLength(3);
});

test("an item that comes while the last one before it is settled is delivered", async () => {
  const { outbox } = postgresStorage({ pool, schema: "settled" });
  await outbox.add([newItem("first")]);
  await outbox.take(request);
  const other = inTheMiddle("settled", "SELECT due_at", () => outbox.add([newItem("second")]));
  await other.storage.outbox.settle(lane, { at: start, delivered: ["first"] });
  await other.happened();
  const taken = await outbox.take(request);
  expect(taken.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(["second"]);
});

test("an item is delivered if the last one before it is settled while it comes", async () => {
  const { outbox } = postgresStorage({ pool, schema: "added" });
  await outbox.add([newItem("first")]);
  await outbox.take(request);
  const other = inTheMiddle("added", "INSERT INTO", () => outbox.settle(lane, { at: start, delivered: ["first"] }));
  await other.storage.outbox.add([newItem("second")]);
  await other.happened();
  const taken = await outbox.take(request);
  expect(taken.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(["second"]);
});

test("a lane that is being taken is left to the one who takes it, and others are not waited for", async () => {
  const { outbox } = postgresStorage({ pool, schema: "taken" });
  await outbox.add([newItem("a", { lane: "a" })]);
  const middle = interrupted(pool, "ORDER BY available_at", async () => {
    await outbox.add([newItem("b", { lane: "b" })]);
    expect(await outbox.take({ ...request, worker: "worker-2" })).toMatchObject([{ lane: "b" }]);
  });
  const other = postgresStorage({ pool: middle, schema: "taken" });
  expect(await other.outbox.take(request)).toMatchObject([{ lane: "a" }]);
});

test("a lane whose lease has run out is taken once, even while its last holder settles it", async () => {
  const { outbox } = postgresStorage({ pool, schema: "outrun" });
  await outbox.add([newItem("first"), newItem("second")]);
  const late = { ...request, worker: "worker-2", now: start + 10 };
  await outbox.take({ ...request, leaseUntil: start + 5 });
  const takes: unknown[] = [];
  const take = async () => takes.push(...(await outbox.take(late)));
  const other = inTheMiddle("outrun", "SELECT worker", take);
  await other.storage.outbox.settle(lane, { at: start + 10, delivered: ["first"] });
  await other.happened();
  await take();
  expect(takes).toHaveLength(1);
});

test("a page that is indexed again while a search reads what it found is no hindrance to it", async () => {
  const url = "https://example.com/";
  const page = { team: "team", key: url, url, title: "Kettle", description: "", markdown: "boils", publishedAt: null };
  const search = { team: "team", terms: parseSearchQuery("kettle"), limit: 5 };
  const { index } = postgresStorage({ pool, schema: "found" });
  await index!.put({ ...page, seenAt: start });
  const other = inTheMiddle("found", "matching AS", () => index!.put({ ...page, seenAt: start + 1 }));
  expect((await other.storage.index!.search(search)).length).toBeLessThan(2);
  await other.happened();
  expect(await index!.search(search)).toHaveLength(1);
});

test("pages whose changes two crawls track at once are locked in the same order by both", async () => {
  const storage = postgresStorage({ pool, schema: "tracked" });
  const page = { team: "team-a", tag: null, scrapedAt: start, markdown: "", fingerprint: "f", isGone: false };
  const versionOf = (key: string) => ({ ...page, key, url: key, expiresAt: never });
  for (const key of ["a", "b"]) await storage.versions!.put(versionOf(key));
  await begin(storage, newPages(3));
  const leases = (await claim(storage, 3)).map(({ lease }) => lease);
  const other = await pool.connect();
  // Whatever has failed, nobody waits for it any longer.
  onTestFinished(() => other.release(true));
  const lock = (key: string) =>
    other.query(`SELECT 1 FROM tracked.page_versions WHERE url = '${key}' FOR UPDATE NOWAIT`);
  await other.query("BEGIN");
  await lock("a");
  // The first is stored alone, the others together.
  const completions = [{}, { version: versionOf("b") }, { version: versionOf("a") }];
  const ends = completions.map((about, index) => storage.jobs.completePage(leases[index]!, succeeded(about)));
  const waits =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO \"tracked\".page_versions%'";
  await expect.poll(async () => (await pool.query(waits)).rows, { timeout: 4000 }).toHaveLength(1);
  await lock("b");
  await other.query("COMMIT");
  expect((await Promise.all(ends)).map(({ status }) => status)).toEqual(["stored", "stored", "stored"]);
});

test("the oldest pages of the index, which go when it is full, are locked in the order in which a search locks them", async () => {
  const { index } = postgresStorage({ pool, schema: "full", maxIndexBytes: 700 });
  const put = (name: string) =>
    index!.put({
      team: "team",
      key: name,
      url: `https://example.com/${name}`,
      title: name,
      description: "",
      markdown: "boils ".repeat(10),
      publishedAt: null,
      seenAt: start,
    });
  for (const name of ["a", "b", "c"]) await put(name);
  // It lies behind the others now.
  await pool.query('UPDATE "full".indexed_pages SET at = at WHERE title = $1', ["a"]);
  const searcher = await pool.connect();
  onTestFinished(() => searcher.release(true));
  const lock = (name: string) =>
    searcher.query(`SELECT 1 FROM "full".indexed_pages WHERE title = '${name}' FOR UPDATE NOWAIT`);
  await searcher.query("BEGIN");
  await lock("a");
  const added = Promise.all(["d", "e", "f"].map(put));
  const waits =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM \"full\".indexed_pages%'";
  await expect.poll(async () => (await pool.query(waits)).rows, { timeout: 4000 }).toHaveLength(1);
  for (const name of ["b", "c"]) expect((await lock(name)).rows).toHaveLength(1);
  await searcher.query("COMMIT");
  await added;
});

test("results that are being erased are gone from the first step on", async () => {
  const storage = postgresStorage({ pool, schema: "erased" });
  await begin(storage, newPages(1));
  await storage.jobs.completePage(await claimOne(storage), succeeded());
  await close(storage);
  const other = inTheMiddle("erased", "octet_length", async () => expect(await results(storage)).toEqual([]));
  await other.storage.jobs.eraseResults("job-1");
  await other.happened();
});

test("an expired job that another step has locked does not keep the next one from being removed", async () => {
  const storage = postgresStorage({ pool, schema: "swept" });
  for (const id of ["job-1", "job-2"]) await begin(storage, newPages(1), { id, expiresAt: start });
  await close(storage, { expiresAt: start });
  const holder = new pg.Client({ connectionString: server.connectionString });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; SELECT 1 FROM swept.jobs WHERE id = 'job-1' FOR UPDATE");
  expect(await storage.sweep(start + 1)).toMatchObject({ removedJobs: 1 });
  await holder.query("COMMIT");
  expect(await storage.sweep(start + 1)).toMatchObject({ removedJobs: 1 });
});
