/** The page cache: the latest bodies, up to a number of bytes and an age. */

import type { PageCache } from "../../ports/page-cache.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";

export interface SqliteCache extends PageCache {
  removeOld(now: number): Promise<void>;
}

/** Pages deleted in one step. */
const pagesPerStep = 100;

export function sqliteCache(committer: Committer, maxBytes: number, maxAgeMs: number): SqliteCache {
  return {
    async removeOld(now) {
      const isOld = (database: Database) =>
        (database.get<{ stored_at: number }>("oldestCachedPage")?.stored_at ?? now) <= now - maxAgeMs;
      while (await committer.read(isOld)) {
        await committer.write((database) => database.run("setCacheSize", removeAged(database, now - maxAgeMs)));
      }
    },

    get: ({ team, key }) =>
      committer.read((database) => {
        const row = database.get<{ stored_at: number; head: string; body: Uint8Array }>("cachedPage", team, key);
        return row === undefined ? null : { storedAt: row.stored_at, head: row.head, body: row.body };
      }),

    async put({ team, key, storedAt, head, body }) {
      const bytes = body.byteLength + Buffer.byteLength(head);
      await committer.write((database) => {
        let total =
          removeAged(database, storedAt - maxAgeMs) -
          (database.get<{ bytes: number }>("deleteCachedPage", team, key)?.bytes ?? 0);
        if (bytes <= maxBytes) {
          while (total + bytes > maxBytes) {
            total -= database.get<{ bytes: number }>("deleteOldestCachedPage")?.bytes ?? total;
          }
          database.run("insertCachedPage", team, key, storedAt, head, body, bytes);
          total += bytes;
        }
        database.run("setCacheSize", total);
      });
    },
  };
}

/** Deletes some of the pages that are too old; returns the bytes of those left. */
function removeAged(database: Database, storedBefore: number): number {
  let total = size(database);
  for (let i = 0; i < pagesPerStep; i++) {
    const removed = database.get<{ bytes: number }>("deleteAgedCachedPage", storedBefore);
    if (removed === undefined) break;
    total -= removed.bytes;
  }
  return total;
}

function size(database: Database): number {
  return (database.get<{ bytes: number }>("cacheSize") as { bytes: number }).bytes;
}
