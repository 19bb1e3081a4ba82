/** Fetchers that a host brings: which pages they get, what they may answer, and what becomes of their failures. */
import { expect, test } from "vitest";
import {
  type BrowserChoice,
  createEngine,
  type EngineOptions,
  type Fetcher,
  type FetchNeed,
  type FetchRequest,
  type FetchResponse,
  memoryStorage,
  RequestError,
  ScrapeError,
} from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

type Answer = (request: FetchRequest) => Promise<FetchResponse> | FetchResponse;

function fetcher(name: string, answer: Answer, can: FetchNeed[] = []): Fetcher & { readonly asked: FetchRequest[] } {
  const asked: FetchRequest[] = [];
  return {
    name,
    can: new Set(can),
    asked,
    async fetch(request) {
      asked.push(request);
      return answer(request);
    },
    async close() {},
  };
}

function answered({ url, proxy }: FetchRequest, html: string, more: Partial<FetchResponse> = {}): FetchResponse {
  return {
    url,
    statusCode: 200,
    statusText: "OK",
    headers: { "content-type": "text/html; charset=utf-8" },
    body: Buffer.from(html),
    rendered: false,
    redirects: [],
    proxyUsed: proxy,
    ...more,
  };
}

const shell = `<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>`;
const without = { browser: false } satisfies EngineOptions;

test("pages come from the host's fetcher, whose name their metadata has; robots.txt and sitemaps do not", async () => {
  const { url, requests } = await site({
    "/robots.txt": "User-agent: *\nDisallow: /private\nSitemap: /map.txt",
    "/map.txt": ({ url }) => ({ headers: { "content-type": "text/plain" }, body: `${url.origin}/listed` }),
  });
  const own = fetcher("archive", (request) =>
    answered(request, page(new URL(request.url).pathname, ["/next", "/private"])),
  );
  const engine = engineFor({ ...without, fetchers: [own] });
  const { data } = await (await engine.crawl({ url, limit: 10 })).wait();
  expect(data.map(({ metadata }) => new URL(metadata.sourceURL!).pathname).sort()).toEqual(["/", "/listed", "/next"]);
  expect(new Set(data.map(({ metadata }) => metadata["engine"]))).toEqual(new Set(["archive"]));
  expect([...requests.keys()].sort()).toEqual(["/map.txt", "/robots.txt", "/sitemap.xml"]);
});

test("robots.txt of another host holds for where a fetcher says that it was led, though it did not ask before", async () => {
  const { url } = await site();
  const other = await site({ "/robots.txt": "User-agent: *\nDisallow: /private" });
  const own = fetcher("own", (request) =>
    request.url.endsWith("/moved")
      ? answered(request, page("secret"), { url: `${other.url}/private`, redirects: [request.url] })
      : answered(request, page("home", ["/moved"])),
  );
  const options = { limit: 10, ignoreSitemap: true, allowExternalLinks: true };
  const job = await engineFor({ ...without, fetchers: [own] }).crawl({ url, ...options });
  expect((await job.wait()).data.map(({ metadata }) => metadata.title)).toEqual(["home"]);
});

test("a page that a fetcher does not take goes to the next one, and nowhere if there is none", async () => {
  const { url, requests } = await site({ "/": page("home") });
  const own = fetcher("picky", () => Promise.reject(new RequestError("UNSUPPORTED", "Only pages of an archive")));
  const { data } = await engineFor({ ...without, fetchers: [own, "http"] }).scrape({ url });
  expect(data.metadata).toMatchObject({ title: "home", engine: "http", engineReason: "default" });
  await expect(engineFor({ ...without, fetchers: [own] }).scrape({ url })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: "Only pages of an archive",
  });
  expect(requests.get("/")).toBe(1);
});

test("a page that the engine's own browser cannot request goes to the next fetcher, too", async () => {
  const { url, requests } = await site({ "/": page("home") });
  const engine = engineFor({ fetchers: ["browser", "http"] });
  const { data } = await engine.scrape({ url, headers: { host: "other.example" } });
  expect(data.metadata).toMatchObject({ title: "home", engine: "http" });
  expect(requests.get("/")).toBe(1);
});

