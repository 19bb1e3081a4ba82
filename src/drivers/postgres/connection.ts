/**
 * The connection to the database: statements by name, transactions, and the schema, which is created or migrated at the
 * start.
 */

import { RequestError } from "../../errors.ts";
import { onceConnected, repeatedly } from "./again.ts";
import { migrations } from "./schema.ts";
import { type StatementName, statements } from "./statements.ts";

/** The interface that the driver needs of a connection pool; a `Pool` of the package `pg` has it. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

/** One connection of the pool. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  /** Returns the client to the pool; with an error, the pool does not use it again. */
  release(error?: Error | boolean): void;
  /** For clients that report a broken connection by an event, as those of `pg` do. */
  on?(event: "error", listener: (error: Error) => void): unknown;
  removeListener?(event: "error", listener: (error: Error) => void): unknown;
}

/** The result of a statement. */
export interface PostgresResult {
  readonly rows: unknown[];
}

/** Runs statements, on their own or within a transaction. */
export type Query = <Row>(name: StatementName, ...values: unknown[]) => Promise<Row[]>;

export interface Connection {
  readonly query: Query;
  /** Runs the work in a transaction; again from the start if the database demands it (deadlocks, lock timeouts). */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Has `close` wait, with the pool open, for work that consists of several queries or transactions. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Waits for work in progress, and ends the pool if it is ours; a later call opens a new one. */
  close(): Promise<void>;
}

/**
 * Each statement must see what others have committed before it, whatever the database's default isolation level is: a
 * step locks first and then reads.
 *
 * A process that freezes, or a machine that disappears, in the middle of a transaction would hold its locks for as long
 * as the database believes in the connection, and so block all engines. Therefore the database ends such a transaction.
 * Transactions waiting for the lock give up earlier and try again; otherwise those of the lost process that wait would
 * each get the lock in turn, and hold it just as long. One of them may still get it, because a transaction that moves up
 * in the queue starts its wait again; but twice the time is still less than that of a lease.
 */
const begin = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 6000";
const beginStep = `${begin}; SET LOCAL lock_timeout = 5000`;

/**
 * The limits of the role are those of short statements. Whoever finds a migration in progress waits for it, and one that
 * was broken off by a limit would be again.
 */
const beginMigration = `${begin}; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0`;
/**
 * While a migration waits for somebody who reads a table for long, such as a backup, everybody else who needs that table
 * waits behind it, and even when its process is gone. So it gives way soon, and they go on until it tries again.
 */
const giveWay = "SET LOCAL lock_timeout = 1000";
const giveWayForMs = 1000;

/** @param name the name of the schema */
export function createConnection(openPool: () => Promise<OpenPool>, name: string): Connection {
  // Quoted, because a reserved word such as `user` is a name only within quotes.
  const schema = `"${name}"`;
  const sql = statements(schema);
  let ready: Promise<OpenPool> | null = null;
  /** Single calls, and work of several. */
  const calls = new Set<Promise<unknown>>();
  const works = new Set<Promise<unknown>>();

  /** The pool, once the schema is up to date. If that fails, the next call tries again. */
  function pool(): Promise<OpenPool> {
    if (ready !== null) return ready;
    const preparing = prepare().catch((error: unknown) => {
      if (ready === preparing) ready = null;
      throw error;
    });
    ready = preparing;
    return preparing;
  }

  async function prepare(): Promise<OpenPool> {
    const opened = await openPool();
    try {
      await repeatedly(
        () => inTransaction(opened.pool, beginMigration, (client) => migrate(client, schema, name)),
        giveWayForMs,
      );
    } catch (error) {
      if (opened.own) await opened.pool.end();
      throw error;
    }
    return opened;
  }

  function queryOn(target: Pick<PostgresClient, "query">): Query {
    return async <Row>(name: StatementName, ...values: unknown[]) =>
      (await target.query(sql[name], values.map(storable))).rows as Row[];
  }

  async function transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const opened = await pool();
    return repeatedly(() => inTransaction(opened.pool, beginStep, (client) => work(queryOn(client))));
  }

  return {
    query: (name, ...values) =>
      whileIn(
        calls,
        pool().then((opened) => onceConnected(() => queryOn(opened.pool)(name, ...values))),
      ),
    transaction: (work) => whileIn(calls, transaction(work)),
    track: (work) => whileIn(works, work),

    async close() {
      // Their next query would open another pool, which nobody closed.
      if (works.size > 0) await Promise.allSettled(works);
      const opened = ready;
      ready = null;
      await Promise.allSettled(calls);
      const closing = await opened?.catch(() => null);
      if (closing?.own === true) await closing.pool.end();
    },
  };
}

