/** A database whose transactions are isolated more strictly than usual: engines that work on one job do not hinder each other. */

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { newJob } from "../src/testing/storage-cases/storage-case.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  const options = "-c default_transaction_isolation=serializable";
  pool = new pg.Pool({ connectionString: server.connectionString, max: 20, options });
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

test("pages that are completed at the same time are all stored, and all charged", async () => {
  const { jobs, ledger } = postgresStorage({ pool });
  const job = newJob({ id: "job", team: "team", expanding: true });
  const pages = Array.from({ length: 60 }, (_, number) => ({
    url: `https://example.com/${number}`,
    key: `${number}`,
    depth: 0,
  }));
  await jobs.createJob(job, pages, []);
  // What ends in one storage shares a transaction.
  const engines = Array.from({ length: 15 }, () => postgresStorage({ pool }));
  const claimed = await jobs.claimPages("job", { worker: "w", count: 60, now: 1, leaseUntil: 2 });
  const charge = { team: "team", apiKey: null, jobId: "job", kind: "crawl", credits: 1, tokens: 0, at: 1 } as const;
  await Promise.all([
    jobs.finishExpansion("job"),
    ...claimed.map(({ lease, key }, number) =>
      engines[number % engines.length]!.jobs.completePage(lease, {
        outcome: "succeeded",
        completedAt: 1,
        document: "{}",
        discovered: [],
        leftOut: [],
        charge: { ...charge, id: `job/${key}` },
        outbox: [],
      }),
    ),
  ]);
  expect(await jobs.getJob("job", 1)).toMatchObject({ succeeded: 60, openPages: 0, expanding: false, creditsUsed: 60 });
  expect(await ledger.usage({ team: "team", byApiKey: false })).toMatchObject([{ credits: 60 }]);
});
