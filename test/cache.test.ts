/** The page cache: when a stored copy is used, when it is not, and what is said about it. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type Fetcher, memoryStorage, type PageCache, type SearchIndex } from "../src/index.ts";
import { httpServer } from "./network-server.ts";
import { engineFor, page, site } from "./start-engine.ts";

const day = 86_400_000;

/** A storage in whose cache all teams find the same pages, as a host may have it. */
function sharedByTeams() {
  const storage = memoryStorage();
  const cache: PageCache = {
    get: ({ key }) => storage.cache.get({ team: "all", key }),
    put: (entry) => storage.cache.put({ ...entry, team: "all" }),
  };
  return { ...storage, cache };
}

test("a copy that was left without markdown, or by another team, is found by a search once it was scraped as markdown", async () => {
  const server = await site({ "/": page("home") });
  const engine = engineFor({ storage: sharedByTeams() });
  const found = async (team: string) => (await engine.search({ query: "home", tbs: "qdr:h" }, { team })).data.length;
  await engine.scrape({ url: server.url, formats: ["links"] }, { team: "a" });
  expect(await found("a")).toBe(0);
  for (const team of ["a", "b"]) {
    const { data } = await engine.scrape({ url: server.url, maxAge: day }, { team });
    expect(data.metadata.cacheState).toBe("hit");
    expect(await found(team)).toBe(1);
  }
  expect(server.requests.get("/")).toBe(1);
});

test("a copy in memory stays as it is, whatever becomes of the bytes that a host gave", async () => {
  const { cache } = memoryStorage();
  const body = Buffer.from("home");
  await cache.put({ team: "a", key: "k", storedAt: Date.now(), head: "{}", body });
  body.fill(0);
  expect(Buffer.from((await cache.get({ team: "a", key: "k" }))?.body ?? []).toString()).toBe("home");
});

test("a copy is indexed once, and does not replace what was seen after it", async () => {
  const texts = ["A harbour in the morning.", "A mountain in the evening."];
  const server = await site({ "/": () => page(texts.shift() ?? "nothing") });
  const storage = memoryStorage();
  const put = vi.spyOn(storage.index as SearchIndex, "put");
  const engine = engineFor({ storage });
  const { url } = server;
  await engine.scrape({ url, mobile: true, formats: ["links"] });
  await new Promise((resolve) => setTimeout(resolve, 20));
  await engine.scrape({ url, maxAge: 0 });
  for (let scraped = 0; scraped < 3; scraped += 1) {
    const { data } = await engine.scrape({ url, mobile: true, maxAge: day });
    expect(data.metadata.cacheState).toBe("hit");
  }
  expect(put).toHaveBeenCalledTimes(2);
  expect((await engine.search({ query: "mountain", tbs: "qdr:h" })).data).toHaveLength(1);
  expect((await engine.search({ query: "harbour", tbs: "qdr:h" })).data).toHaveLength(0);
});

test("a young copy is used, and its metadata says so; an old one is not", async () => {
  const server = await site({ "/": page("home") });
  const engine = engineFor();
  const first = await engine.scrape({ url: server.url });
  expect(first.data.metadata.cacheState).toBeUndefined();
  const hit = await engine.scrape({
    url: `${server.url}/?utm_source=x#part`,
    maxAge: day,
    formats: ["markdown", "links"],
  });
  expect(hit.data.metadata).toMatchObject({
    cacheState: "hit",
    cachedAt: expect.stringMatching(/Z$/),
    creditsUsed: 1,
    statusCode: 200,
  });
  expect(hit.data.markdown).toBe(first.data.markdown);
  expect(server.requests.get("/")).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const old = await engine.scrape({ url: server.url, maxAge: 10 });
  expect(old.data.metadata).toMatchObject({ cacheState: "miss" });
  expect(old.data.metadata.cachedAt).toBeUndefined();
  expect(server.requests.get("/")).toBe(2);
  const { periods } = await engine.getCreditUsageHistorical();
  expect(periods).toMatchObject([{ totalCredits: 3 }]);
});

