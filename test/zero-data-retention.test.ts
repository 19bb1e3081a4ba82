/** Zero data retention, proven by looking: after the job no byte of its pages or URLs is in any file or log line. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { sqliteStorage } from "../src/drivers/sqlite/index.ts";
import { type JobEvent, type Logger, memoryStorage, type StatusPage } from "../src/index.ts";
import { hostile } from "../src/testing/index.ts";
import { httpServer } from "./network-server.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** Words that occur nowhere else; in UTF-8 and UTF-16 they are looked for in every file. */
const secrets = ["Zirkumflexnachtigall", "geheimpfad-4711", "kellertreppe-0815", "Quastenflosserbericht", "tagebuch"];

async function filesHold(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
    for (const word of words) {
      if (bytes.includes(word) || bytes.includes(Buffer.from(word, "utf16le"))) found.push(`${word} in ${name}`);
    }
  }
  return found;
}

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "crawlcore-retention-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const log: string[] = [];
  const write = (message: string, fields?: object) => void log.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: write, info: write, warn: write, error: write };
  const server = await site({
    "/": page("Zirkumflexnachtigall", ["/geheimpfad-4711", "/kellertreppe-0815", "/tagebuch.zip", "/nirgends"]),
    "/geheimpfad-4711": page("Quastenflosserbericht ".repeat(2000), ["/"]),
    "/kellertreppe-0815": hostile("/reset-before-headers"),
    "/nirgends": { status: 404, body: page("Quastenflosserbericht") },
  });
  const events: JobEvent[] = [];
  const engine = engineFor({
    storage: sqliteStorage({ path: join(folder, "crawl.db") }),
    logger,
    events: { emit: (event) => void events.push(event) },
    webhooks: { retryDelays: [] },
  });
  return { folder, log, server, engine, events };
}

test("a crawl leaves no trace once it was read to the end", async () => {
  const { folder, log, server, engine, events } = await setUp();
  const request = {
    url: server.url,
    zeroDataRetention: true,
    // A webhook that does not take anything: what it was sent must not stay as a failed delivery.
    webhook: `${server.url}/kellertreppe-0815`,
    scrapeOptions: { formats: ["markdown", "html", "rawHtml", "links", "changeTracking"] as const, maxAge: 1000 },
  };
  const job = await engine.crawl(request);
  // The look itself works: while the job runs, its pages are there.
  await vi.waitFor(async () => expect((await filesHold(folder, secrets)).length).toBeGreaterThan(0), {
    interval: 5,
    timeout: 20_000,
  });
  await vi.waitFor(() => expect(events.at(-1)?.type).toBe("crawl.completed"), { timeout: 20_000 });
  const { data } = await job.wait();
  expect(data.some(({ markdown }) => markdown?.includes("Quastenflosserbericht"))).toBe(true);
  await vi.waitFor(async () => expect(await filesHold(folder, secrets)).toEqual([]), {
    timeout: 20_000,
    interval: 100,
  });
  expect(log.filter((line) => secrets.some((word) => line.includes(word)))).toEqual([]);
  expect(await engine.getCrawlStatus(job.id)).toMatchObject({ status: "completed", data: [] });
  expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: data.length * 2 - 2 }]);
  await engine.close();
  expect(await filesHold(folder, secrets)).toEqual([]);
});

test("nor does a crawl whose webhook takes its time, once all is delivered", async () => {
  const { folder, server, engine } = await setUp();
  let taken = 0;
  const receiver = await httpServer((request, response) => {
    request.resume();
    setTimeout(() => {
      taken++;
      response.end();
    }, 150);
  });
  const webhook = receiver.url();
  const urls = [server.url, `${server.url}/geheimpfad-4711`, `${server.url}/nirgends`];
  const { status } = await (await engine.batchScrape({ urls, webhook, zeroDataRetention: true })).wait();
  expect(status).toBe("completed");
  await vi.waitFor(() => expect(taken).toBe(5), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await filesHold(folder, secrets)).toEqual([]), {
    timeout: 20_000,
    interval: 100,
  });
});

test.each([
  ["memory", () => memoryStorage()],
  ["SQLite", () => sqliteStorage({ path: ":memory:" })],
])("documents stay until they were read; then the job takes no more: %s", async (_, create) => {
  const added = Promise.withResolvers<void>();
  const { url } = await site({
    "*": ({ url }) => page(url.pathname),
    "/a": async () => {
      await added.promise;
      return page("a");
    },
  });
  const engine = engineFor({ storage: create() });
  const urls = [`${url}/a`, `${url}/b`];
  const { id } = await engine.batchScrape({ urls, zeroDataRetention: true });
  await engine.batchScrape({ urls: [`${url}/c`], appendToId: id });
  added.resolve();
  const status = () => engine.getBatchScrapeStatus(id, { skip: 100 });
  await vi.waitFor(async () => expect((await status()).status).toBe("completed"), { timeout: 20_000 });
  const { data, creditsUsed } = await engine.getBatchScrapeStatus(id);
  expect([data.length, creditsUsed]).toEqual([3, 6]);
  expect((await engine.getBatchScrapeStatus(id)).data).toEqual([]);
  await expect(engine.batchScrape({ urls, appendToId: id })).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await engine.search({ query: "enough page content" })).data).toEqual([]);
});

