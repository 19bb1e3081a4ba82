/** Whatever concerns a job when its engine closes does not open the storage again: nobody would close it. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { type JobStore, memoryStorage } from "../src/index.ts";
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

test.each(["its handle", "its signal"])(
  "a job that is cancelled by %s as the engine closes is cancelled before that",
  async (how) => {
    const { url } = await site({ "/": page("home") });
    const memory = memoryStorage();
    /** What was asked of the storage after it had been closed, and only that. */
    let late: string[] = [];
    const jobs = new Proxy(memory.jobs, {
      get(target, name: keyof JobStore) {
        const method = (target[name] as (...values: unknown[]) => unknown).bind(target);
        return async (...values: unknown[]) => {
          late.push(name);
          await delay(10);
          return method(...values);
        };
      },
    });
    const close = async () => {
      late = [];
    };
    const engine = engineFor({ storage: { ...memory, jobs, close }, work: false });
    const leaving = new AbortController();
    const job = await engine.batchScrape({ urls: [url] }, { signal: leaving.signal });
    if (how === "its signal") leaving.abort();
    else void job.cancel();
    await engine.close();
    expect(await memory.jobs.getJob(job.id, Date.now())).toMatchObject({ state: "cancelled" });
    expect(late).toEqual([]);
  },
);
