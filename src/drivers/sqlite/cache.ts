/** The page cache: the latest bodies, up to a number of bytes and an age. */

import type { PageCache } from "../../ports/page-cache.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";
import { type StoredSize, storedSize } from "./stored-size.ts";

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
        await committer.write((database) =>
          removeAged(database, storedSize(database, "cacheSize", "setCacheSize"), now - maxAgeMs),
        );
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
        const size = storedSize(database, "cacheSize", "setCacheSize");
        removeAged(database, size, storedAt - maxAgeMs);
        const insert = () => database.run("insertCachedPage", team, key, storedAt, head, body, bytes) === 1;
        const fits = bytes <= maxBytes;
        if (!fits || !insert()) {
          size.bytes -= database.get<{ bytes: number }>("deleteCachedPage", team, key)?.bytes ?? 0;
          if (fits) insert();
        }
        if (fits) size.bytes += bytes;
        while (size.bytes > maxBytes) {
          size.bytes -= database.get<{ bytes: number }>("deleteOldestCachedPage")?.bytes ?? size.bytes;
        }
      });
    },
  };
}

/** Deletes some of the pages that are too old, in the first call of a transaction that asks. */
function removeAged(database: Database, size: StoredSize, storedBefore: number): void {
  database.shared("aged pages of the cache", () => {
    for (let i = 0; i < pagesPerStep; i++) {
      const removed = database.get<{ bytes: number }>("deleteAgedCachedPage", storedBefore);
      if (removed === undefined) break;
      size.bytes -= removed.bytes;
    }
    return true;
  });
}
