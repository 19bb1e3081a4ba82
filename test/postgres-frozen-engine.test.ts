/** An engine that stops in the middle of its transactions: the others go on before its leases have ended. */

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresClient, type PostgresPool, postgresStorage } from "../src/drivers/postgres/index.ts";
import { newJob } from "../src/testing/storage-cases/storage-case.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

const leaseMs = 15_000;

let server: PostgresServer;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ connectionString: server.connectionString, max: 20 });
  // The database ends frozen transactions; a client may hear of it only once it has been given back.
  pool.on("error", () => {});
});

afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** Nothing more happens in it from the moment at which the first of its clients holds a lock. */
function freezingPool(): { readonly frozen: PostgresPool; readonly locked: Promise<void>; thaw(): void } {
  const clients: pg.PoolClient[] = [];
  const { promise: locked, resolve: freeze } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let isFrozen = false;
  const frozen: PostgresPool = {
    query: (text, values) => pool.query(text, values),
    end: async () => {},
    async connect() {
      const client = await pool.connect();
      clients.push(client);
      const query: PostgresClient["query"] = async (text, values) => {
        const [outcome] = await Promise.allSettled([client.query(text, values)]);
        isFrozen ||= text.includes("FOR UPDATE");
        if (isFrozen) freeze();
        if (isFrozen || outcome.status === "rejected") return never;
        return outcome.value;
      };
      return { query, release: () => {}, on: (...listening) => client.on(...listening) };
    },
  };
  return { frozen, locked, thaw: () => clients.forEach((client) => void client.release(true)) };
}

// One gets the lock; each of the others would in its turn. They wait together.
for (const workers of [["a"], ["a", "b", "c"]]) {
  test.concurrent(`locks of a process that is frozen within ${workers.length} transactions are free before its leases end`, async ({
    onTestFinished,
  }) => {
    const storage = postgresStorage({ pool });
    const id = `job ${workers.length}`;
    const job = newJob({ id, team: "team" });
    await storage.jobs.createJob(job, [{ url: "https://example.com/", key: "/", depth: 0 }], []);
    const { frozen, locked, thaw } = freezingPool();
    const other = postgresStorage({ pool: frozen });
    const claim = { count: 1, now: 1, leaseUntil: 2 };
    for (const worker of workers) void other.jobs.claimPages(id, { ...claim, worker });
    await locked;
    onTestFinished(thaw);
    const begun = Date.now();
    expect(await storage.jobs.claimPages(id, { ...claim, worker: "alive" })).toHaveLength(1);
    expect(Date.now() - begun).toBeLessThan(leaseMs);
  });
}
