/** The page cache: the latest bodies, up to a number of bytes and an age. */

import type { PageCache } from "../../ports/page-cache.ts";
import type { Connection, Query } from "./connection.ts";
import { hashOf } from "./hash.ts";

interface PostgresCache extends PageCache {
  removeOld(now: number): Promise<void>;
}

interface Sized {
  readonly bytes: number;
}

/** Most pages deleted in one step. */
const pagesPerStep = 100;

export function postgresCache({ query, transaction }: Connection, maxBytes: number, maxAgeMs: number): PostgresCache {
  return {
    async get({ team, key }) {
      const [row] = await query<{ stored_at: number; head: string; body: Buffer }>("cachedPage", team, hashOf(key));
      return row === undefined ? null : { storedAt: row.stored_at, head: row.head, body: new Uint8Array(row.body) };
    },

    put({ team, key, storedAt, head, body }) {
      // Copied before the first await, because the caller may reuse its buffer.
      const copy = Buffer.from(body);
      const bytes = copy.byteLength + Buffer.byteLength(head);
      const hash = hashOf(key);
      return transaction(async (query) => {
        let total = await lockCache(query);
        total -= sum(await query<Sized>("deleteAgedCachedPages", storedAt - maxAgeMs, pagesPerStep));
        total -= sum(await query<Sized>("deleteCachedPage", team, hash));
        if (bytes <= maxBytes) {
          while (total + bytes > maxBytes) {
            const [oldest] = await query<Sized>("deleteOldestCachedPage");
            total -= oldest?.bytes ?? total;
          }
          await query("insertCachedPage", team, hash, storedAt, head, copy, bytes);
          total += bytes;
        }
        await query("setCacheSize", total);
      });
    },

    async removeOld(now) {
      let removed: number;
      do {
        removed = await transaction(async (query) => {
          const total = await lockCache(query);
          const pages = await query<Sized>("deleteAgedCachedPages", now - maxAgeMs, pagesPerStep);
          await query("setCacheSize", total - sum(pages));
          return pages.length;
        });
      } while (removed === pagesPerStep);
    },
  };
}

/** The number of bytes of all cached pages, locked until the transaction ends. */
async function lockCache(query: Query): Promise<number> {
  return sum(await query<Sized>("lockCache"));
}

function sum(rows: readonly Sized[]): number {
  return rows.reduce((total, row) => total + row.bytes, 0);
}
