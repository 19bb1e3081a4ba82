/** An open database file: pragmas, migrations, and prepared statements by name. */

import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { RequestError } from "../../errors.ts";
import { errorText } from "../../shared/error-text.ts";
import { migrations } from "./migrations.ts";
import { type StatementName, statements } from "./statements.ts";

export interface Database {
  /** Runs the statement; returns the number of changed rows. */
  run(name: StatementName, ...values: SQLInputValue[]): number;
  /** Runs an insert; returns the id of the new row. */
  insert(name: StatementName, ...values: SQLInputValue[]): number;
  get<Row>(name: StatementName, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(name: StatementName, ...values: SQLInputValue[]): Row[];
  /** A value that the calls of one transaction share, loaded when it is first asked for. */
  shared<Value>(name: string, load: () => Value): Value;
  /** Sets the value that later calls share. */
  share(name: string, value: unknown): void;
  /** Runs `save` once before the transaction commits, however often this is called with the same name. */
  beforeCommit(name: string, save: () => void): void;
  begin(writes: boolean): void;
  commit(): void;
  /** Harmless without a transaction. */
  rollback(): void;
  /** Runs SQL that cannot be prepared and kept: pragmas. */
  execute(sql: string): void;
  close(): void;
}

const sqliteBusy = 5;
const sqliteLocked = 6;

/** Whether something failed because of another process, so that it may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  const { errcode = 0, cause } = (error ?? {}) as { errcode?: number; cause?: unknown };
  // The lower byte is the primary code; the rest gives details.
  const code = errcode & 0xff;
  return (
    code === sqliteBusy || code === sqliteLocked || (error instanceof Error && cause !== undefined && isBusy(cause))
  );
}

/** The statements with which the shared rows of jobs are read and written. */
const jobRowStatements: ReadonlySet<StatementName> = new Set(["jobById", "jobByNumber", "saveJob"]);

// How long one attempt to open waits, and blocks the event loop, for another process that is setting up the same file.
const openTimeoutMs = 25;

/**
 * Throws a plain error, which the engine reports as `UNKNOWN_ERROR`: that the file cannot be opened is no fault of the
 * caller, also if another process has locked it (see {@link isBusy}).
 */
export function openDatabase(path: string): Database {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { timeout: openTimeoutMs });
    refuseForeign(connection);
    configure(connection);
    migrate(connection, path);
    // From here on nothing may block the event loop: a busy file is tried again later.
    connection.exec("PRAGMA busy_timeout = 0");
    return wrap(connection);
  } catch (cause) {
    connection?.close();
    if (cause instanceof RequestError) throw cause;
    const reason = errorText(cause);
    throw new Error(`The database ${path} cannot be opened: ${reason}.`, { cause });
  }
}

/**
 * Another program may count its own steps in `user_version`. Its file is refused before anything in it is changed, its
 * journal mode too.
 */
function refuseForeign(connection: DatabaseSync): void {
  const tables = connection.prepare("SELECT name FROM sqlite_schema").all();
  if (tables.length > 0 && !tables.some(({ name }) => name === "job_texts")) {
    throw new Error("it has tables already, which belong to another program");
  }
}

function configure(connection: DatabaseSync): void {
  // These two must come before the first table. Documents fill many pages, and each page of the log costs two system
  // calls; twice the default size is better for large documents and hardly worse for small ones.
  connection.exec("PRAGMA page_size = 8192");
  connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
  connection.exec("PRAGMA journal_mode = WAL");
  // A killed process loses nothing; after a power cut the last commits may be missing, but the file is sound.
  connection.exec("PRAGMA synchronous = NORMAL");
  // Deleted data is overwritten, because pages may be private.
  connection.exec("PRAGMA secure_delete = ON");
  // The storage's thread moves the log into the file.
  connection.exec("PRAGMA wal_autocheckpoint = 0");
  connection.exec("PRAGMA cache_size = -16000");
  connection.exec("PRAGMA temp_store = MEMORY");
}

function migrate(connection: DatabaseSync, path: string): void {
  const known = migrations.length;
  if (schemaVersion(connection) === known) return;
  connection.exec("BEGIN IMMEDIATE");
  // Checked again within the transaction: another process may have migrated meanwhile.
  const version = schemaVersion(connection);
  if (version > known) {
    throw new RequestError(
      "UNSUPPORTED",
      `The database ${path} was written by a newer version of crawlcore (schema ${version}; this version knows ${known}).`,
    );
  }
  for (const migration of migrations.slice(version)) connection.exec(migration);
  connection.exec(`PRAGMA user_version = ${known}`);
  connection.exec("COMMIT");
}

function schemaVersion(connection: DatabaseSync): number {
  return (connection.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

interface Prepared {
  readonly statement: StatementSync;
  readonly meetsJobs: boolean;
}

function wrap(connection: DatabaseSync): Database {
  const reading = new Map<StatementName, Prepared>();
  const changing = new Map<StatementName, Prepared>();
  // Replaced rather than cleared: V8 links the old table of a cleared map to its new one, so an old table that has been
  // moved to the old objects would keep alive everything that comes later.
  let values = new Map<string, unknown>();
  let saves = new Map<string, () => void>();

  function statement(name: StatementName, prepared = reading): StatementSync {
    let found = prepared.get(name);
    if (found === undefined) {
      const sql = statements[name];
      const meetsJobs = !jobRowStatements.has(name) && /\bjobs\b/.test(sql);
      found = { statement: connection.prepare(sql), meetsJobs };
      if (prepared === changing) found.statement.setReadBigInts(true);
      prepared.set(name, found);
    }
    // The statement must see what is still to be saved, and may change what is shared.
    if (found.meetsJobs) settle();
    return found.statement;
  }

  function settle(): void {
    for (const save of saves.values()) save();
    forget();
  }

  function forget(): void {
    if (saves.size > 0) saves = new Map();
    if (values.size > 0) values = new Map();
  }

  // Whatever it ran, Node tells the last inserted row of the connection, too. After words were deleted from the search
  // index, that is a row of its own with a number beyond those of JavaScript, for which Node 26 throws unless it may
  // tell it as a bigint.
  const run = (name: StatementName, ...parameters: SQLInputValue[]) => statement(name, changing).run(...parameters);

  return {
    run: (name, ...parameters) => Number(run(name, ...parameters).changes),
    insert: (name, ...parameters) => Number(run(name, ...parameters).lastInsertRowid),
    get: <Row>(name: StatementName, ...parameters: SQLInputValue[]) =>
      statement(name).get(...parameters) as Row | undefined,
    all: <Row>(name: StatementName, ...parameters: SQLInputValue[]) => statement(name).all(...parameters) as Row[],
    shared<Value>(name: string, load: () => Value) {
      if (values.has(name)) return values.get(name) as Value;
      // Loaded before the map is used again, because a statement about jobs replaces the map.
      const value = load();
      values.set(name, value);
      return value;
    },
    share: (name, value) => void values.set(name, value),
    beforeCommit: (name, save) => void saves.set(name, save),
    begin(writes) {
      if (connection.isTransaction) run("rollback");
      run(writes ? "beginWrite" : "beginRead");
    },
    commit() {
      settle();
      run("commit");
    },
    rollback() {
      forget();
      if (connection.isTransaction) run("rollback");
    },
    execute: (sql) => connection.exec(sql),
    close: () => connection.close(),
  };
}
