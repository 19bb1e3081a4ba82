/** A page cache is bounded by size and by age, whichever storage holds it. */

import { expect, test } from "vitest";
import type { Storage } from "../src/index.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 0, 1);

/** @param storageWith makes an empty storage */
export function testCacheBounds(
  storageWith: (bounds: { maxCacheBytes?: number; maxCacheAgeMs?: number }) => Storage,
): void {
  const put = (storage: Storage, key: string, bytes: number, storedAt: number) =>
    storage.cache.put({ team: "a", key, storedAt, head: "{}", body: new Uint8Array(bytes) });
  const kept = async (storage: Storage, count: number) => {
    const keys = Array.from({ length: count }, (_, index) => String(index));
    const found = await Promise.all(keys.map((key) => storage.cache.get({ team: "a", key })));
    return keys.filter((_, index) => found[index] !== null);
  };

  test("the least recently stored pages go when the bytes are used up", async () => {
    const storage = storageWith({ maxCacheBytes: 10_000 });
    for (let index = 0; index < 6; index++) await put(storage, String(index), 3000, now + index);
    expect(await kept(storage, 6)).toEqual(["3", "4", "5"]);
    await put(storage, "3", 3000, now + 10);
    await put(storage, "0", 3000, now + 11);
    expect(await kept(storage, 6)).toEqual(["0", "3", "5"]);
    // One that is larger than the whole cache is not kept, and leaves the others alone.
    await put(storage, "1", 20_000, now + 12);
    expect(await kept(storage, 6)).toEqual(["0", "3", "5"]);
    await storage.close();
  });

  test("a sweep takes all pages that are too old, however many", async () => {
    const storage = storageWith({ maxCacheAgeMs: hour });
    await Promise.all(Array.from({ length: 150 }, (_, index) => put(storage, String(index), 10, now)));
    await storage.sweep(now + 2 * hour);
    expect(await kept(storage, 150)).toEqual([]);
    await storage.close();
  });

  test("a page that was stored while the clock was ahead keeps no other in place", async () => {
    const storage = storageWith({ maxCacheAgeMs: hour });
    await put(storage, "0", 10, now + 9000 * hour);
    await put(storage, "1", 10, now);
    await storage.sweep(now + 2 * hour);
    expect(await kept(storage, 2)).toEqual(["0"]);
    await storage.close();
  });

  test("pages that are too old go with the next one stored, or with a sweep", async () => {
    const storage = storageWith({ maxCacheAgeMs: hour });
    await put(storage, "0", 10, now);
    await put(storage, "1", 10, now + hour / 2);
    await put(storage, "2", 10, now + hour);
    expect(await kept(storage, 3)).toEqual(["1", "2"]);
    await storage.sweep(now + 1.5 * hour);
    expect(await kept(storage, 3)).toEqual(["2"]);
    await storage.sweep(now + 3 * hour);
    expect(await kept(storage, 3)).toEqual([]);
    // The room is free again.
    for (let index = 0; index < 3; index++) await put(storage, String(index), 10, now + 4 * hour);
    expect(await kept(storage, 3)).toHaveLength(3);
    await storage.close();
  });
}
