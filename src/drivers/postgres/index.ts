/** The storage in a Postgres database, and the queue that goes with it: `crawlcore/postgres`. */

import { RequestError } from "../../errors.ts";
import type { Storage } from "../../ports/storage.ts";
import { earliest } from "../earliest.ts";
import { givenOptions, missingText, type OptionFault, readBounds } from "../read-bounds.ts";
import { postgresCache } from "./cache.ts";
import { createConnection, type OpenPool, type PostgresPool } from "./connection.ts";
import { postgresJobs } from "./jobs.ts";
import { postgresLedger } from "./ledger.ts";
import { postgresOutbox } from "./outbox.ts";
import { sweepJobs } from "./removal.ts";
import { postgresSearchIndex } from "./search-index.ts";
import { postgresVersions } from "./versions.ts";

export type { PostgresClient, PostgresPool, PostgresResult } from "./connection.ts";
export { type PgBossQueueOptions, pgBossQueue } from "./pg-boss-queue.ts";

/** Where the data is (give either `connectionString` or `pool`), and how much is kept. */
export interface PostgresStorageOptions {
  /** Address of the database: `postgres://user:password@host:5432/database`. Needs the package `pg`. */
  readonly connectionString?: string | undefined;
  /** A connection pool of your own, such as a `Pool` of the package `pg`; it stays open when the storage closes. */
  readonly pool?: PostgresPool | undefined;
  /**
   * The database schema of the tables, which holds no others; it is created if it does not exist.
   * @default "crawlcore"
   */
  readonly schema?: string | undefined;
  /** Most bytes of cached pages. @default 1073741824 (1 GiB) */
  readonly maxCacheBytes?: number | undefined;
  /** Most bytes of searchable text. @default 1073741824 (1 GiB) */
  readonly maxIndexBytes?: number | undefined;
  /**
   * Milliseconds after which a cached page is dropped, even if a request's `maxAge` is longer.
   * @default 2592000000 (30 days)
   */
  readonly maxCacheAgeMs?: number | undefined;
}

const defaultBounds = {
  maxCacheBytes: 1024 * 1024 * 1024,
  maxCacheAgeMs: 30 * 24 * 60 * 60 * 1000,
  maxIndexBytes: 1024 * 1024 * 1024,
};

/**
 * A machine that disappears without a word, for example because another takes over from it, closes no connection: a
 * query sent to it would wait for a quarter of an hour, or for ever. No statement takes as long as this, and none waits
 * as long for a connection. The connection string can override it.
 */
const patience = { query_timeout: 60_000, connectionTimeoutMillis: 30_000 };

/**
 * A {@link Storage} in a Postgres database, for engines on one or several machines. The tables are created, or
 * migrated, at the first use.
 *
 * @throws RequestError `BAD_REQUEST` when options are invalid
 *
 * @example
 * const storage = postgresStorage({ connectionString: "postgres://localhost/crawls" });
 * const engine = createEngine({ storage });
 */
export function postgresStorage(options: PostgresStorageOptions): Storage {
  const given = givenOptions("postgresStorage", options);
  const { connectionString, pool, schema = "crawlcore" } = given;
  const faults: OptionFault[] = [];
  if ((connectionString === undefined) === (pool === undefined)) {
    faults.push({ path: [], message: "must have either connectionString or pool" });
  }
  // With an empty address, the package `pg` would look for one in the environment.
  if (connectionString !== undefined) {
    faults.push(...missingText("connectionString", connectionString, "the address of the database"));
  }
  if (pool !== undefined && typeof pool?.connect !== "function") {
    faults.push({ path: ["pool"], message: "must be a connection pool, such as a Pool of the package pg" });
  }
  // The name becomes part of SQL statements.
  if (typeof schema !== "string" || !/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    faults.push({ path: ["schema"], message: "must be a plain lower-case name" });
  }
  const { maxCacheBytes, maxCacheAgeMs, maxIndexBytes } = readBounds(
    "postgresStorage",
    given,
    defaultBounds,
    ["connectionString", "pool", "schema"],
    faults,
  );
  const open = async (): Promise<OpenPool> =>
    pool === undefined ? { pool: await newPool(connectionString as string), own: true } : { pool, own: false };
  const connection = createConnection(open, schema);
  const cache = postgresCache(connection, maxCacheBytes, maxCacheAgeMs);
  const versions = postgresVersions(connection);
  async function sweep(now: number): ReturnType<Storage["sweep"]> {
    const jobs = await sweepJobs(connection, now);
    const nextExpiry = earliest(jobs.nextExpiry, await versions.sweep(now));
    await cache.removeOld(now);
    return { removedJobs: jobs.removedJobs, nextExpiry };
  }
  return {
    jobs: postgresJobs(connection),
    ledger: postgresLedger(connection),
    outbox: postgresOutbox(connection),
    cache,
    versions,
    index: postgresSearchIndex(connection, maxIndexBytes),
    sweep: (now) => connection.track(sweep(now)),
    close: () => connection.close(),
  };
}

async function newPool(connectionString: string): Promise<PostgresPool> {
  let pg: typeof import("pg");
  try {
    pg = await import("pg");
  } catch (cause) {
    throw new RequestError("UNSUPPORTED", "postgresStorage needs the package `pg`: npm install pg.", { cause });
  }
  const pool = new pg.default.Pool({ connectionString, ...patience });
  // The pool replaces an idle connection that breaks; without a listener, its event would end the process.
  pool.on("error", () => {});
  // Nor does it listen to a client that it has just handed out, whose listener is added a moment later.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
