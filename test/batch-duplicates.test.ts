/** A batch by the identity of its URLs: one page is scraped and billed once, and listed for every URL that asked for it. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { type Document, type JobEvent, memoryStorage, type Storage } from "../src/index.ts";
import type { TestSite } from "../src/testing/index.ts";
import { engineFor, noPage, page, site } from "./start-engine.ts";

/** What each entry says was asked for, without the site's address. */
function asked(data: readonly Document[], origin: string): string[] {
  return data.map(({ metadata }) => metadata.sourceURL?.replace(origin, "") ?? "");
}

const everyPage = () => site({ "*": ({ url }) => page(url.pathname) });
const requests = ({ received }: TestSite) => received.map(({ target }) => target).sort();

const storages: [string, () => Storage][] = [
  ["memory", memoryStorage],
  ["SQLite", () => sqliteStorage({ path: ":memory:" })],
];

describe.each(storages)("%s", (_, storage) => {
  test("spellings of one page are scraped and billed once, and listed as each was asked for", async () => {
    const server = await everyPage();
    const same = ["/a", "/a/", "/a#part", "/a/index.html", "/a?utm_source=x", "/a"];
    const alike = ["/b?x=1&y=2", "/b?y=2&x=1#end"];
    const routes = ["/c#/users", "/c#!/users", "/c", "/C"];
    const urls = [...same, ...alike, ...routes].map((path) => server.url + path);
    const job = await engineFor({ storage: storage() }).batchScrape({ urls });
    const read: string[] = [];
    for await (const { metadata } of job) read.push(metadata.sourceURL ?? "");
    const status = await job.wait();
    expect(status).toMatchObject({ status: "completed", total: 12, completed: 12, creditsUsed: 6 });
    expect(asked(status.data, server.url).sort()).toEqual([...same, ...alike, ...routes].sort());
    expect(read).toEqual(status.data.map(({ metadata }) => metadata.sourceURL));
    expect(requests(server)).toEqual(["/C", "/a", "/b?x=1&y=2", "/c", "/c", "/c"]);
    const found = status.data.filter(({ metadata }) => metadata.url === `${server.url}/a`);
    expect(asked(found, server.url)).toEqual(same);
    expect(new Set(found.map(({ metadata }) => metadata.scrapeId)).size).toBe(1);
    expect(new Set(found.map(({ markdown }) => markdown)).size).toBe(1);
  });

  test("the status gives them in parts as well, each with its own URL", async () => {
    const server = await everyPage();
    const engine = engineFor({ storage: storage() });
    const { id, ...job } = await engine.batchScrape({ urls: ["/a", "/a/", "/a#1"].map((path) => server.url + path) });
    expect(job.success).toBe(true);
    await expect.poll(async () => (await engine.getBatchScrapeStatus(id)).status).toBe("completed");
    const parts: string[][] = [];
    let next: string | null = null;
    do {
      const part = await engine.getBatchScrapeStatus(id, next === null ? { limit: 2 } : { next });
      parts.push(asked(part.data, server.url));
      next = part.next;
    } while (next !== null);
    expect(parts).toEqual([["/a", "/a/"], ["/a#1"]]);
  });

  test("a page that fails has failed for all of them, with one error and no charge", async () => {
    const { url } = await site({ "*": noPage });
    const engine = engineFor({ storage: storage() });
    const job = await engine.batchScrape({ urls: [`${url}/a`, `${url}/a/`, `${url}/a#1`] });
    const status = await job.wait();
    expect(status).toMatchObject({ status: "failed", total: 3, completed: 0, creditsUsed: 0 });
    expect(asked(status.data, url)).toEqual(["/a", "/a/", "/a#1"]);
    expect((await engine.getBatchScrapeErrors(job.id)).errors).toMatchObject([{ url: `${url}/a` }]);
  });

  test("a URL appended to a batch repeats the page that it is, done, running or waiting", async () => {
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    const server = await site({
      "*": async ({ url }) => {
        if (url.pathname === "/running") await held.promise;
        return page(url.pathname);
      },
    });
    const engine = engineFor({ storage: storage() });
    const urls = (...paths: string[]) => paths.map((path) => server.url + path);
    const job = await engine.batchScrape({ urls: urls("/done", "/running", "/waiting"), maxConcurrency: 1 });
    await expect.poll(() => server.requests.get("/running")).toBe(1);
    const more = urls("/waiting/", "/running#1", "/done/", "/done?utm_source=x", "/running/");
    await engine.batchScrape({ urls: more, appendToId: job.id });
    expect(await engine.getBatchScrapeStatus(job.id)).toMatchObject({ total: 8, completed: 3 });
    held.resolve();
    const status = await job.wait();
    expect(status).toMatchObject({ status: "completed", total: 8, completed: 8, creditsUsed: 3 });
    expect(asked(status.data, server.url)).toEqual([
      ...["/done", "/done/", "/done?utm_source=x"],
      ...["/running", "/running#1", "/running/"],
      ...["/waiting", "/waiting/"],
    ]);
    const again = await engine.batchScrape({ urls: urls("/done/index.php"), appendToId: job.id });
    const after = await again.wait();
    expect(after).toMatchObject({ status: "completed", total: 9, creditsUsed: 3 });
    expect(asked(after.data, server.url).at(-1)).toBe("/done/index.php");
    expect(server.received).toHaveLength(3);
  });

  test("a page that failed is tried again for another spelling of its URL", async () => {
    let isUp = false;
    const server = await site({ "*": () => (isUp ? page("up") : noPage) });
    const engine = engineFor({ storage: storage() });
    const job = await engine.batchScrape({ urls: [`${server.url}/a`] });
    await job.wait();
    isUp = true;
    await engine.batchScrape({ urls: [`${server.url}/a/`, `${server.url}/a`], appendToId: job.id });
    const status = await job.wait();
    expect(status).toMatchObject({ status: "completed", total: 3, completed: 2, creditsUsed: 1 });
    expect(asked(status.data, server.url)).toEqual(["/a", "/a/", "/a"]);
    expect(requests(server)).toEqual(["/a", "/a/"]);
  });

  test("one event for each page, with the URL that was asked for first", async () => {
    const { url } = await everyPage();
    const events: JobEvent[] = [];
    const engine = engineFor({ storage: storage(), events: { emit: (event) => void events.push(event) } });
    await (await engine.batchScrape({ urls: [`${url}/a#1`, `${url}/a`, `${url}/b`, `${url}/a/`] })).wait();
    await expect.poll(() => events.at(-1)?.type).toBe("batch_scrape.completed");
    const pages = events.filter(({ type }) => type === "batch_scrape.page").flatMap(({ data }) => data as Document[]);
    expect(asked(pages, url).sort()).toEqual(["/a#1", "/b"]);
  });
});

