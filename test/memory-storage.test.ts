/** The memory drivers keep the contracts of their ports. */

import { describe, expect, test } from "vitest";
import { memoryStorage } from "../src/drivers/memory/index.ts";
import { memoryQueue } from "../src/drivers/memory-queue.ts";
import { testQueue, testStorage } from "../src/testing/index.ts";

describe("memory storage", () => {
  testStorage({ test, durable: false, create: () => ({ storage: memoryStorage() }) });

  test("the cache forgets the entries stored longest ago when it is full", async () => {
    const { cache } = memoryStorage({ maxCacheBytes: 1000 });
    const entry = { team: "team", storedAt: 0, head: "{}" };
    for (const key of ["a", "b", "a", "c"]) await cache.put({ ...entry, key, body: new Uint8Array(400) });
    expect(await cache.get({ team: "team", key: "b" })).toBeNull();
    expect(await cache.get({ team: "team", key: "a" })).not.toBeNull();
    await cache.put({ ...entry, key: "too large", body: new Uint8Array(2000) });
    expect(await cache.get({ team: "team", key: "too large" })).toBeNull();
  });
});

describe("memory queue", () => {
  testQueue({ test, create: () => memoryQueue({ redeliverAfterMs: 2 }) });
});
