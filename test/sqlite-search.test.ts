/** The search index of SQLite: each look at it ranks all pages that match, so a search takes few; and new pages are indexed in steps. */
import { randomUUID } from "node:crypto";
import { StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import type { Storage } from "../src/index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";

/** Pages of one team, none of which is indexed yet. */
async function storageOf(count: number, markdownOf: (number: number) => string): Promise<Storage> {
  const storage = sqliteStorage({ path: ":memory:" });
  onTestFinished(() => storage.close());
  const stored = Array.from({ length: count }, (_, number) =>
    storage.index?.put({
      team: "team",
      key: `page ${number}`,
      url: `http://site.example/${number}`,
      title: `Page ${number}`,
      description: "",
      markdown: markdownOf(number),
      publishedAt: null,
      seenAt: number,
    }),
  );
  await Promise.all(stored);
  return storage;
}

test("a search whose results are mostly left out does not rank the pages again and again", async () => {
  const { index } = await storageOf(1500, (number) =>
    number === 1234 ? "Kettles, nothing else." : "Kettles, and tea.",
  );
  const terms = parseSearchQuery("kettles -tea");
  const search = () => index?.search({ team: "team", terms, limit: 5 });
  await search();
  const all = vi.spyOn(StatementSync.prototype, "all");
  onTestFinished(() => all.mockRestore());
  expect(await search()).toMatchObject([{ url: "http://site.example/1234" }]);
  expect(all.mock.calls.length).toBeLessThan(10);
}, 20_000);

test("the first search after a crawl of long pages lets others read in between", async () => {
  const words = Array.from({ length: 25_000 }, (_, number) => `word${number % 997}`).join(" ");
  const { index, jobs } = await storageOf(50, () => words);
  let isSearching = true;
  // Nothing is found, so that nothing but the indexing takes time.
  const search = index?.search({ team: "team", terms: parseSearchQuery("teapots"), limit: 5 }).finally(() => {
    isSearching = false;
  });
  let reads = 0;
  for (; isSearching; reads++) await jobs.getJob(randomUUID(), Date.now());
  expect(await search).toEqual([]);
  expect(reads).toBeGreaterThan(10);
});

test("words deleted from the index leave a row number behind that newer versions of Node tell only as a bigint", async () => {
  const original = StatementSync.prototype.run;
  const run = vi.spyOn(StatementSync.prototype, "run").mockImplementation(function (this: StatementSync, ...values) {
    const told = original.apply(this, values);
    // As Node 26 does.
    if (typeof told.lastInsertRowid === "number" && !Number.isSafeInteger(told.lastInsertRowid)) {
      throw new RangeError("Value is too large to be represented as a JavaScript number");
    }
    return told;
  });
  onTestFinished(() => run.mockRestore());
  const { index } = await storageOf(2, (number) => `Kettle ${number}.`);
  const search = (words: string) => index?.search({ team: "team", terms: parseSearchQuery(words), limit: 5 });
  expect(await search("kettle")).toHaveLength(2);
  // In one transaction, and the one with the higher number first: that is when words are deleted at once.
  const again = [1, 0].map((number) => {
    const [key, url] = [`page ${number}`, `http://site.example/${number}`];
    const page = { team: "team", key, url, title: "", description: "", publishedAt: null, seenAt: 7 };
    return index?.put({ ...page, markdown: "Teapot." });
  });
  await Promise.all(again);
  expect(await search("teapot")).toHaveLength(2);
  expect(await search("kettle")).toEqual([]);
}, 20_000);
