/** The search index is bounded by size, whichever storage holds it. */
import { describe, expect, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { memoryStorage, type Storage } from "../src/index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import { cpuTime } from "./cpu-time.ts";

describe.each<[string, (bounds: { maxIndexBytes: number }) => Storage]>([
  ["memory", memoryStorage],
  ["SQLite", (bounds) => sqliteStorage({ path: ":memory:", ...bounds })],
])("%s", (_, storageWith) => {
  const putInto = (storage: Storage, name: string, markdown: string) =>
    storage.index!.put({
      team: "a",
      key: name,
      url: `https://example.com/${name}`,
      title: name,
      description: "",
      markdown,
      publishedAt: null,
      seenAt: 0,
    });
  const findIn = (storage: Storage, query: string) =>
    storage.index!.search({ team: "a", terms: parseSearchQuery(query), limit: 5 });

  test("a page that is larger than the whole index is not kept, and leaves the others alone", async () => {
    const storage = storageWith({ maxIndexBytes: 60_000 });
    await putInto(storage, "small", "A kettle.");
    await putInto(storage, "large", "A kettle. ".repeat(10_000));
    expect((await findIn(storage, "kettle")).map(({ title }) => title)).toEqual(["small"]);
    await storage.close();
  });

  test("a page that is stored again and again between searches takes the room of one page", async () => {
    const storage = storageWith({ maxIndexBytes: 60_000 });
    await putInto(storage, "quiet", "A kettle that nobody touches.");
    // Almost all of it is addresses, which are left out when its words are counted.
    const busy = `[tea](https://example.com/${"a".repeat(80)}) `.repeat(45);
    for (let round = 0; round < 12; round++) {
      await putInto(storage, "busy", busy);
      expect(await findIn(storage, "kettle")).toHaveLength(1);
      expect(await findIn(storage, "tea")).toHaveLength(1);
    }
    await storage.close();
  });

  test.each([
    [
      "a letter with very many marks",
      "page",
      `A kettle o\u0302${"\u0301".repeat(50_000)}${"\u0316".repeat(50_000)}n it.`,
    ],
    ["an address with very many slashes", `a${"/".repeat(90_000)}b`, "A kettle."],
  ])("%s takes no long time", async (_, name, markdown) => {
    const storage = storageWith({ maxIndexBytes: 10_000_000 });
    await putInto(storage, name, markdown);
    const started = cpuTime();
    expect(await findIn(storage, "kettle")).toHaveLength(1);
    expect(await findIn(storage, '"a kettle" -"on the stove"')).toHaveLength(1);
    expect(await findIn(storage, "related:example.org/unknown kettle")).toHaveLength(1);
    expect(cpuTime() - started).toBeLessThan(2000);
    await storage.close();
  });
});
