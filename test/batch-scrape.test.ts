/** A batch through the public door: invalid URLs, duplicates, further URLs, options. */
import net from "node:net";
import { expect, test, vi } from "vitest";
import { engineFor, noPage, page, paths, site } from "./start-engine.ts";

test("a batch scrapes its URLs and follows no links", async () => {
  const server = await site({ "*": ({ url }) => page(url.pathname, ["/linked"]) });
  const job = await engineFor().batchScrape({
    urls: [`${server.url}/a`, `${server.url}/b`],
    formats: ["markdown", "links"],
    onlyMainContent: false,
  });
  expect(JSON.parse(JSON.stringify(job))).toEqual({
    success: true,
    id: job.id,
    url: `crawlcore://engine/v1/batch/scrape/${job.id}`,
  });
  const status = await job.wait();
  expect(status).toMatchObject({ status: "completed", total: 2, completed: 2, creditsUsed: 2, next: null });
  expect(paths(status.data)).toEqual(["/a", "/b"]);
  expect(status.data[0]?.links).toEqual([`${server.url}/linked`]);
  expect(server.requests.get("/robots.txt")).toBeUndefined();
});

test("an invalid URL fails the request, all of them named", async () => {
  const call = engineFor().batchScrape({ urls: ["https://example.com", "notaurl", "ftp://x.example"] });
  await expect(call).rejects.toMatchObject({
    code: "BAD_REQUEST",
    statusCode: 400,
    details: [expect.objectContaining({ path: ["urls", 1] }), expect.objectContaining({ path: ["urls", 2] })],
  });
});

test("with ignoreInvalidURLs they are listed as typed; the array is there also when empty", async () => {
  const { url } = await site({ "*": page("a") });
  const engine = engineFor();
  const mixed = await engine.batchScrape({ urls: [url, "notaurl"], ignoreInvalidURLs: true });
  expect(JSON.parse(JSON.stringify(mixed))).toMatchObject({ invalidURLs: ["notaurl"] });
  expect((await mixed.wait()).total).toBe(1);
  const clean = await engine.batchScrape({ urls: [url], ignoreInvalidURLs: true });
  expect(clean.invalidURLs).toEqual([]);
  const none = await engine.batchScrape({ urls: ["notaurl"], ignoreInvalidURLs: true });
  expect(await none.wait()).toMatchObject({ status: "completed", total: 0, data: [] });
});

test("a duplicate is scraped and billed once, and listed each time it was asked for", async () => {
  const server = await site({ "*": ({ url }) => page(url.pathname) });
  const job = await engineFor().batchScrape({ urls: [`${server.url}/a`, `${server.url}/b`, `${server.url}/a`] });
  const status = await job.wait();
  expect(status).toMatchObject({ total: 3, completed: 3, creditsUsed: 2 });
  expect(paths(status.data)).toEqual(["/a", "/a", "/b"]);
  expect(server.requests.get("/a")).toBe(1);
});

test("URLs with other user names are other pages", async () => {
  const { url } = await site({ "/x": ({ request }) => page(request.headers.authorization ?? "nobody") });
  const as = (name: string) => url.replace("//", `//${name}:1@`);
  const status = await (
    await engineFor().batchScrape({ urls: [`${as("ann")}/x`, `${as("bob")}/x`, `${url}/x`, `${as("ann")}/x#part`] })
  ).wait();
  expect(status).toMatchObject({ total: 4, creditsUsed: 3 });
  expect(new Set(status.data.map(({ metadata }) => metadata.title)).size).toBe(3);
});

test("appendToId adds URLs to a batch, with the options of their own request, also after its end", async () => {
  const server = await site({ "*": ({ url }) => page(url.pathname, ["/x"]) });
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [`${server.url}/a`] });
  await job.wait();
  const more = await engine.batchScrape({
    urls: [`${server.url}/b`, `${server.url}/a`],
    formats: ["links"],
    onlyMainContent: false,
    appendToId: job.id,
  });
  expect(more.id).toBe(job.id);
  const status = await more.wait();
  expect(status).toMatchObject({ status: "completed", total: 3, completed: 3, creditsUsed: 3 });
  expect(paths(status.data)).toEqual(["/a", "/a", "/b"]);
  expect(status.data.map(({ links }) => links)).toEqual([undefined, [`${server.url}/x`], [`${server.url}/x`]]);
  const again = await engine.batchScrape({ urls: [`${server.url}/a`], appendToId: job.id });
  expect(await again.wait()).toMatchObject({ total: 4, completed: 4, creditsUsed: 3 });
  expect(server.requests.get("/a")).toBe(2);
  await expect(engine.batchScrape({ urls: [server.url], appendToId: crypto.randomUUID() })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(engine.batchScrape({ urls: [server.url], appendToId: job.id }, { team: "other" })).rejects.toMatchObject(
    { code: "NOT_FOUND" },
  );
});

test("a URL that failed is tried again when it is appended again", async () => {
  let isUp = false;
  const server = await site({ "/a": () => (isUp ? page("a") : noPage) });
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [`${server.url}/a`], timeout: 60_000 });
  expect(await job.wait()).toMatchObject({ status: "failed", total: 1, completed: 0 });
  const append = async () =>
    (await engine.batchScrape({ urls: [`${server.url}/a`], timeout: 60_000, appendToId: job.id })).wait();
  expect(await append()).toMatchObject({ status: "failed", total: 2, completed: 0 });
  isUp = true;
  expect(await append()).toMatchObject({ status: "completed", total: 3, completed: 1, creditsUsed: 1 });
  expect(await append()).toMatchObject({ status: "completed", total: 4, completed: 2, creditsUsed: 1 });
});

