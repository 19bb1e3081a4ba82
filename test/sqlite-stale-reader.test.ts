/** A process that stops in the middle of reading gets nothing that belongs to another team, whatever happens meanwhile. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { parseSearchQuery } from "../src/shared/search-terms.ts";
import { newJob, newPages, succeeded } from "../src/testing/storage-cases/storage-case.ts";

const source = (file: string) => JSON.stringify(new URL(`../src/${file}`, import.meta.url).href);

/** This process stands still while another one does something in the same file. */
function standStillWhile(does: string): void {
  const program = `
    import { sqliteStorage } from ${source("drivers/sqlite/index.ts")};
    import { newJob, newPages, succeeded } from ${source("testing/storage-cases/storage-case.ts")};
    const { jobs, index, close } = sqliteStorage({ path: process.argv[1], maxIndexBytes: ${maxIndexBytes} });
    ${does}
    await close();`;
  expect(spawnSync(process.execPath, ["--input-type=module", "-e", program, path]).status).toBe(0);
}

const maxIndexBytes = 40_000;
const claim = { worker: "w", count: 12, now: 1, leaseUntil: 2 };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "crawlcore-stale-"));
  path = join(folder, "crawl.db");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("results that were erased while they were read are not replaced by another job's", async () => {
  const { jobs, close } = sqliteStorage({ path });
  const document = JSON.stringify("own ".repeat(200_000));
  await jobs.createJob(newJob({ id: "erased" }), newPages(12), []);
  for (const { lease } of await jobs.claimPages("erased", claim)) {
    await jobs.completePage(lease, succeeded({ document }));
  }
  await jobs.closeJob("erased", { state: "completed", finishedAt: 1, expiresAt: 9e12, outbox: [] });
  const reading = jobs.readResults("erased", { skip: 0, limit: 100, maxBytes: 1e9 });
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  standStillWhile(`
    await jobs.eraseResults("erased");
    await jobs.createJob(newJob({ id: "next", team: "team-b" }), newPages(12), []);
    const pages = await jobs.claimPages("next", ${JSON.stringify(claim)});
    for (const { lease } of pages) await jobs.completePage(lease, succeeded({ document: '"secret"' }));`);
  const { results } = await reading;
  expect(results.filter((result) => result.document !== document)).toEqual([]);
  expect(results.length).toBeLessThan(12);
  await close();
});

test("a page that was deleted while it was searched is not described by the text of another team's", async () => {
  const { index, close } = sqliteStorage({ path, maxIndexBytes });
  const page = { team: "team-a", title: "kettle", description: "own", publishedAt: null, seenAt: 1 };
  const last = { ...page, key: "last", url: "https://last.example/" };
  for (let number = 0; number < 30; number += 1) {
    await index!.put({ ...page, key: `${number}`, url: `https://example.com/${number}`, markdown: "kettle" });
  }
  await index!.put({ ...last, markdown: `kettle ${"word ".repeat(100)}` });
  const query = { team: "team-a", terms: parseSearchQuery("kettle"), limit: 100 };
  expect(await index!.search(query)).toHaveLength(31);
  const searching = index!.search(query);
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  standStillWhile(`
    const last = ${JSON.stringify(last)};
    await index.put({ ...last, markdown: "too long ".repeat(${maxIndexBytes}) });
    await index.put({ ...last, team: "team-b", url: "https://b.example/", markdown: "secret kettle" });`);
  const found = await searching;
  expect(found).toHaveLength(31);
  expect(found.at(-1)).toEqual({ url: last.url, title: "kettle", description: "own" });
  await close();
});