export interface OpenPool {
  readonly pool: PostgresPool;
  /** Whether the pool is ours, and is to be ended here. */
  readonly own: boolean;
}

/** Keeps the run in the set until it has settled. */
async function whileIn<T>(set: Set<Promise<unknown>>, run: Promise<T>): Promise<T> {
  set.add(run);
  try {
    return await run;
  } finally {
    set.delete(run);
  }
}

async function inTransaction<T>(
  pool: PostgresPool,
  start: string,
  work: (client: PostgresClient) => Promise<T>,
): Promise<T> {
  const client = await onceConnected(() => pool.connect());
  let broken: Error | undefined;
  // The pool listens only to its idle clients. Without a listener, the event of a lost connection would end the
  // process; it says no more than the statement that fails.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on?.("error", onError);
  try {
    await client.query(start);
    const value = await work(client);
    await client.query("COMMIT");
    return value;
  } catch (error) {
    // If a server does not answer, no second answer is waited for: ending the connection rolls back, too.
    if (isUnanswered(error)) onError(error);
    else await client.query("ROLLBACK").catch(onError);
    throw error;
  } finally {
    client.release(broken);
    client.removeListener?.("error", onError);
  }
}

/** `SQL_ASCII` keeps the bytes as they come. */
const encodings: ReadonlySet<string> = new Set(["UTF8", "SQL_ASCII"]);

async function migrate(client: PostgresClient, schema: string, name: string): Promise<void> {
  // One process at a time does this; the others then find it done.
  await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`crawlcore ${name}`]);
  const found = await client.query(
    `SELECT to_regclass($1) AS version, to_regnamespace($2) IS NOT NULL AS exists,
      EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'number') AS ours,
      current_setting('server_encoding') AS encoding`,
    [`${schema}.version`, schema],
  );
  const {
    version: table,
    exists,
    ours,
    encoding,
  } = found.rows[0] as {
    version: string | null;
    exists: boolean;
    ours: boolean;
    encoding: string;
  };
  if (!encodings.has(encoding)) {
    const message = `The database is in ${encoding}, which cannot hold what pages say; crawlcore needs one in UTF8.`;
    throw new RequestError("UNSUPPORTED", message);
  }
  if (table !== null && !ours) throw ofAnother(name);
  const steps = migrations(schema);
  let version = 0;
  if (table !== null) {
    version = ((await client.query(`SELECT number FROM ${schema}.version`)).rows[0] as { number: number }).number;
    if (version === steps.length) return;
  } else {
    // Only if it does not exist: a role that may not create schemas gets an error even if it does.
    if (!exists) await client.query(`CREATE SCHEMA ${schema}`);
    await client.query(`CREATE TABLE ${schema}.version (number integer NOT NULL)`);
    await client.query(`INSERT INTO ${schema}.version (number) VALUES (0)`);
  }
  if (version > steps.length) {
    throw new RequestError(
      "UNSUPPORTED",
      `The schema ${name} was written by a newer version of crawlcore (${version}; this version knows ${steps.length}).`,
    );
  }
  await client.query(giveWay);
  for (const step of steps.slice(version)) await client.query(step);
  await client.query(`UPDATE ${schema}.version SET number = ${steps.length}`);
}

/** A queue, too, has a table of this name. */
function ofAnother(schema: string): RequestError {
  const message = `The schema ${schema} holds the tables of something else, such as a pgBossQueue; a postgresStorage needs a schema of its own.`;
  return new RequestError("UNSUPPORTED", message);
}

/** True for an error that is neither one of the server nor one of ours. */
function isUnanswered(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof RequestError) return false;
  return (error as { severity?: unknown }).severity === undefined;
}

/** Postgres cannot store NUL in a text. JSON texts contain none, but error messages may. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  return Array.isArray(value) ? value.map(storable) : value;
}