test("after a failure of the fetcher itself the next is tried; a failure of the site is final", async () => {
  const { url, requests } = await site({ "/": page("home") });
  const broken = fetcher("broken", () => Promise.reject(new TypeError("no such account: key=abc123secret")));
  const engine = engineFor({ ...without, fetchers: [broken, "http"] });
  const { data } = await engine.scrape({ url });
  expect(data.metadata).toMatchObject({ title: "home", engine: "http", engineReason: "failed" });
  const alone = await engineFor({ ...without, fetchers: [broken] })
    .scrape({ url })
    .catch((error) => error);
  expect(alone).toMatchObject({ code: "UNKNOWN_ERROR" });
  expect(alone.message).toMatch(/^The fetcher broken failed: no such account/);
  expect(alone.message).not.toContain("abc123secret");
  const told = fetcher("told", () => Promise.reject(new ScrapeError("SCRAPE_SSL_ERROR", "a bad certificate")));
  const failing = engineFor({ ...without, fetchers: [told, "http"] }).scrape({ url });
  await expect(failing).rejects.toMatchObject({ code: "SCRAPE_SSL_ERROR", message: "a bad certificate" });
  expect(requests.get("/")).toBe(1);
});

test("an empty shell goes to a fetcher that renders, past those that do not", async () => {
  const { url, requests } = await site({ "/": shell });
  const bare = fetcher("bare", (request) => answered(request, shell));
  const rendering = fetcher("renders", (request) => answered(request, page("full"), { rendered: true }), ["render"]);
  const { data } = await engineFor({ ...without, fetchers: [bare, "http", rendering] }).scrape({ url });
  expect(data.metadata).toMatchObject({ title: "full", engine: "renders", engineReason: "empty-root" });
  expect(requests.size).toBe(0);
});

test("an empty shell goes to the next fetcher that renders if the first one fails", async () => {
  const { url } = await site({ "/": shell });
  const broken = fetcher("broken", () => Promise.reject(new TypeError("broken")), ["render"]);
  const rendering = fetcher("renders", (request) => answered(request, page("full"), { rendered: true }), ["render"]);
  const { data } = await engineFor({ ...without, fetchers: ["http", broken, rendering] }).scrape({ url });
  expect(data.metadata).toMatchObject({ title: "full", engine: "renders", engineReason: "empty-root" });
  expect(data.warning).toBeUndefined();
});

test.each([
  ['<script type="application/ld+json">{"@type": "Product", "name": "Kettle"}</script>', "http"],
  ["<SCRIPT id=data data-type='module' type='application/json'>{}</SCRIPT><script type=importmap>{}</script>", "http"],
  ['<script type="application/ld+json">{}</script><script defer src="/fill.js"></script>', "renders"],
  ['<script type="application/json">{}</script><script async type=module src="/fill.js"></script>', "renders"],
  [
    '<script type="text/x-template"></script><SCRIPT LANGUAGE="JavaScript" TYPE="text/javascript">fill()</SCRIPT>',
    "renders",
  ],
  ['<script type="">fill()</script>', "renders"],
  ['<script type="text&#x2F;javascript">fill()</script>', "renders"],
  [`<script src="/fill.js?${"x".repeat(460)}" type=text/javascript></script>`, "renders"],
])("a page that says little is rendered only for scripts that run: %s", async (scripts, engine) => {
  const { url } = await site({ "/": `<!doctype html><title>Kettle</title>${scripts}<h1>Kettle</h1><p>Of steel.</p>` });
  const rendering = fetcher("renders", (request) => answered(request, page("full"), { rendered: true }), ["render"]);
  const { data } = await engineFor({ ...without, fetchers: ["http", rendering] }).scrape({ url });
  expect(data.metadata.engine).toBe(engine);
});

