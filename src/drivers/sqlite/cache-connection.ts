/** The database in the file of cached bodies: its form, its statements, and how it is opened. */

import { closeSync, openSync, readSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { RequestError } from "../../errors.ts";
import { inMemory } from "./in-memory.ts";

/** Identifies such a file in its header: the letters `cwlc`. */
const applicationId = 0x63776c63;
/** A file of another version is emptied. */
const version = 1;
/** How long to wait for another process that is writing. */
const timeoutMs = 5000;

const schema = `
  DROP TABLE IF EXISTS pages;
  DROP TABLE IF EXISTS size;
  CREATE TABLE pages (
    number INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    key TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    head TEXT NOT NULL,
    body BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    UNIQUE (team, key)
  ) STRICT;
  CREATE TABLE size (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO size (bytes) VALUES (0);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

/** Files that were made without it get it when they are opened. */
const index = "CREATE INDEX IF NOT EXISTS pages_by_time ON pages (stored_at)";

const statements = {
  get: "SELECT stored_at, head, body, checksum FROM pages WHERE team = ? AND key = ?",
  // Node 22 binds an empty array of bytes as NULL.
  insert: `INSERT INTO pages (team, key, stored_at, head, body, checksum, bytes)
    VALUES (?, ?, ?, ?, coalesce(?, x''), ?, ?)`,
  delete: "DELETE FROM pages WHERE team = ? AND key = ? RETURNING bytes",
  deleteOldest: "DELETE FROM pages WHERE number = (SELECT min(number) FROM pages) RETURNING bytes",
  deleteAged: `
    DELETE FROM pages WHERE number = (SELECT number FROM pages WHERE stored_at <= ? ORDER BY stored_at LIMIT 1)
    RETURNING bytes`,
  size: "SELECT bytes FROM size",
  setSize: "UPDATE size SET bytes = ?",
} as const;

export interface CacheConnection {
  readonly database: DatabaseSync;
  statement(name: keyof typeof statements): StatementSync;
}

/** Opens the file, and creates it if there is none. */
export function connect(path: string): CacheConnection {
  refuseForeign(path);
  const database = new DatabaseSync(path, { timeout: timeoutMs });
  try {
    // Before the first table is created. Large pages, because bodies fill many.
    database.exec("PRAGMA page_size = 16384");
    database.exec("PRAGMA journal_mode = TRUNCATE");
    database.exec("PRAGMA synchronous = OFF");
    // What is deleted is overwritten: pages may be private.
    database.exec("PRAGMA secure_delete = ON");
    database.exec("PRAGMA cache_size = -4000");
    const isCurrent = () =>
      (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version === version;
    if (!isCurrent()) {
      database.exec("BEGIN IMMEDIATE");
      // Checked again within the transaction: another process may have created it meanwhile.
      if (!isCurrent()) database.exec(schema);
      database.exec("COMMIT");
    }
    database.exec(index);
  } catch (error) {
    database.close();
    throw error;
  }
  const prepared = new Map<keyof typeof statements, StatementSync>();
  return {
    database,
    statement(name) {
      const statement = prepared.get(name) ?? database.prepare(statements[name]);
      prepared.set(name, statement);
      return statement;
    },
  };
}

/** Refuses a file that is not one of ours, because it may contain somebody's data. */
function refuseForeign(path: string): void {
  if (path === inMemory) return;
  const header = Buffer.alloc(72);
  let length = 0;
  try {
    const file = openSync(path, "r");
    try {
      length = readSync(file, header);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (
    length === 0 ||
    (header.toString("latin1", 0, 15) === "SQLite format 3" && header.readUInt32BE(68) === applicationId)
  )
    return;
  throw new RequestError("BAD_REQUEST", `${path} is needed for cached pages, but belongs to another program.`);
}

/** Runs `work` with the number of bytes in the file; it returns the number afterwards. */
export function transaction({ database, statement }: CacheConnection, work: (size: number) => number): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const { bytes } = statement("size").get() as { bytes: number };
    const size = work(bytes);
    if (size !== bytes) statement("setSize").run(size);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
