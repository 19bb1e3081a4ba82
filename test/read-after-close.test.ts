/** Who reads a job when its engine closes gets an error, and does not open the storage again: nobody would close it. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test("an iterator ends with its engine, and leaves the database closed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crawlcore-read-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "crawl.db");
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const engine = engineFor({ storage: sqliteStorage({ path }) });
  const urls = Array.from({ length: 120 }, (_, number) => `${url}/${number}`);
  const job = await engine.batchScrape({ urls });
  expect((await job.wait()).completed).toBe(120);
  let seen = 0;
  const iterate = async (): Promise<void> => {
    for await (const _ of job) if (++seen === 1) await engine.close();
  };
  await expect(iterate()).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
  expect(seen).toBeLessThan(120);
  // The log is there while the database is open.
  expect(existsSync(`${path}-wal`)).toBe(false);
});
