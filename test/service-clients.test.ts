/** The service's published JavaScript client works with the example servers: jobs, paging, search, extract, errors. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { promisify } from "node:util";
import { serve as listenHono } from "@hono/node-server";
import FirecrawlApp, { type CrawlWatcher } from "@mendable/firecrawl-js";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { serve as serveFastify } from "../examples/fastify-server.ts";
import { serve as serveHono } from "../examples/hono-server.ts";
import { watchJobs } from "../examples/watch-jobs.ts";
import type { CallContext, Engine, EngineOptions } from "../src/index.ts";
import { fakeModel, type TestExchange } from "../src/testing/index.ts";
import { freePort } from "./free-port.ts";
import { engineFor, noPage, page, site } from "./start-engine.ts";

type Listen = (engine: Engine, keys: ReadonlyMap<string, CallContext>, port: number) => Promise<() => Promise<void>>;

const frameworks: readonly (readonly [string, Listen])[] = [
  [
    "Fastify",
    async (engine, keys, port) => {
      const server = serveFastify(engine, keys);
      const stopWatches = watchJobs(server.server, engine, keys);
      await server.listen({ port, host: "127.0.0.1" });
      return async () => {
        stopWatches();
        await server.close();
      };
    },
  ],
  [
    "Hono",
    async (engine, keys, port) => {
      const { fetch } = serveHono(engine, keys);
      const server = await new Promise<Server>((resolve) => {
        const started = listenHono({ fetch, port, hostname: "127.0.0.1" }, () => resolve(started as Server));
      });
      const stopWatches = watchJobs(server, engine, keys);
      return () => {
        stopWatches();
        return promisify(server.close.bind(server))();
      };
    },
  ],
];

const routes = {
  "/": page("home", ["/a", "/b", "/picture"]),
  "/a": page("a"),
  "/b": page("b"),
  "/picture": noPage,
  "/slow": page("slow", ["/never"]),
  "/never": { delay: 60_000, body: "late" },
};

/** What the client's events carry; it does not say so itself. */
interface Watched {
  readonly status?: string;
  readonly metadata?: { readonly sourceURL?: string };
}

/** A page that never comes, and whether somebody still waits for it. */
function heldPage() {
  const held = { asked: false, gone: false };
  const answer = ({ signal }: TestExchange) =>
    new Promise<undefined>((resolve) => {
      held.asked = true;
      signal.addEventListener("abort", () => {
        held.gone = true;
        resolve(undefined);
      });
    });
  return { held, answer };
}

async function start(listen: Listen, options: EngineOptions = {}) {
  const { held, answer } = heldPage();
  const server = await site({ ...routes, "/held": answer });
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const engine = engineFor({
    publicUrl: apiUrl,
    // Small, so that a status comes in several chunks.
    limits: { statusChunkBytes: 1200 },
    model: fakeModel({ title: "home" }),
    search: {
      name: "list",
      search: async ({ limit }) =>
        ["/a", "/b"].slice(0, limit).map((path) => ({ url: server.url + path, title: path, description: "A page" })),
    },
    billing: {
      authorize: ({ team }) => (team === "poor" ? { allowed: false, reason: "none left" } : { allowed: true }),
      charge() {},
    },
    ...options,
  });
  const keys = new Map([
    ["key-a", { team: "a", apiKey: "key-a" }],
    ["key-b", { team: "b", apiKey: "key-b" }],
    ["key-poor", { team: "poor", apiKey: "key-poor" }],
  ]);
  const stop = await listen(engine, keys, port);
  onTestFinished(() => void stop().catch(() => {}));
  const app = (apiKey: string) => new FirecrawlApp({ apiKey, apiUrl });
  return { url: server.url, apiUrl, engine, app, held, stop };
}