test("documents that nobody has read stay, though the last ones were read", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const engine = engineFor();
  const urls = ["/a", "/b", "/c", "/d"].map((path) => url + path);
  const { id } = await engine.batchScrape({ urls, zeroDataRetention: true });
  const read = async (part: StatusPage) => (await engine.getBatchScrapeStatus(id, part)).data.length;
  await vi.waitFor(async () => expect((await engine.getBatchScrapeStatus(id, { skip: 9 })).status).toBe("completed"), {
    timeout: 20_000,
  });
  expect(await read({ skip: 3 })).toBe(1);
  expect(await read({ skip: 1, limit: 1 })).toBe(1);
  expect(await read({ skip: 3 })).toBe(1);
  expect(await read({ skip: 0, limit: 2 })).toBe(2);
  expect(await read({ skip: 2, limit: 1 })).toBe(1);
  expect(await read({ skip: 0 })).toBe(0);
});

test("nor does a batch that expires unread, or a single scrape", async () => {
  const { folder, log, server, engine } = await setUp();
  await engine.scrape({ url: `${server.url}/geheimpfad-4711`, zeroDataRetention: true, maxAge: 1000 });
  await expect(
    engine.scrape({ url: `${server.url}/kellertreppe-0815`, zeroDataRetention: true }),
  ).rejects.toMatchObject({ code: "SCRAPE_SITE_ERROR" });
  expect(await filesHold(folder, secrets)).toEqual([]);
  const brief = engineFor({
    storage: sqliteStorage({ path: join(folder, "brief.db") }),
    limits: { jobTtlMs: 500 },
  });
  await brief.batchScrape({ urls: [server.url, `${server.url}/geheimpfad-4711`], zeroDataRetention: true });
  await vi.waitFor(async () => expect((await filesHold(folder, secrets)).length).toBeGreaterThan(0), {
    interval: 5,
    timeout: 20_000,
  });
  await vi.waitFor(async () => expect(await filesHold(folder, secrets)).toEqual([]), {
    timeout: 20_000,
    interval: 100,
  });
  expect(log.filter((line) => secrets.some((word) => line.includes(word)))).toEqual([]);
});

test("nor does one whose webhook nobody took before it expired", async () => {
  const { folder, server } = await setUp();
  const engine = engineFor({
    storage: sqliteStorage({ path: join(folder, "brief.db") }),
    limits: { jobTtlMs: 1000 },
    // The last attempt comes when the batch has been removed.
    webhooks: { retryDelays: [5000] },
  });
  const dead = await httpServer((_, response) => void response.writeHead(503).end());
  const webhook = { url: dead.url(), events: ["page"] as const };
  await engine.batchScrape({ urls: [`${server.url}/geheimpfad-4711`], webhook, zeroDataRetention: true });
  await vi.waitFor(async () => expect((await filesHold(folder, secrets)).length).toBeGreaterThan(0), {
    interval: 5,
    timeout: 20_000,
  });
  await vi.waitFor(async () => expect(await filesHold(folder, secrets)).toEqual([]), {
    timeout: 20_000,
    interval: 200,
  });
  expect((await engine.getFailedDeliveries()).deliveries).toEqual([]);
});

test("who is in the middle of a job reads on when another has read it to the end; then it is erased", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const engine = engineFor();
  // More than are read from a storage at once.
  const urls = Array.from({ length: 120 }, (_, index) => `${url}/${index}`);
  const job = await engine.batchScrape({ urls, zeroDataRetention: true });
  const reader = job[Symbol.asyncIterator]();
  await reader.next();
  const waited = await Promise.all([job.wait(), job.wait()]);
  expect(waited.map(({ data }) => data.length)).toEqual([120, 120]);
  expect(await Array.fromAsync(reader)).toHaveLength(119);
  await vi.waitFor(async () => expect((await engine.getBatchScrapeStatus(job.id, { limit: 1 })).data).toEqual([]), {
    timeout: 20_000,
  });
});

test("one who leaves in the middle does not keep it either", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [`${url}/a`, `${url}/b`], zeroDataRetention: true });
  const reader = job[Symbol.asyncIterator]();
  await reader.next();
  expect((await job.wait()).data).toHaveLength(2);
  await reader.return(undefined);
  await vi.waitFor(async () => expect((await engine.getBatchScrapeStatus(job.id, { limit: 1 })).data).toEqual([]), {
    timeout: 20_000,
  });
});