test("the function that chooses is told which kind comes first, and may choose the other", async () => {
  const { url } = await site({ "/": page("home") });
  const rendering = fetcher("renders", (request) => answered(request, page("full"), { rendered: true }), ["render"]);
  const asked: unknown[] = [];
  const choose: BrowserChoice = ({ url, suggestion }) => {
    asked.push(suggestion);
    return url.endsWith("/http") ? "http" : undefined;
  };
  const engine = engineFor({ browser: { choose }, fetchers: [rendering, "http"] });
  const metadataOf = async (path: string) => (await engine.scrape({ url: url + path })).data.metadata;
  expect(await metadataOf("/")).toMatchObject({ engine: "renders", engineReason: "default" });
  expect(await metadataOf("/http")).toMatchObject({ engine: "http", engineReason: "chosen" });
  expect(asked.slice(0, 2)).toEqual(["browser", "browser"]);
});

const wrongChoices = {
  "a promise": async () => "http",
  "a promise that rejects": () => Promise.reject(new Error("unheard")),
  "another text": () => "zzz",
  "nothing, because it fails": () => {
    throw new TypeError("broken");
  },
  "no choice once it sees the answer": ({ response }: Parameters<BrowserChoice>[0]) => (response ? 5 : undefined),
};

test.each(Object.entries(wrongChoices))("a function that chooses %s is named in the error", async (_, choose) => {
  const { url } = await site({ "/": page("home") });
  const rendering = fetcher("renders", (request) => answered(request, page("full"), { rendered: true }), ["render"]);
  const engine = engineFor({ browser: { choose: choose as BrowserChoice }, fetchers: ["http", rendering] });
  await expect(engine.scrape({ url })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("browser.choose"),
  });
  expect(rendering.asked).toEqual([]);
});

test("what a host's fetcher can do is not refused for want of a browser or proxies", async () => {
  const { url } = await site();
  const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
  const service = fetcher(
    "service",
    (request) => answered(request, page("rendered"), { rendered: true, screenshot: picture }),
    ["render", "screenshot", "waitFor", "stealth"],
  );
  const engine = engineFor({ ...without, fetchers: ["http", service] });
  const request = { url, formats: ["screenshot"], waitFor: 10, proxy: "stealth" } as const;
  const { data } = await engine.scrape({ ...request, formats: ["screenshot"] });
  expect(data.screenshot).toMatch(/^data:image\/png;base64,/);
  expect(data.metadata).toMatchObject({ engine: "service", proxyUsed: "stealth", creditsUsed: 5 });
  expect([...service.asked[0]!.needs].sort()).toEqual(["screenshot", "stealth", "waitFor"]);
  const more = engine.scrape({ url, mobile: true, actions: [{ type: "scrape" }] });
  await expect(more).rejects.toMatchObject({
    code: "UNSUPPORTED",
    details: [{ path: ["mobile"] }, { path: ["actions"] }],
  });
});

test("a page that refuses the usual way comes from the fetcher that can do better, for `proxy: auto`", async () => {
  const { url } = await site({ "/": { status: 403, body: page("refused") } });
  const service = fetcher("unblocker", (request) => answered(request, page("let in")), ["stealth"]);
  const engine = engineFor({ ...without, fetchers: ["http", service] });
  const { data } = await engine.scrape({ url, proxy: "auto" });
  expect(data.metadata).toMatchObject({ title: "let in", engine: "unblocker", proxyUsed: "stealth", creditsUsed: 5 });
  expect((await engine.scrape({ url })).data.metadata).toMatchObject({ engine: "http", statusCode: 403 });
});

test("a fetcher is told if nothing of a page may be kept", async () => {
  const { url } = await site({ "/": page("home") });
  const keeping = fetcher("keeping", ({ zeroDataRetention }) => {
    throw zeroDataRetention === true ? new RequestError("UNSUPPORTED", "Keeps its pages") : new TypeError("broken");
  });
  const engine = engineFor({ ...without, fetchers: [keeping, "http"] });
  const engineReasonOf = async (zeroDataRetention: boolean) =>
    (await engine.scrape({ url, zeroDataRetention })).data.metadata["engineReason"];
  expect([await engineReasonOf(true), await engineReasonOf(false)]).toEqual(["default", "failed"]);
  const job = await engine.batchScrape({ urls: [url], zeroDataRetention: true });
  expect((await job.wait()).data[0]?.metadata["engineReason"]).toBe("default");
});

