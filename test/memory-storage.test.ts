/** The memory drivers keep the contracts of their ports. */

import { execFileSync } from "node:child_process";
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

  test("the versions of one page take the place of each other only", async () => {
    const { versions } = memoryStorage({ maxVersionBytes: 10_000 });
    const version = { team: "a", tag: null, url: "https://example.com/", fingerprint: "f", isGone: false };
    const times = { scrapedAt: 0, expiresAt: 1 };
    await versions!.put({ ...version, ...times, key: "one", markdown: "Some words." });
    for (let count = 0; count < 10; count++) {
      await versions!.put({ ...version, ...times, key: "two", markdown: "Some words.".repeat(100) });
    }
    expect(await versions!.getLast({ ...version, key: "one" })).not.toBeNull();
  });

  test("the page versions stored longest ago go when the bytes are used up", async () => {
    const { versions } = memoryStorage({ maxVersionBytes: 10_000 });
    const version = { team: "a", tag: null, url: "https://example.com/", fingerprint: "f", isGone: false };
    const times = { scrapedAt: 0, expiresAt: 1 };
    // Of one that took the place of another, the bytes count once.
    for (const key of ["one", "two", "two", "three"])
      await versions!.put({ ...version, ...times, key, markdown: "x".repeat(2000) });
    expect(await versions!.getLast({ ...version, key: "one" })).toBeNull();
    for (const key of ["two", "three"]) expect(await versions!.getLast({ ...version, key })).not.toBeNull();
  });

  test("a page version that is larger than all of them may be is not kept, and leaves the others alone", async () => {
    const { versions } = memoryStorage({ maxVersionBytes: 10_000 });
    const version = { team: "a", tag: null, url: "https://example.com/", fingerprint: "f", isGone: false };
    const times = { scrapedAt: 0, expiresAt: 1 };
    await versions!.put({ ...version, ...times, key: "small", markdown: "Some words." });
    await versions!.put({ ...version, ...times, key: "large", markdown: "Some words.".repeat(1000) });
    expect(await versions!.getLast({ ...version, key: "small" })).not.toBeNull();
    expect(await versions!.getLast({ ...version, key: "large" })).toBeNull();
  });
});

test("charges do not fill the memory of a process that lives long", () => {
  const program = `
    import { randomUUID } from "node:crypto";
    import { memoryStorage } from ${JSON.stringify(new URL("../src/drivers/memory/index.ts", import.meta.url).href)};
    const { ledger } = memoryStorage();
    const charge = { team: "team", apiKey: null, jobId: null, kind: "scrape", credits: 1, tokens: 0, at: 0 };
    const ids = [];
    async function charges() {
      for (let count = 0; count < 100_000; count++) {
        const id = randomUUID();
        await ledger.charge({ ...charge, id });
        if (count % 1000 === 0) ids.push(id);
        // The last 90,000 come again, here and at the end: those of one round, and those of two.
        if (count === 50_000) for (const id of ids.slice(-90)) await ledger.charge({ ...charge, id });
      }
      for (const id of ids.slice(-90)) await ledger.charge({ ...charge, id });
      gc();
      return process.memoryUsage().heapUsed;
    }
    const [, first, second] = [await charges(), await charges(), await charges()];
    const [{ credits }] = await ledger.usage({ team: "team", byApiKey: false });
    console.log(JSON.stringify({ credits, grown: (second - first) / 1e6 }));
  `;
  const flags = ["--expose-gc", "--no-warnings", "--input-type=module"];
  const seen = JSON.parse(execFileSync(process.execPath, [...flags, "-e", program], { encoding: "utf8" }));
  expect(seen.credits).toBe(300_000);
  expect(seen.grown).toBeLessThan(4);
});

describe("memory queue", () => {
  testQueue({ test, create: () => memoryQueue({ redeliverAfterMs: 2 }) });
});
