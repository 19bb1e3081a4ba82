/**
 * The file of cached bodies. It may be lost at any time, so it is written without a log and without waiting for the
 * disk. A kill leaves it sound; damage by a power cut is detected by checksums, or the file is created again.
 */

import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { RequestError } from "../../errors.ts";
import type { CachedPage } from "../../ports/page-cache.ts";
import { inMemory } from "./in-memory.ts";

export interface CacheFileOptions {
  readonly path: string;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

export interface CacheKey {
  readonly team: string;
  readonly key: string;
}

export type CacheEntry = CachedPage & CacheKey;

export interface CacheFile {
  /** Keeps all of them, or none if it fails. */
  put(entries: readonly CacheEntry[]): void;
  get(wanted: CacheKey): CachedPage | null;
  removeOld(now: number): void;
  close(): void;
}

/** Identifies such a file in its header: the letters `cwlc`. */
const applicationId = 0x63776c63;
/** A file of another version is emptied. */
const version = 1;
/** How long to wait for another process that is writing. */
const timeoutMs = 5000;
/** Most pages deleted in one step. */
const pagesPerStep = 100;

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

const statements = {
  get: "SELECT stored_at, head, body, checksum FROM pages WHERE team = ? AND key = ?",
  // Node 22 binds an empty array of bytes as NULL.
  insert: `INSERT INTO pages (team, key, stored_at, head, body, checksum, bytes)
    VALUES (?, ?, ?, ?, coalesce(?, x''), ?, ?)`,
  delete: "DELETE FROM pages WHERE team = ? AND key = ? RETURNING bytes",
  deleteOldest: "DELETE FROM pages WHERE number = (SELECT min(number) FROM pages) RETURNING bytes",
  deleteAged: "DELETE FROM pages WHERE number = (SELECT min(number) FROM pages) AND stored_at <= ? RETURNING bytes",
  size: "SELECT bytes FROM size",
  setSize: "UPDATE size SET bytes = ?",
} as const;

/** Opens the file at its first use, and creates it again if it turns out to be damaged. */
export function cacheFile({ path, maxBytes, maxAgeMs }: CacheFileOptions): CacheFile {
  let connection: Connection | undefined;

  function use<Value>(work: (connection: Connection) => Value): Value {
    try {
      connection ??= connect(path);
      return work(connection);
    } catch (error) {
      if (!isDamaged(error) || path === inMemory) throw error;
      connection?.database.close();
      connection = undefined;
      for (const suffix of ["", "-journal"]) rmSync(path + suffix, { force: true });
      connection = connect(path);
      return work(connection);
    }
  }

  /** Deletes pages that are too old at `now`, at most one step's worth. */
  function removeAged({ statement }: Connection, now: number): { count: number; bytes: number } {
    let [count, bytes] = [0, 0];
    for (; count < pagesPerStep; count += 1) {
      const removed = statement("deleteAged").get(now - maxAgeMs) as { bytes: number } | undefined;
      if (removed === undefined) break;
      bytes += removed.bytes;
    }
    return { count, bytes };
  }

  return {
    put: (entries) =>
      use((opened) =>
        transaction(opened, (bytesBefore) => {
          const { statement } = opened;
          const newest = Math.max(...entries.map(({ storedAt }) => storedAt));
          let size = bytesBefore - removeAged(opened, newest).bytes;
          for (const { team, key, storedAt, head, body } of entries) {
            const bytes = body.byteLength + Buffer.byteLength(head);
            const before = statement("delete").get(team, key) as { bytes: number } | undefined;
            size -= before?.bytes ?? 0;
            if (bytes > maxBytes) continue;
            statement("insert").run(team, key, storedAt, head, body, crc32(body), bytes);
            size += bytes;
            while (size > maxBytes) {
              const removed = statement("deleteOldest").get() as { bytes: number } | undefined;
              size -= removed?.bytes ?? size;
            }
          }
          return size;
        }),
      ),

    get: ({ team, key }) =>
      use(({ statement }) => {
        const row = statement("get").get(team, key) as
          | { stored_at: number; head: string; body: Uint8Array; checksum: number }
          | undefined;
        if (row === undefined || crc32(row.body) !== row.checksum) return null;
        return { storedAt: row.stored_at, head: row.head, body: row.body };
      }),

    removeOld(now) {
      for (let removed = pagesPerStep; removed === pagesPerStep; ) {
        use((opened) =>
          transaction(opened, (size) => {
            const { count, bytes } = removeAged(opened, now);
            removed = count;
            return size - bytes;
          }),
        );
      }
    },

    close() {
      const closing = connection?.database;
      connection = undefined;
      try {
        // Otherwise the empty journal would remain.
        closing?.exec("PRAGMA journal_mode = DELETE");
      } finally {
        closing?.close();
      }
    },
  };
}

interface Connection {
  readonly database: DatabaseSync;
  statement(name: keyof typeof statements): StatementSync;
}

function connect(path: string): Connection {
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
function transaction({ database, statement }: Connection, work: (size: number) => number): void {
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

/** `SQLITE_CORRUPT` and `SQLITE_NOTADB`. */
const damaged: ReadonlySet<number> = new Set([11, 26]);

function isDamaged(error: unknown): boolean {
  return damaged.has(((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff);
}
