/** A SQLite file on a disk that fails: calls are told so, none hangs, and later ones work. */
import { StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";

test("a change that can be neither kept nor undone fails, and the next one is kept", async () => {
  const storage = sqliteStorage({ path: ":memory:" });
  onTestFinished(() => storage.close());
  const index = storage.index!;
  const put = (key: string) =>
    index.put({
      team: "team",
      key,
      url: `http://site.example/${key}`,
      title: key,
      description: "",
      markdown: "A kettle.",
      publishedAt: null,
      seenAt: 7,
    });
  await put("before");
  const failing = new Set(["COMMIT", "ROLLBACK"]);
  const original = StatementSync.prototype.run;
  const run = vi.spyOn(StatementSync.prototype, "run").mockImplementation(function (this: StatementSync, ...values) {
    if (failing.delete(this.sourceSQL)) throw new Error(`disk I/O error at ${this.sourceSQL}`);
    return original.apply(this, values);
  });
  onTestFinished(() => run.mockRestore());
  await expect(put("lost")).rejects.toThrow("disk I/O error at COMMIT");
  expect(failing).toEqual(new Set());
  await put("after");
  const found = await index.search({ team: "team", terms: parseSearchQuery("kettle"), limit: 5 });
  expect(found.map(({ title }) => title).toSorted()).toEqual(["after", "before"]);
}, 20_000);