test("what belongs to the batch as a whole cannot be changed by appending, only repeated", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const engine = engineFor();
  const terms = { webhook: url, maxConcurrency: 2 };
  const job = await engine.batchScrape({ urls: [`${url}/a`], ...terms });
  await job.wait();
  const append = (more: object) => engine.batchScrape({ urls: [`${url}/b`], appendToId: job.id, ...more });
  await expect(append({ webhook: `${url}/other`, maxConcurrency: 3, zeroDataRetention: true })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ path: ["webhook"] }, { path: ["maxConcurrency"] }, { path: ["zeroDataRetention"] }],
  });
  expect((await engine.getBatchScrapeStatus(job.id)).total).toBe(1);
  expect((await (await append(terms)).wait()).total).toBe(2);
  expect((await (await engine.batchScrape({ urls: [], appendToId: job.id })).wait()).total).toBe(2);
});

test("URLs with long options are appended up to what a storage can keep with each of them", async () => {
  const { url } = await site({ "*": ({ url }) => page(url.pathname) });
  const engine = engineFor();
  const job = await engine.batchScrape({ urls: [] });
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, "x".repeat(16_000)]));
  const urls = Array.from({ length: 50 }, (_, index) => `${url}/${index}`);
  await expect(engine.batchScrape({ urls, headers, appendToId: job.id })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    details: [{ path: ["urls"], message: expect.stringContaining("at most 39 with options of this length") }],
  });
  expect((await engine.getBatchScrapeStatus(job.id)).total).toBe(0);
  const short = await engine.batchScrape({ urls, headers: { "x-0": "x" }, appendToId: job.id });
  expect((await short.wait()).completed).toBe(50);
});

test("an empty batch is completed at once; one that fails wholly has failed", async () => {
  const server = await site();
  const engine = engineFor();
  expect(await (await engine.batchScrape({ urls: [] })).wait()).toMatchObject({ status: "completed", total: 0 });
  server.stopListening();
  const job = await engine.batchScrape({ urls: [`${server.url}/gone`], timeout: 60_000 });
  const status = await job.wait();
  expect(status).toMatchObject({ status: "failed", total: 1, completed: 0, creditsUsed: 0 });
  expect((await engine.getBatchScrapeErrors(job.id)).errors).toHaveLength(1);
  expect(await engine.cancelBatchScrape(job.id)).toEqual({ success: true, status: "cancelled" });
});

test("a private address is refused page by page", async () => {
  const server = await site({ "/": page("secret") });
  const engine = engineFor({ network: { allowHosts: [] } });
  const job = await engine.batchScrape({ urls: [server.url] });
  expect((await job.wait()).status).toBe("failed");
  expect((await engine.getBatchScrapeErrors(job.id)).errors[0]?.code).toBe("FORBIDDEN_ADDRESS");
  expect(server.received).toHaveLength(0);
});

test("a host that asks for a pause holds up its own pages only", async () => {
  const busy = await site({
    "*": ({ count }) => (count === 1 ? { status: 429, headers: { "retry-after": "4" } } : page("busy")),
  });
  const { url } = await site({ "*": page("free") });
  const urls = (origin: string, count: number) => Array.from({ length: count }, (_, index) => `${origin}/${index}`);
  const engine = engineFor();
  // More of them than are leased at once.
  const job = await engine.batchScrape({ urls: [...urls(busy.url, 20), ...urls(url, 10)], maxConcurrency: 4 });
  await expect.poll(async () => (await engine.getBatchScrapeStatus(job.id)).completed, { timeout: 3000 }).toBe(10);
  await job.cancel();
});

test("a host that asks for a pause is left alone by the other pages too", async () => {
  const asked: { path: string; at: number }[] = [];
  const { url } = await site({
    "*": ({ url: { pathname: path } }) => {
      asked.push({ path, at: performance.now() });
      const isFirst = asked.length === 1;
      return isFirst ? { status: 503, headers: { "retry-after": "1" }, body: "later" } : { body: page(path) };
    },
  });
  const urls = ["/a", "/b", "/c"].map((path) => url + path);
  const job = await engineFor({ browser: false }).batchScrape({ urls, maxConcurrency: 1 });
  expect((await job.wait()).completed).toBe(3);
  expect(asked).toHaveLength(4);
  expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThan(900);
});

test("pages for which the process had no file descriptor are tried again, and say so if it has none for long", async () => {
  const { url } = await site({ "/a": page("a"), "/b": page("b") });
  const connect = net.connect.bind(net) as (...values: unknown[]) => net.Socket;
  let full = 0;
  const opened = vi.spyOn(net, "connect").mockImplementation((...values: unknown[]) => {
    if (full === 0) return connect(...values);
    full -= 1;
    return new net.Socket().destroy(Object.assign(new Error("connect EMFILE"), { code: "EMFILE" }));
  });
  const engine = engineFor();
  full = 1;
  const again = await (await engine.batchScrape({ urls: [`${url}/a`] })).wait();
  expect(again.data.map(({ metadata }) => [metadata.title, metadata.engine])).toEqual([["a", "http"]]);
  full = Number.POSITIVE_INFINITY;
  // Another engine has no open connection.
  const job = await engineFor().batchScrape({ urls: [`${url}/b`] });
  expect((await job.wait()).data[0]?.metadata.error).toMatch(
    /could not be opened, because too many are open \(EMFILE\)/,
  );
  expect(opened.mock.calls.length).toBeGreaterThanOrEqual(5);
});