describe.each(frameworks)("on %s", (_, listen) => {
  test("scrape, map and search", async () => {
    const { url, app } = await start(listen);
    const client = app("key-a");
    const scraped = await client.scrapeUrl(url, { formats: ["markdown", "links"], timeout: 60_000 });
    expect(scraped).toMatchObject({ success: true, metadata: { statusCode: 200, title: "home" } });
    expect(scraped.success && scraped.markdown).toContain("# home");
    expect(await client.mapUrl(url)).toMatchObject({
      success: true,
      links: expect.arrayContaining([`${url}/a`, `${url}/b`]),
    });
    const found = await client.search("pages", { limit: 1 });
    expect(found).toMatchObject({ success: true, data: [{ url: `${url}/a`, title: "/a", description: "A page" }] });
    const read = await client.search("pages", { scrapeOptions: { formats: ["markdown"] } });
    expect(read.data.map(({ markdown }) => markdown?.split("\n")[0])).toEqual(["# a", "# b"]);
  });

  test("crawl and batch scrape are awaited, over several chunks", async () => {
    const { url, app } = await start(listen);
    const client = app("key-a");
    const [crawl, batch] = await Promise.all([
      client.crawlUrl(url, { limit: 10, scrapeOptions: { formats: ["markdown", "html"] } }),
      client.batchScrapeUrls([url, `${url}/a`, `${url}/b`], { formats: ["markdown", "rawHtml"] }),
    ]);
    expect(crawl).toMatchObject({ success: true, status: "completed", total: 4, completed: 3, creditsUsed: 3 });
    expect(crawl.success && crawl.data.length).toBe(4);
    const failed = crawl.success ? crawl.data.find(({ metadata }) => metadata?.error !== undefined) : undefined;
    expect(failed?.metadata).toMatchObject({ sourceURL: `${url}/picture`, statusCode: 0 });
    expect(batch).toMatchObject({ success: true, status: "completed", completed: 3 });
    expect(batch.success && batch.data.map(({ rawHtml }) => rawHtml?.length ?? 0).every((size) => size > 0)).toBe(true);
  });

  test("status by hand, page by page, and errors of a job", async () => {
    const { url, apiUrl, app, engine } = await start(listen);
    const client = app("key-a");
    const started = await client.asyncCrawlUrl(url, { limit: 10 });
    if (!started.success) throw new Error(started.error);
    expect(started).toMatchObject({
      success: true,
      id: expect.any(String),
      url: expect.stringContaining("/v1/crawl/"),
    });
    const id = started.id ?? "";
    while ((await engine.getCrawlStatus(id, {}, { team: "a" })).status === "scraping") {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const all = await client.checkCrawlStatus(id, true);
    expect(all).toMatchObject({ success: true, status: "completed", completed: 3, expiresAt: expect.any(Date) });
    expect(all.success && all.data).toHaveLength(4);
    const first = await client.checkCrawlStatus(id, false, undefined, 0, 1);
    expect(first.success && [first.data.length, typeof first.next]).toEqual([1, "string"]);
    const second = await client.checkCrawlStatus(id, false, first.success ? first.next : "");
    expect(second.success && second.data[0]).toEqual(all.success && all.data[1]);
    const problems = await client.checkCrawlErrors(id);
    expect(problems).toMatchObject({
      errors: [
        {
          url: `${url}/picture`,
          code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
          id: expect.any(String),
          timestamp: expect.any(String),
        },
      ],
      robotsBlocked: [],
    });
    const headers = { authorization: "Bearer key-a" };
    const refused = await fetch(`${apiUrl}/v1/crawl/${id}?skip=some`, { headers });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { details: [{ path: ["skip"], message: expect.stringMatching(/number.*string/) }] },
    ]);
    const batch = await client.asyncBatchScrapeUrls([url, `${url}/picture`], { formats: ["markdown"] });
    const batchId = (batch.success && batch.id) || "";
    while ((await engine.getBatchScrapeStatus(batchId, {}, { team: "a" })).status === "scraping") {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await client.checkBatchScrapeStatus(batchId, true)).toMatchObject({
      success: true,
      status: "completed",
      total: 2,
      completed: 1,
    });
    expect(await client.checkBatchScrapeErrors(batchId)).toMatchObject({ errors: [{ url: `${url}/picture` }] });
    await expect(app("key-b").checkCrawlStatus(id)).rejects.toMatchObject({ message: expect.stringContaining("404") });
  });

  test("cancel, and active crawls by the plain interface", async () => {
    const { url, apiUrl, app } = await start(listen);
    const client = app("key-a");
    const started = await client.asyncCrawlUrl(`${url}/slow`, { crawlEntireDomain: true } as object);
    const id = (started.success && started.id) || "";
    const get = async (path: string) =>
      (await fetch(apiUrl + path, { headers: { authorization: "Bearer key-a" } })).json() as Promise<{
        crawls: object[];
      }>;
    expect((await get("/v1/crawl/active")).crawls).toMatchObject([{ id, teamId: "a" }]);
    expect(await client.cancelCrawl(id)).toMatchObject({ success: true, status: "cancelled" });
    expect((await get("/v1/crawl/active")).crawls).toEqual([]);
    const status = await client.checkCrawlStatus(id);
    expect(status).toMatchObject({ success: true, status: "cancelled" });
  });

  test("crawls and batches are watched to their end, over several chunks", async () => {
    const { url, app } = await start(listen);
    const watched = async (watcher: CrawlWatcher) => {
      const documents: Watched[] = [];
      watcher.addEventListener("document", ({ detail }) => void documents.push(detail));
      const end = await new Promise<CustomEvent<Watched>>((resolve) => {
        watcher.addEventListener("done", resolve);
        watcher.addEventListener("error", resolve);
      });
      watcher.close();
      return { end: end.type, detail: end.detail, urls: documents.map(({ metadata }) => metadata?.sourceURL) };
    };
    const crawl = await watched(await app("key-a").crawlUrlAndWatch(url, { limit: 10 }));
    expect(crawl).toMatchObject({ end: "done", detail: { status: "completed" } });
    expect(crawl.urls.sort()).toEqual([url, `${url}/a`, `${url}/b`, `${url}/picture`]);
    const batch = await watched(await app("key-a").batchScrapeUrlsAndWatch([`${url}/b`, `${url}/a`]));
    expect(batch.urls.sort()).toEqual([`${url}/a`, `${url}/b`]);
  });

  test("watching ends with the reason if there is nothing to watch, or the job is cancelled", async () => {
    const { url, apiUrl, engine } = await start(listen);
    const messages = async (id: string, key: string) => {
      const socket = new WebSocket(`${apiUrl.replace("http", "ws")}/v1/crawl/${id}`, key);
      const received: unknown[] = [];
      socket.onmessage = ({ data }) => received.push(JSON.parse(data));
      const end = await new Promise<CloseEvent | Event>((resolve) => {
        socket.onclose = resolve;
        socket.onerror = resolve;
      });
      return { received, closed: end.type === "close" };
    };
    const { id } = await engine.crawl({ url: `${url}/slow`, crawlEntireDomain: true }, { team: "a" });
    const cancelled = messages(id, "key-a");
    await engine.cancelCrawl(id, { team: "a" });
    expect(await cancelled).toMatchObject({
      received: [{ type: "catchup", data: { success: true, data: [] } }, { type: "error" }],
      closed: true,
    });
    expect(await messages(id, "key-b")).toEqual({
      received: [{ type: "error", error: "Job not found" }],
      closed: true,
    });
    expect(await messages(id, "key-unknown")).toEqual({ received: [], closed: false });
    expect(await messages("a/b", "key-a")).toEqual({ received: [], closed: false });
  });

  test("a path that does not exist answers in the service's shape", async () => {
    const { apiUrl } = await start(listen);
    const answer = await fetch(`${apiUrl}/v1/no-such?key=value`, { method: "POST" });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { success: false, error: "There is no POST /v1/no-such" },
    ]);
  });

  test("asking for the head of what may be read once does not erase it", async () => {
    const { url, apiUrl, engine } = await start(listen);
    const job = await engine.batchScrape({ urls: [url], zeroDataRetention: true }, { team: "a" });
    const ask = (method: string) =>
      fetch(`${apiUrl}/v1/batch/scrape/${job.id}`, { method, headers: { authorization: "Bearer key-a" } });
    expect((await ask("HEAD")).status).toBe(404);
    // Read while it runs, too, so that the first answer of the ended job is the one that is looked at.
    const read = async () => (await ask("GET")).json();
    await expect.poll(read).toMatchObject({ status: "completed", data: [{ markdown: expect.any(String) }] });
  });

  test("a client that is refused as it watches occupies nothing, whether it resets its connection or keeps it open", async () => {
    const { apiUrl } = await start(listen);
    const { port } = new URL(apiUrl);
    const uncaught = vi.fn();
    process.on("uncaughtException", uncaught);
    onTestFinished(() => void process.off("uncaughtException", uncaught));
    const refused = () => {
      const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {});
      socket.write("GET /v1/crawl/a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      return socket;
    };
    const kept = refused().resume();
    onTestFinished(() => void kept.destroy());
    const closed = once(kept, "end");
    for (let count = 0; count < 20; count += 1) {
      const socket = refused();
      await once(socket, "connect");
      socket.resetAndDestroy();
    }
    await closed;
    // What is sent to a connection that has been closed for good is answered with a reset.
    await vi.waitFor(
      () => {
        kept.write("still there?");
        expect(kept.destroyed).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(uncaught).not.toHaveBeenCalled();
  });

  test("a client that goes away ends its watch", async () => {
    const { url, apiUrl, engine } = await start(listen);
    const asked = vi.spyOn(engine, "getCrawlStatus");
    const job = await engine.crawl({ url: `${url}/slow`, crawlEntireDomain: true }, { team: "a" });
    const socket = new WebSocket(`${apiUrl.replace("http", "ws")}/v1/crawl/${job.id}`, "key-a");
    await new Promise((resolve) => {
      socket.onmessage = resolve;
    });
    socket.close();
    const before = asked.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(asked.mock.calls.length).toBe(before);
    await job.cancel();
  });

  test("a server that is closed ends the watches", async () => {
    const { url, apiUrl, engine, stop } = await start(listen);
    const job = await engine.crawl({ url: `${url}/slow`, crawlEntireDomain: true }, { team: "a" });
    const socket = new WebSocket(`${apiUrl.replace("http", "ws")}/v1/crawl/${job.id}`, "key-a");
    await once(socket, "message");
    const closed = once(socket, "close");
    await stop();
    expect(await closed).toMatchObject([{ code: 1001 }]);
  });

  test("extract", async () => {
    const { url, app } = await start(listen);
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const answer = await app("key-a").extract([url], { prompt: "the title", schema, showSources: true });
    expect(answer).toMatchObject({ success: true, data: { title: "home" } });
  });

  test("usage by key", async () => {
    const { url, apiUrl, app } = await start(listen);
    await app("key-a").scrapeUrl(url);
    const usage = async (query: string, key: string) =>
      (await fetch(`${apiUrl}/v1/team/${query}`, { headers: { authorization: `Bearer ${key}` } })).json();
    expect(await usage("credit-usage/historical?byApiKey=true", "key-a")).toMatchObject({
      success: true,
      periods: [{ apiKey: "key-a", totalCredits: 1 }],
    });
    expect(await usage("credit-usage/historical?byApiKey=false", "key-a")).toMatchObject({
      periods: [{ apiKey: null, totalCredits: 1 }],
    });
    expect(await usage("token-usage/historical", "key-b")).toEqual({ success: true, periods: [] });
    for (const query of ["byApiKey=True", "byApiKey=1", "byApiKey=", "byKey=true"]) {
      expect(await usage(`credit-usage/historical?${query}`, "key-a")).toMatchObject({
        success: false,
        code: "BAD_REQUEST",
        details: [{ path: query.startsWith("byApiKey") ? ["byApiKey"] : [] }],
      });
    }
  });

  test("errors reach the client with their status and what is wrong", async () => {
    const { url, apiUrl, app } = await start(listen);
    const client = app("key-a");
    await expect(client.scrapeUrl("ftp://x.test")).rejects.toMatchObject({
      statusCode: 400,
      details: [{ path: ["url"] }],
    });
    await expect(client.scrapeUrl(url, { fulPage: true } as object)).rejects.toThrow(/fulPage/);
    await expect(client.crawlUrl(url, { limit: -1 })).rejects.toMatchObject({ statusCode: 400 });
    await expect(client.scrapeUrl(`${url}/picture`)).rejects.toMatchObject({ statusCode: 500 });
    await expect(client.scrapeUrl(`${url}/never`, { timeout: 100 })).rejects.toMatchObject({ statusCode: 408 });
    await expect(app("key-poor").scrapeUrl(url)).rejects.toMatchObject({ statusCode: 402 });
    await expect(app("unknown").scrapeUrl(url)).rejects.toMatchObject({ statusCode: 401 });
    await expect(client.checkCrawlStatus("00000000-0000-4000-8000-000000000000")).rejects.toThrow("404");
    const post = (body: string) =>
      fetch(`${apiUrl}/v1/scrape`, {
        method: "POST",
        headers: { authorization: "Bearer key-a", "content-type": "application/json" },
        body,
      });
    const broken = await post("{");
    expect([broken.status, await broken.json()]).toEqual([400, { success: false, error: expect.stringMatching(/./) }]);
    const large = await post(`"${"x".repeat(10 * 1024 * 1024)}"`);
    expect([large.status, await large.json()]).toEqual([
      413,
      { success: false, error: expect.stringMatching(/large/) },
    ]);
    const answer = await post(JSON.stringify({ url: "http://10.0.0.1/" }));
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { success: false, error: expect.any(String), code: "FORBIDDEN_ADDRESS" },
    ]);
  });

  test("what the engine cannot do reaches the client with what it needs", async () => {
    const { url, app } = await start(listen, { browser: false, model: undefined });
    const json = app("key-a").scrapeUrl(url, { formats: ["json"], jsonOptions: { prompt: "the title" } });
    await expect(json).rejects.toThrow(/needs a language model/);
    await expect(app("key-a").scrapeUrl(url, { waitFor: 1000 })).rejects.toThrow(/needs a browser/);
  });

  test("a client that goes away stops its scrape", async () => {
    const { url, apiUrl, held } = await start(listen);
    const stop = new AbortController();
    const call = fetch(`${apiUrl}/v1/scrape`, {
      method: "POST",
      headers: { authorization: "Bearer key-a", "content-type": "application/json" },
      body: JSON.stringify({ url: `${url}/held`, timeout: 60_000 }),
      signal: stop.signal,
    });
    const outcome = call.catch(() => "gone");
    await vi.waitFor(() => expect(held.asked).toBe(true), { timeout: 20_000 });
    stop.abort();
    expect(await outcome).toBe("gone");
    await vi.waitFor(() => expect(held.gone).toBe(true), { timeout: 15_000 });
  });
});

test("a client that watches a job and does not read is cut off", async () => {
  const { url } = await site({ "/": { headers: { "content-type": "text/plain" }, body: "word ".repeat(4_000_000) } });
  const engine = engineFor({ network: { maxBodyBytes: 50_000_000 } });
  const job = await engine.batchScrape({ urls: [url] });
  await job.wait();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const stopWatches = watchJobs(server, engine, new Map([["key", {}]]), { patienceMs: 500 });
  onTestFinished(() => {
    stopWatches();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  socket
    .pause()
    .write(
      `GET /v1/crawl/${job.id} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: key\r\n\r\n",
    );
  const connections = promisify(server.getConnections.bind(server)) as () => Promise<number>;
  await vi.waitFor(async () => expect(await connections()).toBe(1), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 20_000 });
});
