/** What the parts of a host are made with is checked: what is misspelt or missing would show only when it is needed. */
import { expect, test } from "vitest";
import { openTelemetry } from "../src/drivers/open-telemetry.ts";
import { pgBossQueue, postgresStorage } from "../src/drivers/postgres/index.ts";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import {
  brave,
  CrawlcoreError,
  duckDuckGo,
  jsonSearch,
  memoryQueue,
  memoryStorage,
  ownIndex,
  searxng,
} from "../src/index.ts";

const connectionString = "postgres://localhost/none";

test.each<[name: string, create: unknown]>(
  Object.entries({ sqliteStorage, postgresStorage, pgBossQueue, searxng, brave, jsonSearch, ownIndex, openTelemetry }),
)("%s made from nothing says what it needs", (name, create) => {
  for (const given of [[], [null], [{}]]) {
    expect(() => (create as (...options: unknown[]) => unknown)(...given)).toThrow(
      expect.objectContaining({
        code: "BAD_REQUEST",
        message: expect.stringContaining(name),
        details: expect.arrayContaining([expect.objectContaining({ path: expect.anything() })]),
      }),
    );
  }
});

test("what is missing is named together with all else that is wrong", () => {
  const bounds = { maxCacheBytes: -1, maxIndexByte: 5 };
  const faulty: [create: () => unknown, paths: string[]][] = [
    [() => sqliteStorage({ path: "", ...bounds }), ["path", "", "maxCacheBytes"]],
    [() => postgresStorage({ schema: "A b", ...bounds }), ["", "schema", "", "maxCacheBytes"]],
    [() => pgBossQueue({ connectionString: 5, pollEveryMs: "x" } as never), ["connectionString", "pollEveryMs"]],
  ];
  for (const [create, paths] of faulty) {
    let thrown: unknown;
    try {
      create();
    } catch (error) {
      thrown = error;
    }
    if (!CrawlcoreError.isInstance(thrown)) throw thrown;
    expect(thrown.details?.map(({ path }) => path.join(".")).sort()).toEqual([...paths].sort());
  }
});

test.each<[name: string, create: unknown]>(
  Object.entries({ memoryStorage, memoryQueue, sqliteStorage, postgresStorage, pgBossQueue }),
)("%s refuses what is no object, such as a lone path", (name, create) => {
  const message = `Invalid options of ${name}: it must be an object.`;
  for (const given of ["crawl.db", ["crawl.db"], 5]) {
    expect(() => (create as (options: unknown) => unknown)(given)).toThrow(
      expect.objectContaining({ code: "BAD_REQUEST", message, details: [expect.objectContaining({ path: [] })] }),
    );
  }
});

test("search providers name all that is wrong with their options", () => {
  const limits = { requestsPerMinute: Number.NaN, timeout: 5 };
  const create = () => searxng({ url: "localhost:8888", engines: "google", limits } as never);
  expect(create).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }));
  for (const part of ["searxng", "url must", "engines", "limits.requestsPerMinute", '"timeout"']) {
    expect(create).toThrow(part);
  }
  expect(() => brave({ apiKey: "" })).toThrow("apiKey");
  expect(() => brave({ apiKey: "key\nof two lines" })).toThrow("apiKey");
  expect(() => duckDuckGo({ url: "file:///etc/passwd" })).toThrow("url");
});

test("what is no address, no pool or no plain name of a schema is refused before it is needed", () => {
  const schemas = [null, true, ["a"], 5, Symbol("a"), "", "a b", "a;drop", '"a"', "x".repeat(64)];
  for (const schema of schemas as never[]) {
    expect(() => postgresStorage({ connectionString, schema })).toThrow("postgresStorage: schema must be");
    expect(() => pgBossQueue({ connectionString, schema })).toThrow("pgBossQueue: schema must be");
  }
  for (const address of ["", null, 5, {}] as never[]) {
    expect(() => postgresStorage({ connectionString: address })).toThrow("connectionString must be");
  }
  for (const pool of [null, 5, {}, "postgres://localhost"] as never[]) {
    expect(() => postgresStorage({ pool })).toThrow("pool must be");
  }
});

test("queues refuse times that are none", () => {
  expect(() => memoryQueue({ redeliverAfterMs: Number.NaN })).toThrow("redeliverAfterMs");
  expect(() => pgBossQueue({ connectionString, pollEveryMs: -1 })).toThrow("pollEveryMs");
  // A timer that is to wait longer goes off at once.
  expect(() => memoryQueue({ redeliverAfterMs: 2 ** 31 })).toThrow("redeliverAfterMs must be at most");
  expect(() => pgBossQueue({ connectionString, pollEveryMs: Infinity })).toThrow("pollEveryMs must be at most");
});

test("options of a class count, those that it computes or inherits too", () => {
  class Computed {
    readonly #most = -1;
    get maxCacheBytes() {
      return this.#most;
    }
    get pollEveryMs() {
      return this.#most;
    }
    get redeliverAfterMs() {
      return this.#most;
    }
  }
  class Options extends Computed {
    readonly path = ":memory:";
  }
  class OfDatabase extends Computed {
    readonly connectionString = connectionString;
  }
  for (const create of [() => memoryStorage(new Computed()), () => sqliteStorage(new Options())]) {
    expect(create).toThrow(/: maxCacheBytes must be a number, at least 0\.$/);
  }
  expect(() => postgresStorage(new OfDatabase())).toThrow("maxCacheBytes must");
  expect(() => pgBossQueue(new OfDatabase())).toThrow("pollEveryMs must");
  expect(() => memoryQueue(new Computed())).toThrow("redeliverAfterMs must");
  class SearchLimits {
    get timeoutMs() {
      return 5;
    }
  }
  const limits = new SearchLimits();
  for (const { limits: read } of [duckDuckGo({ limits }), brave({ apiKey: "key", limits })]) {
    expect(read?.timeoutMs).toBe(5);
  }
});

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
