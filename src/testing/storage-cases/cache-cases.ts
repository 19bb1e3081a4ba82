/** Cases about the page cache. Losing an entry is no error, so the entries here are small and few. */

import assert from "node:assert/strict";
import { type StorageCase, start } from "./storage-case.ts";

const entry = { team: "team-a", key: "example.com/", storedAt: start, head: '{"statusCode":200}' };

export const cacheCases: readonly StorageCase[] = [
  {
    name: "a cached page comes back as it was, whatever its bytes",
    async run({ cache }) {
      const body = Uint8Array.from({ length: 256 }, (_, index) => index);
      await cache.put({ ...entry, body });
      await cache.put({ ...entry, key: "empty", body: new Uint8Array() });
      const cached = await cache.get(entry);
      assert.deepEqual([cached?.storedAt, cached?.head], [start, entry.head]);
      assert.deepEqual([...(cached?.body ?? [])], [...body]);
      assert.equal((await cache.get({ team: "team-a", key: "empty" }))?.body.byteLength, 0);
    },
  },
  {
    name: "a body is copied: what happens to the caller's buffer afterwards does not matter",
    async run({ cache }) {
      const body = new Uint8Array([1, 2, 3, 4]);
      await cache.put({ ...entry, body: body.subarray(1, 3) });
      body.fill(0);
      assert.deepEqual([...((await cache.get(entry))?.body ?? [])], [2, 3]);
    },
  },
  {
    name: "the latest entry of a key wins",
    async run({ cache }) {
      await cache.put({ ...entry, body: new Uint8Array([1]) });
      await cache.put({ ...entry, storedAt: start + 1, body: new Uint8Array([2, 2]) });
      const cached = await cache.get(entry);
      assert.deepEqual([cached?.storedAt, [...(cached?.body ?? [])]], [start + 1, [2, 2]]);
    },
  },
  {
    name: "keys and teams are kept apart",
    async run({ cache }) {
      await cache.put({ ...entry, body: new Uint8Array([1]) });
      assert.equal(await cache.get({ team: "team-b", key: entry.key }), null);
      assert.equal(await cache.get({ team: "team-a", key: "other" }), null);
      await cache.put({ ...entry, team: "team-b", body: new Uint8Array([2]) });
      assert.deepEqual([...((await cache.get(entry))?.body ?? [])], [1]);
    },
  },
];
