/**
 * The file of cached bodies. It may be lost at any time, so it is written without a log and without waiting for the
 * disk. A kill leaves it sound; damage by a power cut is detected by checksums, or the file is created again.
 */

import { rmSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { CachedPage } from "../../ports/page-cache.ts";
import { type CacheConnection, connect, transaction } from "./cache-connection.ts";
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

/** Most pages deleted in one step. */
const pagesPerStep = 100;

/** Opens the file at its first use; begins it anew if it is damaged, and opens it again if another process did so. */
export function cacheFile({ path, maxBytes, maxAgeMs }: CacheFileOptions): CacheFile {
  let connection: CacheConnection | undefined;

  function use<Value>(work: (connection: CacheConnection) => Value): Value {
    try {
      connection ??= connect(path);
      return work(connection);
    } catch (error) {
      const isReplaced = codeOf(error) === movedFile;
      if ((!isReplaced && !damaged.has(codeOf(error) & 0xff)) || path === inMemory) throw error;
      connection?.database.close();
      connection = undefined;
      if (!isReplaced) for (const suffix of ["", "-journal"]) rmSync(path + suffix, { force: true });
      connection = connect(path);
      return work(connection);
    }
  }

  return {
    put(entries) {
      use((opened) => transaction(opened, (size) => putAll(opened, size, entries, { maxBytes, maxAgeMs })));
    },

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
            const { count, bytes } = removeAged(opened, now - maxAgeMs);
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

/** Returns the number of bytes in the file afterwards; `size` is that before. */
function putAll(
  opened: CacheConnection,
  size: number,
  entries: readonly CacheEntry[],
  { maxBytes, maxAgeMs }: Pick<CacheFileOptions, "maxBytes" | "maxAgeMs">,
): number {
  const { statement } = opened;
  const newest = Math.max(...entries.map(({ storedAt }) => storedAt));
  let held = size - removeAged(opened, newest - maxAgeMs).bytes;
  for (const { team, key, storedAt, head, body } of entries) {
    const bytes = body.byteLength + Buffer.byteLength(head);
    const before = statement("delete").get(team, key) as { bytes: number } | undefined;
    held -= before?.bytes ?? 0;
    if (bytes > maxBytes) continue;
    statement("insert").run(team, key, storedAt, head, body, crc32(body), bytes);
    held += bytes;
    while (held > maxBytes) {
      const removed = statement("deleteOldest").get() as { bytes: number } | undefined;
      held -= removed?.bytes ?? held;
    }
  }
  return held;
}

/** Deletes pages that were stored by then, at most one step's worth. */
function removeAged({ statement }: CacheConnection, storedBy: number): { count: number; bytes: number } {
  let [count, bytes] = [0, 0];
  for (; count < pagesPerStep; count += 1) {
    const removed = statement("deleteAged").get(storedBy) as { bytes: number } | undefined;
    if (removed === undefined) break;
    bytes += removed.bytes;
  }
  return { count, bytes };
}

/** `SQLITE_CORRUPT` and `SQLITE_NOTADB`. */
const damaged: ReadonlySet<number> = new Set([11, 26]);

/** `SQLITE_READONLY_DBMOVED`: the file that this process has open is no longer the one of that name. */
const movedFile = 1032;

function codeOf(error: unknown): number {
  return (error as { errcode?: number } | undefined)?.errcode ?? 0;
}