test("a folder's listing in one order is no copy of it in another", async () => {
  const { url } = await site({ "/pub/": ({ url }) => page(url.search.endsWith("O=D") ? "z to a" : "a to z") });
  const engine = engineFor();
  const read = async (query: string) =>
    (await engine.scrape({ url: `${url}/pub/${query}`, maxAge: day, formats: ["markdown"] })).data.markdown;
  expect(await read("")).toContain("a to z");
  expect(await read("?C=N;O=D")).toContain("z to a");
  expect(await read("?C=N;O=A")).toContain("a to z");
});

test("a page that is waited for is always fetched", async () => {
  const asked: number[] = [];
  const own: Fetcher = {
    name: "own",
    can: new Set(["waitFor"]),
    async fetch({ url, proxy, waitFor }) {
      asked.push(waitFor);
      const headers = { "content-type": "text/html" };
      const answer = { url, statusCode: 200, statusText: "OK", headers, redirects: [], proxyUsed: proxy };
      return { ...answer, body: Buffer.from(page("home")), rendered: waitFor > 0 };
    },
    async close() {},
  };
  const engine = engineFor({ browser: false, fetchers: [own] });
  for (const waitFor of [0, 0, 5]) await engine.scrape({ url: "http://127.0.0.1/", maxAge: day, waitFor });
  expect(asked).toEqual([0, 5]);
});

test("a rendered page is rendered again, although what its scripts begin with is still the same", async () => {
  const shell = `<div id="root"></div><script src="/app.js"></script>`;
  const { url } = await site({
    "/": ({ request }) =>
      request.headers["if-none-match"] === undefined ? { body: shell, headers: { etag: '"1"' } } : { status: 304 },
  });
  let edition = 0;
  const own: Fetcher = {
    name: "own",
    can: new Set(["render"]),
    async fetch({ url, proxy }) {
      edition += 1;
      const headers = { "content-type": "text/html", etag: '"1"' };
      const answer = { url, statusCode: 200, statusText: "OK", headers, redirects: [], proxyUsed: proxy };
      return { ...answer, body: Buffer.from(page(`edition ${edition}`)), rendered: true };
    },
    async close() {},
  };
  const engine = engineFor({ browser: false, fetchers: ["http", own] });
  const scrape = async (maxAge: number) => (await engine.scrape({ url, maxAge })).data.markdown;
  expect(await scrape(day)).toContain("edition 1");
  expect(await scrape(day)).toContain("edition 1");
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * day);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await scrape(day)).toContain("edition 2");
});

test("a copy from a time that is still to come, because the clock was wrong, is as far from now as it is", async () => {
  const server = await site({ "/": page("home") });
  const engine = engineFor();
  const ahead = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 30 * day);
  await engine.scrape({ url: server.url });
  ahead.mockRestore();
  const stateAt = async (maxAge: number) =>
    (await engine.scrape({ url: server.url, maxAge, storeInCache: false })).data.metadata.cacheState;
  expect(await stateAt(day)).toBe("miss");
  // Of two machines, one may be a little ahead.
  expect(await stateAt(31 * day)).toBe("hit");
});

