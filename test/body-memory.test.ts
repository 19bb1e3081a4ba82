/** The memory of a large body is freed as soon as nobody can be reading it any more, and no earlier. */
import { expect, test } from "vitest";
import { type CachedPage, type Fetcher, memoryStorage, type PageCache, type Storage } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

const text = "Some words of a page that is not short.";
const html = page("A page").replace("</main>", `<p>${`${text} `.repeat(4000)}</p></main>`);

/** A storage whose cache hands over what it is given. */
function withCache(put: (body: Uint8Array) => Promise<void>): Storage {
  const storage = memoryStorage();
  return { ...storage, cache: { copies: true, get: async () => null, put: ({ body }) => put(body) } };
}

const isFreed = ({ buffer }: Uint8Array): boolean => (buffer as ArrayBuffer).detached;

test("a body is freed once the page has been read and the cache has its copy", async () => {
  const { url } = await site({ "/": html });
  const copied = Promise.withResolvers<void>();
  let given: Uint8Array = new Uint8Array();
  let copy = "";
  const storage = withCache(async (body) => {
    given = body;
    await copied.promise;
    copy = Buffer.from(body).toString();
  });
  const job = await engineFor({ storage }).crawl({ url, limit: 1 });
  await expect.poll(() => given.byteLength).toBeGreaterThan(0);
  // Time for the page to be read.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isFreed(given)).toBe(false);
  copied.resolve();
  expect((await job.wait()).data[0]?.markdown).toContain(text);
  expect(copy).toBe(html);
  await expect.poll(() => isFreed(given)).toBe(true);
});

test("a body is left to a cache that fails, and to one that gets it after the scrape", async () => {
  const { url } = await site({ "/": html });
  const given: Uint8Array[] = [];
  const storage = withCache(async (body) => {
    given.push(body);
    throw new Error("full");
  });
  const engine = engineFor({ storage });
  expect((await engine.scrape({ url })).data.markdown).toContain(text);
  const tracked = await engine.scrape({ url, formats: ["markdown", "changeTracking"] });
  expect(tracked.data.markdown).toContain(text);
  await expect.poll(() => given.length).toBe(2);
  expect(given.map((body) => Buffer.from(body).toString())).toEqual([html, html]);
});

test("a cache may keep the body itself if it does not say that it copies", async () => {
  const { url, requests } = await site({ "/": html });
  const pages = new Map<string, CachedPage>();
  const cache: PageCache = {
    get: async ({ key }) => pages.get(key) ?? null,
    put: async (page) => void pages.set(page.key, page),
  };
  const engine = engineFor({ storage: { ...memoryStorage(), cache } });
  for (let time = 0; time < 3; time++) {
    expect((await engine.scrape({ url, maxAge: 60_000 * time })).data.markdown).toContain(text);
  }
  expect(requests.get("/")).toBe(1);
});

test("concurrent scrapes that share one fetch each read the body", async () => {
  const { url } = await site({ "/": html });
  const engine = engineFor();
  const answers = await Promise.all(
    [true, false, true].map((onlyMainContent) => engine.scrape({ url, maxAge: 60_000, onlyMainContent })),
  );
  for (const { data } of answers) expect(data.markdown).toContain(text);
  expect((await engine.scrape({ url, maxAge: 60_000 })).data.markdown).toContain(text);
});

test("the bodies of a host's fetcher, and those shown to its function, stay the host's", async () => {
  const body = new Uint8Array(Buffer.from(html).length);
  body.set(Buffer.from(html));
  const archive: Fetcher = {
    name: "archive",
    can: new Set(),
    fetch: async ({ url }) => ({
      url,
      statusCode: 200,
      statusText: "OK",
      headers: { "content-type": "text/html" },
      body,
      rendered: false,
      redirects: [],
      proxyUsed: "basic",
    }),
    close: async () => {},
  };
  const { url } = await site({ "/": html });
  const own = engineFor({ fetchers: [archive], browser: false });
  for (let time = 0; time < 2; time++) {
    expect((await own.scrape({ url, storeInCache: false })).data.markdown).toContain(text);
  }
  expect(isFreed(body)).toBe(false);

  const shown: Uint8Array[] = [];
  const choosing = engineFor({
    browser: {
      choose: ({ response, suggestion }) => {
        if (response !== undefined) shown.push(response.body);
        return suggestion;
      },
    },
  });
  expect((await choosing.scrape({ url, storeInCache: false })).data.markdown).toContain(text);
  expect(shown.map((body) => Buffer.from(body).toString())).toEqual([html]);
});
