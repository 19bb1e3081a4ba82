/** The search index is bounded by size, whichever storage holds it. */
import { describe, expect, test } from "vitest";
import { parseSearchQuery } from "../src/contract/search-terms.ts";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { memoryStorage, type Storage } from "../src/index.ts";

describe.each<[string, (bounds: { maxIndexBytes: number }) => Storage]>([
  ["memory", memoryStorage],
  ["SQLite", (bounds) => sqliteStorage({ path: ":memory:", ...bounds })],
])("%s", (_, storageWith) => {
  test("a page that is stored again and again between searches takes the room of one page", async () => {
    const storage = storageWith({ maxIndexBytes: 60_000 });
    const put = (name: string, markdown: string) =>
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
    const find = (query: string) => storage.index!.search({ team: "a", terms: parseSearchQuery(query), limit: 5 });
    await put("quiet", "A kettle that nobody touches.");
    // Almost all of it is addresses, which are left out when its words are counted.
    const busy = `[tea](https://example.com/${"a".repeat(80)}) `.repeat(45);
    for (let round = 0; round < 12; round++) {
      await put("busy", busy);
      expect(await find("kettle")).toHaveLength(1);
      expect(await find("tea")).toHaveLength(1);
    }
    await storage.close();
  });
});