test("a picture is kept with its page, and used where the same kind is asked for", async () => {
  const server = await site({ "/": page("home") });
  const engine = engineFor();
  const scrape = async (
    formats: readonly ("markdown" | "rawHtml" | "screenshot" | "screenshot@fullPage")[],
    more = {},
  ) => (await engine.scrape({ url: server.url, formats, maxAge: day, ...more })).data;
  const taken = await scrape(["screenshot"], { maxAge: 0 });
  expect(taken.metadata.cacheState).toBeUndefined();
  const kept = await scrape(["screenshot", "markdown"]);
  expect(kept.metadata.cacheState).toBe("hit");
  expect(kept.screenshot).toBe(taken.screenshot);
  expect(kept.markdown).toContain("# home");
  const plain = await scrape(["markdown"]);
  expect(plain).toEqual({ markdown: kept.markdown, metadata: expect.objectContaining({ cacheState: "hit" }) });
  // Without the bytes of the picture behind it.
  expect((await scrape(["rawHtml"])).rawHtml).toMatch(/<\/html>\s*$/);
  expect(server.requests.get("/")).toBe(1);
  expect((await scrape(["screenshot@fullPage"])).metadata.cacheState).toBe("miss");
  expect((await scrape(["screenshot@fullPage"])).metadata.cacheState).toBe("hit");
  expect((await scrape(["screenshot"])).metadata.cacheState).toBe("miss");
  expect(server.requests.get("/")).toBe(3);
  expect((await scrape(["screenshot"], { mobile: true })).metadata.cacheState).toBe("miss");
  expect((await scrape(["screenshot"], { location: { country: "DE" } })).metadata.cacheState).toBe("miss");
  const withActions = await scrape(["screenshot"], { actions: [{ type: "wait", milliseconds: 1 }] });
  expect(withActions.metadata.cacheState).toBeUndefined();
});

test("pages of a crawl are in the cache too", async () => {
  const server = await site({ "/": page("home", ["/a"]), "/a": page("a") });
  const engine = engineFor();
  await (await engine.crawl({ url: server.url })).wait();
  expect((await engine.scrape({ url: `${server.url}/a`, maxAge: day })).data.metadata.cacheState).toBe("hit");
});

test("never across teams, with headers, under zero data retention, or with storeInCache off", async () => {
  const server = await site({ "/": page("home") });
  const engine = engineFor();
  const { url } = server;
  await engine.scrape({ url, headers: { cookie: "a=1" } });
  await engine.scrape({ url, zeroDataRetention: true });
  await engine.scrape({ url, storeInCache: false });
  await engine.scrape({ url }, { team: "other" });
  const state = async (options: object) =>
    (await engine.scrape({ url, maxAge: day, ...options })).data.metadata.cacheState;
  expect(await state({ headers: { "x-mine": "1" } })).toBeUndefined();
  expect(await state({})).toBe("miss");
  expect(await state({})).toBe("hit");
  expect(await state({ zeroDataRetention: true })).toBeUndefined();
});

test("a page behind a password is not kept, nor found by a search; one with an @ in its path is", async () => {
  const { url } = await site({ "/@ada": page("behind a password") });
  const engine = engineFor();
  const behind = `${url.replace("//", "//ada:secret@")}/@ada`;
  await engine.scrape({ url: behind });
  const [again, open] = [await engine.scrape({ url: behind, maxAge: day }), await engine.search({ query: "password" })];
  expect(again.data.metadata.cacheState).toBeUndefined();
  expect(open.data).toEqual([]);
  expect((await engine.scrape({ url: `${url}/@ada`, maxAge: day })).data.metadata.cacheState).toBe("miss");
  expect((await engine.scrape({ url: `${url}/@ada`, maxAge: day })).data.metadata.cacheState).toBe("hit");
  expect((await engine.search({ query: "password" })).data).toMatchObject([{ url: `${url}/@ada` }]);
});

test("apart by what the bytes may depend on", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor();
  await engine.scrape({ url });
  const state = async (options: object) =>
    (await engine.scrape({ url, maxAge: day, ...options })).data.metadata.cacheState;
  expect(await state({ skipTlsVerification: true })).toBe("miss");
  expect(await state({ blockAds: false })).toBe("miss");
  expect(await state({})).toBe("hit");
});

test("across teams when the host says so", async () => {
  const server = await site({ "/": page("home") });
  const engine = engineFor({ storage: sharedByTeams() });
  await engine.scrape({ url: server.url }, { team: "a" });
  const { data } = await engine.scrape({ url: server.url, maxAge: day }, { team: "b" });
  expect(data.metadata.cacheState).toBe("hit");
});

