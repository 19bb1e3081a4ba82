/** The search index of SQLite: each look at it ranks all pages that match, so a search takes few. */
import { StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseSearchQuery } from "../src/contract/search-terms.ts";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";

test("a search whose results are mostly left out does not rank the pages again and again", async () => {
  const storage = sqliteStorage({ path: ":memory:" });
  onTestFinished(() => storage.close());
  const { index } = storage;
  const stored = Array.from({ length: 1500 }, (_, number) =>
    index?.put({
      team: "team",
      key: `page ${number}`,
      url: `http://site.example/${number}`,
      title: `Page ${number}`,
      description: "",
      markdown: number === 1234 ? "Kettles, nothing else." : "Kettles, and tea.",
      publishedAt: null,
      seenAt: number,
    }),
  );
  await Promise.all(stored);
  const terms = parseSearchQuery("kettles -tea");
  const search = () => index?.search({ team: "team", terms, limit: 5 });
  await search();
  const all = vi.spyOn(StatementSync.prototype, "all");
  onTestFinished(() => all.mockRestore());
  expect(await search()).toMatchObject([{ url: "http://site.example/1234" }]);
  expect(all.mock.calls.length).toBeLessThan(10);
}, 20_000);
