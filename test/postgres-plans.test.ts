/** What a large job costs a Postgres database: little is read for a little, and much is written in few statements. */

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { type StatementName, statements } from "../src/drivers/postgres/statements.ts";
import { newJob, newPages } from "../src/testing/storage-cases/storage-case.ts";
import { type PostgresServer, startPostgres, watched } from "./postgres-server.ts";

const pages = 20_000;
let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.connectionString });
  const { jobs } = postgresStorage({ pool });
  for (const id of ["other", "job"]) await jobs.createJob(newJob({ id, limit: pages }), newPages(pages), []);
  await pool.query("INSERT INTO crawlcore.documents SELECT job, place, '{}' FROM crawlcore.pages");
  await pool.query("INSERT INTO crawlcore.results SELECT job, place, place, 2 FROM crawlcore.pages");
  await pool.query("ANALYZE");
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

interface Node {
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}

function mostRows({ "Actual Rows": rows, Plans: below = [] }: Node): number {
  return Math.max(rows, ...below.map(mostRows));
}

/** Rows that were looked at, whether they were wanted or not. */
function readRows({ "Actual Rows": rows, "Rows Removed by Filter": left = 0, Plans: below = [] }: Node): number {
  return rows + left + below.reduce((sum, node) => sum + readRows(node), 0);
}

const reads: readonly (readonly [name: StatementName, ...values: readonly unknown[]])[] = [
  ["resultSizes", "job", 0, 100],
  ["results", "job", 0, 100],
  ["pageKeys", "job", -1, 100],
];

for (const [name, ...values] of reads) {
  test(name, async () => {
    const sql = statements('"crawlcore"')[name];
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
    expect(mostRows(rows[0]["QUERY PLAN"][0].Plan)).toBe(100);
  });
}

test("a page that is named by its address is found without reading the team's others", async () => {
  await postgresStorage({ pool }).index!.listUrls({ team: "team-a", part: "site.example", limit: 1 });
  await pool.query(`
    INSERT INTO crawlcore.indexed_pages (team, key_hash, url, title, description, text, at, bytes, words, length)
    SELECT 'team-a', at::text, 'https://site.example/' || at, '', '', '', at, 10, '{}', 0
    FROM generate_series(1, ${pages}) AS at`);
  await pool.query("ANALYZE crawlcore.indexed_pages");
  const urls = ["https://site.example/7", "https://site.example/none"];
  const sql = statements('"crawlcore"').pagesAtUrls;
  const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, ["team-a", urls]);
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  expect(plan["Actual Rows"]).toBe(1);
  expect(readRows(plan)).toBeLessThan(10);
});

test("adding URLs that are there takes no more statements for a thousand of them than for two", async () => {
  const { pool: counted, asked } = watched(pool);
  const { jobs } = postgresStorage({ pool: counted });
  await jobs.getJob("other", 0);
  const counts: number[] = [];
  for (const count of [2, 1000]) {
    asked.length = 0;
    const admission = { pages: newPages(count), leftOut: [], duplicates: "repeat" } as const;
    expect(await jobs.admitPages("other", admission)).toEqual({ admitted: 0 });
    counts.push(asked.length);
  }
  expect(counts[1]).toBe(counts[0]);
});