test("an answer without a page is not kept", async () => {
  const { url } = await site({ "/": { status: 304 } });
  const engine = engineFor();
  await engine.scrape({ url });
  expect((await engine.scrape({ url, maxAge: day })).data.metadata.cacheState).toBe("miss");
  expect((await engine.scrape({ url, maxAge: day })).data.metadata.cacheState).toBe("miss");
});

test("files that are no pages do not take the room of pages", async () => {
  const zip = { headers: { "content-type": "application/zip" }, body: Buffer.from(`PK\x03\x04${"x".repeat(50_000)}`) };
  const { url } = await site({ "/": page("home"), "/1": zip, "/2": zip, "/3": zip });
  const engine = engineFor({ storage: memoryStorage({ maxCacheBytes: 120_000 }) });
  await engine.scrape({ url });
  for (const path of ["/1", "/2", "/3"]) {
    const refused = { code: "SCRAPE_UNSUPPORTED_FILE_ERROR" };
    await expect(engine.scrape({ url: url + path })).rejects.toMatchObject(refused);
  }
  expect((await engine.scrape({ url, maxAge: day })).data.metadata.cacheState).toBe("hit");
});

test("an error page is not kept, nor found by a search", async () => {
  const { url } = await site({ "/": { status: 500, body: page("broken") } });
  const engine = engineFor();
  await engine.scrape({ url });
  expect((await engine.search({ query: "broken" })).data).toEqual([]);
  expect((await engine.scrape({ url, maxAge: day })).data.metadata).toMatchObject({
    cacheState: "miss",
    statusCode: 500,
  });
});

test("a stale copy is revalidated, and serves when nothing has changed", async () => {
  const server = await site({
    "/": ({ request }) =>
      request.headers["if-none-match"] === '"v1"'
        ? { status: 304 }
        : { body: page("first version"), headers: { etag: '"v1"' } },
  });
  const engine = engineFor();
  await engine.scrape({ url: server.url });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const { data } = await engine.scrape({ url: server.url, maxAge: 1 });
  expect(data.markdown).toContain("first version");
  expect(data.metadata).toMatchObject({ statusCode: 200, cacheState: "miss" });
  expect(server.received.at(-1)?.headers["if-none-match"]).toBe('"v1"');
});

test("a stale copy is revalidated by its date too, and a new page replaces it", async () => {
  const modified = "Tue, 01 Apr 2025 10:00:00 GMT";
  let changed = false;
  const server = await site({
    "/": ({ request }) =>
      request.headers["if-modified-since"] === modified && !changed
        ? { status: 304 }
        : { body: page(changed ? "second" : "first"), headers: { "last-modified": modified } },
  });
  const engine = engineFor();
  const stale = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return (await engine.scrape({ url: server.url, maxAge: 1 })).data;
  };
  await engine.scrape({ url: server.url });
  expect((await stale()).markdown).toContain("first");
  expect(server.received.at(-1)?.headers["if-modified-since"]).toBe(modified);
  changed = true;
  expect((await stale()).markdown).toContain("second");
  // Revalidated copies are young again.
  changed = false;
  await stale();
  const hit = await engine.scrape({ url: server.url, maxAge: day });
  expect(hit.data.metadata.cacheState).toBe("hit");
  expect(hit.data.markdown).toContain("second");
});

test("where a redirect leads elsewhere by now, a page that has not changed either is not taken for the one before", async () => {
  let latest = "/one";
  const modified = "Tue, 01 Apr 2025 10:00:00 GMT";
  const story = (title: string) => (exchange: { request: { headers: Record<string, unknown> } }) =>
    exchange.request.headers["if-modified-since"] === modified
      ? { status: 304 }
      : { body: page(title), headers: { "last-modified": modified } };
  const server = await site({
    "/latest": () => ({ status: 302, headers: { location: latest } }),
    "/one": story("first story"),
    "/two": story("second story"),
  });
  const engine = engineFor();
  const scrape = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return (await engine.scrape({ url: `${server.url}/latest`, maxAge: 1 })).data;
  };
  await scrape();
  expect((await scrape()).markdown).toContain("first story");
  expect(server.requests.get("/one")).toBe(2);
  latest = "/two";
  const moved = await scrape();
  expect(moved.markdown).toContain("second story");
  expect(moved.metadata).toMatchObject({ url: `${server.url}/two`, statusCode: 200, cacheState: "miss" });
});

