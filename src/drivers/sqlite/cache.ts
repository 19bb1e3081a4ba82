/** The page cache: the latest bodies, up to a number of bytes. */

import type { PageCache } from "../../ports/page-cache.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";

export function sqliteCache(committer: Committer, maxBytes: number): PageCache {
  return {
    get: ({ team, key }) =>
      committer.read((database) => {
        const row = database.get<{ stored_at: number; head: string; body: Uint8Array }>("cachedPage", team, key);
        return row === undefined ? null : { storedAt: row.stored_at, head: row.head, body: row.body };
      }),

    async put({ team, key, storedAt, head, body }) {
      const bytes = body.byteLength + Buffer.byteLength(head);
      await committer.write((database) => {
        let total = size(database) - (database.get<{ bytes: number }>("deleteCachedPage", team, key)?.bytes ?? 0);
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

function size(database: Database): number {
  return (database.get<{ bytes: number }>("cacheSize") as { bytes: number }).bytes;
}
