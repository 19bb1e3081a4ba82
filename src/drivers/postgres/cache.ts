/** The page cache: the latest bodies, up to a number of bytes and an age. */

import type { PageCache } from "../../ports/page-cache.ts";
import { type BoundedTable, lockBytes, putNewest, sum } from "./bounded.ts";
import type { Connection } from "./connection.ts";
import { hashOf } from "./hash.ts";
import { writeTogether } from "./write-together.ts";

interface PostgresCache extends PageCache {
  removeOld(now: number): Promise<void>;
}

interface Entry {
  readonly team: string;
  readonly hash: string;
  readonly storedAt: number;
  readonly head: string;
  readonly body: Buffer;
  readonly bytes: number;
}

const table: BoundedTable = {
  lock: "lockCache",
  setBytes: "setCacheSize",
  removeKeys: "deleteCachedPages",
  removeOldest: "deleteOldestCachedPages",
};

/** Most pages deleted in one step. */
const pagesPerStep = 100;

export function postgresCache(
  { query, transaction, track }: Connection,
  maxBytes: number,
  maxAgeMs: number,
): PostgresCache {
  const put = writeTogether<Entry>(
    (entries) =>
      transaction(async (query) => {
        const newest = Math.max(...entries.map(({ storedAt }) => storedAt));
        await putNewest(
          query,
          table,
          () => entries,
          maxBytes,
          async (left) => {
            // One by one, because bodies in an array would be sent as text.
            for (const { team, hash, storedAt, head, body, bytes } of left) {
              await query("insertCachedPage", team, hash, storedAt, head, body, bytes);
            }
          },
          () => query("deleteAgedCachedPages", newest - maxAgeMs, pagesPerStep),
        );
        return [];
      }),
    track,
  );

  return {
    async get({ team, key }) {
      const [row] = await query<{ stored_at: number; head: string; body: Buffer }>("cachedPage", team, hashOf(key));
      return row === undefined ? null : { storedAt: row.stored_at, head: row.head, body: new Uint8Array(row.body) };
    },

    async put({ team, key, storedAt, head, body }) {
      // Copied before the first await, because the caller may reuse its buffer.
      const copy = Buffer.from(body);
      const bytes = copy.byteLength + Buffer.byteLength(head);
      await put({ team, hash: hashOf(key), storedAt, head, body: copy, bytes });
    },

    async removeOld(now) {
      let removed: number;
      do {
        removed = await transaction(async (query) => {
          const total = await lockBytes(query, table);
          const pages = await query<{ bytes: number }>("deleteAgedCachedPages", now - maxAgeMs, pagesPerStep);
          await query("setCacheSize", total - sum(pages));
          return pages.length;
        });
      } while (removed === pagesPerStep);
    },
  };
}
