/** What a storage is made with is checked: a bound that is no number, or misspelt, would let it grow without end. */
import { expect, test } from "vitest";
import { postgresStorage } from "../src/drivers/postgres/index.ts";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { memoryStorage } from "../src/index.ts";

const connectionString = "postgres://localhost/none";

test.each<[name: string, create: (bounds: object) => unknown]>([
  ["memoryStorage", memoryStorage],
  ["sqliteStorage", (bounds) => sqliteStorage({ path: ":memory:", ...bounds })],
  ["postgresStorage", (bounds) => postgresStorage({ connectionString, ...bounds })],
])("%s refuses bounds that are none, all at once", (name, create) => {
  for (const bound of [Number.NaN, -1, "64 MiB", null]) {
    expect(() => create({ maxCacheBytes: bound, maxIndexByte: 5 })).toThrow(
      expect.objectContaining({
        code: "BAD_REQUEST",
        message: expect.stringMatching(`^Invalid options of ${name}: maxCacheBytes must be .* "maxIndexByte"`),
      }),
    );
  }
  expect(() =>
    create({ maxCacheBytes: Number.POSITIVE_INFINITY, maxCacheAgeMs: 0, maxIndexBytes: undefined }),
  ).not.toThrow();
});