test("a fetcher gets no address that the engine may not reach", async () => {
  const own = fetcher("own", (request) => answered(request, page("inside")));
  const engine = createEngine({ ...without, fetchers: [own] });
  for (const url of ["http://169.254.169.254/latest/", "http://[::ffff:10.0.0.1]/", "http://0x7f.1/"]) {
    await expect(engine.scrape({ url })).rejects.toMatchObject({ code: "FORBIDDEN_ADDRESS" });
  }
  expect(own.asked).toEqual([]);
  await engine.close();
});

test("a fetcher that never answers is waited for as long as the page may take", async () => {
  const { url } = await site();
  const silent = fetcher("silent", () => new Promise<never>(() => {}));
  const engine = engineFor({ ...without, fetchers: [silent] });
  await expect(engine.scrape({ url, timeout: 100 })).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
  const reason = new Error("enough");
  const controller = new AbortController();
  const scrape = engine.scrape({ url }, { signal: controller.signal });
  controller.abort(reason);
  await expect(scrape).rejects.toBe(reason);
});

test("what is no answer is an error that names everything that is wrong with it", async () => {
  const { url } = await site();
  const headers = { "Content-Type": "text/html" };
  const wrong = { url: "ftp://a.example/", headers, body: "<p>text</p>", rendered: undefined };
  const own = fetcher("own", (request) => answered(request, "", wrong as unknown as Partial<FetchResponse>));
  const scraped = engineFor({ ...without, fetchers: [own] }).scrape({ url });
  await expect(scraped).rejects.toMatchObject({
    code: "UNKNOWN_ERROR",
    message:
      "The fetcher own answered with what is no answer: url must be an http(s) URL; " +
      "headers must have names in lower case; body must be a Uint8Array; rendered is required",
  });
  const nothing = fetcher("nothing", () => undefined as unknown as FetchResponse);
  const empty = engineFor({ ...without, fetchers: [nothing] }).scrape({ url });
  await expect(empty).rejects.toMatchObject({ code: "UNKNOWN_ERROR", message: expect.stringContaining("nothing") });
  const large = fetcher("large", (request) => answered(request, "x".repeat(2000)));
  const network = { maxBodyBytes: 1000 };
  const tooLarge = engineFor({ ...without, network, fetchers: [large] }).scrape({ url });
  await expect(tooLarge).rejects.toMatchObject({ code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
});

test("a list of fetchers that cannot be used is refused, with all that is wrong", () => {
  const own = fetcher("own", (request) => answered(request, ""));
  const nameless = { ...own, name: " " };
  const options = { fetchers: [own, "https", nameless, { ...own, can: ["render"] }] } as unknown as EngineOptions;
  expect(() => createEngine(options)).toThrow(
    expect.objectContaining({
      code: "BAD_REQUEST",
      details: [1, 2, 3].map((index) => expect.objectContaining({ path: ["fetchers", index] })),
    }),
  );
  for (const fetchers of [[], ["http", "http"], [own, own], ["browser"]] as const) {
    expect(() => createEngine({ ...without, fetchers })).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path: ["fetchers"] })] }),
    );
  }
});

test.each<[what: string, put: () => Promise<string>]>([
  ["rejects them", () => Promise.reject(new Error("the bucket is away"))],
  [
    "throws",
    () => {
      throw new Error("no credentials");
    },
  ],
])("a page's picture is in the document if the place for files %s", async (_what, put) => {
  const { url } = await site({ "/": page("home") });
  const picture = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const camera = fetcher("camera", (request) => answered(request, page("home"), { screenshot: picture }), [
    "render",
    "screenshot",
  ]);
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
  const engine = engineFor({ storage: { ...memoryStorage(), files: { put } }, fetchers: [camera], logger });
  const job = await engine.batchScrape({ urls: [url], formats: ["screenshot"] });
  const { data, creditsUsed } = await job.wait();
  expect(data[0]?.screenshot).toBe(`data:image/png;base64,${picture.toString("base64")}`);
  expect(creditsUsed).toBe(1);
  expect(warnings).toEqual(["a picture or printed page could not be kept; it is in the document"]);
});
