/** The page cache: the latest bodies, up to a number of bytes. */

import type { PageCache } from "../../ports/page-cache.ts";
import type { Connection } from "./connection.ts";
import { hashOf } from "./hash.ts";

export function postgresCache({ query, transaction }: Connection, maxBytes: number): PageCache {
  return {
    async get({ team, key }) {
      const [row] = await query<{ stored_at: number; head: string; body: Buffer }>("cachedPage", team, hashOf(key));
      return row === undefined ? null : { storedAt: row.stored_at, head: row.head, body: new Uint8Array(row.body) };
    },

    put({ team, key, storedAt, head, body }) {
      // Copied before the first await: the caller may use its buffer again.
      const copy = Buffer.from(body);
      const bytes = copy.byteLength + Buffer.byteLength(head);
      const hash = hashOf(key);
      return transaction(async (query) => {
        let [total = 0] = (await query<{ bytes: number }>("lockCache")).map((row) => row.bytes);
        for (const row of await query<{ bytes: number }>("deleteCachedPage", team, hash)) total -= row.bytes;
        if (bytes <= maxBytes) {
          while (total + bytes > maxBytes) {
            const [oldest] = await query<{ bytes: number }>("deleteOldestCachedPage");
            total -= oldest?.bytes ?? total;
          }
          await query("insertCachedPage", team, hash, storedAt, head, copy, bytes);
          total += bytes;
        }
        await query("setCacheSize", total);
      });
    },
  };
}