test("scrapes of one URL at the same time share one fetch; one that is aborted does not stop the others", async () => {
  const server = await site({ "/": { body: page("home"), delay: 50 } });
  const engine = engineFor();
  const controller = new AbortController();
  const calls = [1, 2, 3].map(() => engine.scrape({ url: server.url, maxAge: day }));
  const aborted = engine.scrape({ url: server.url, maxAge: day }, { signal: controller.signal });
  controller.abort(new Error("not me"));
  await expect(aborted).rejects.toThrow("not me");
  expect((await Promise.all(calls)).map(({ data }) => data.metadata.cacheState)).toEqual(["miss", "miss", "miss"]);
  expect(server.requests.get("/")).toBe(1);
});

test.each([
  ["before", [false, true]],
  ["after", [true, false]],
])("a page is kept for whoever asks for that, though one who does not has asked for it just %s", async (_, stored) => {
  const { url } = await site({ "/": { body: page("home"), delay: 50 } });
  const engine = engineFor();
  await Promise.all(stored.map((storeInCache) => engine.scrape({ url, maxAge: day, storeInCache })));
  expect((await engine.scrape({ url, maxAge: day })).data.metadata.cacheState).toBe("hit");
});

test("a fetch is not shared among teams", async () => {
  const server = await site({ "/": { body: page("home"), delay: 50 } });
  const engine = engineFor();
  await Promise.all(["a", "b"].map((team) => engine.scrape({ url: server.url, maxAge: day }, { team })));
  expect(server.requests.get("/")).toBe(2);
});

test("a shared fetch ends when the last who waits for it has gone", async () => {
  const { url, sockets } = await httpServer(() => {});
  const engine = engineFor({ browser: false });
  const leaving = [1, 2].map(() => new AbortController());
  const calls = leaving.map(({ signal }) =>
    engine.scrape({ url: url(), maxAge: day }, { signal }).catch((error) => error),
  );
  await expect.poll(() => sockets.opened).toBe(1);
  leaving[0]?.abort();
  await calls[0];
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sockets).toEqual({ opened: 1, open: 1 });
  leaving[1]?.abort();
  await calls[1];
  await expect.poll(() => sockets.open).toBe(0);
});

test("a fetch that was given up, and ends late, does not part those who share the next one", async () => {
  const answered = Promise.withResolvers<string>();
  const server = await site({ "/": () => (server.requests.get("/") === 1 ? page("home") : answered.promise) });
  // Only the cache holds up a fetch whose callers have gone.
  const storage = memoryStorage();
  const isKept = Promise.withResolvers<void>();
  const put = vi.spyOn(storage.cache, "put").mockImplementationOnce(() => isKept.promise);
  const engine = engineFor({ storage });
  const scrape = (signal?: AbortSignal) => engine.scrape({ url: server.url, maxAge: day }, { signal });
  const leaving = new AbortController();
  const givenUp = scrape(leaving.signal);
  await expect.poll(() => put.mock.calls.length).toBe(1);
  leaving.abort(new Error("gone"));
  await expect(givenUp).rejects.toThrow("gone");
  const second = scrape();
  await expect.poll(() => server.requests.get("/")).toBe(2);
  isKept.resolve();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const third = scrape();
  await new Promise((resolve) => setTimeout(resolve, 50));
  answered.resolve(page("home"));
  await Promise.all([second, third]);
  expect(server.requests.get("/")).toBe(2);
});