test("what was asked for outlives the process that was told", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-duplicates-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "batch.db");
  let isUp = false;
  const server = await site({ "*": ({ url }) => (isUp ? page(url.pathname) : { body: "", delay: 60_000 }) });
  const urls = ["/a/", "/a", "/b", "/b#2"].map((path) => server.url + path);
  const first = engineFor({ storage: sqliteStorage({ path }) });
  const { id } = await first.batchScrape({ urls });
  await expect.poll(() => server.received.length).toBe(2);
  await first.close();
  isUp = true;
  const second = engineFor({ storage: sqliteStorage({ path }) });
  expect(await second.resume()).toEqual({ resumed: [id] });
  await expect.poll(async () => (await second.getBatchScrapeStatus(id)).status).toBe("completed");
  const status = await second.getBatchScrapeStatus(id);
  expect(status).toMatchObject({ total: 4, completed: 4, creditsUsed: 2 });
  expect(asked(status.data, server.url).sort()).toEqual(["/a", "/a/", "/b", "/b#2"]);
});

test("with zero data retention no spelling of a URL is left in the file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-duplicates-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { url } = await everyPage();
  const engine = engineFor({ storage: sqliteStorage({ path: join(folder, "batch.db") }) });
  const job = await engine.batchScrape({ urls: [`${url}/a`, `${url}/a#Quastenflosser`], zeroDataRetention: true });
  const holds = async () => {
    const files = (await readdir(folder)).map((name) => readFile(join(folder, name)));
    return (await Promise.all(files)).some((bytes) => bytes.includes("Quastenflosser"));
  };
  expect(await holds()).toBe(true);
  const status = await job.wait();
  expect(asked(status.data, url)).toEqual(["/a", "/a#Quastenflosser"]);
  await expect.poll(holds).toBe(false);
});
