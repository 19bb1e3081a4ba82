/** What the web sends at its worst: each case ends with a clear result or a typed error, in time, and nothing is left open. */
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CrawlcoreError, createEngine, type Engine, type ScrapeRequest } from "../src/index.ts";
import { hostile, startTestSite, type TestSite } from "../src/testing/index.ts";
import { page } from "./start-engine.ts";

let site: TestSite;
let secure: TestSite;
let engine: Engine;

beforeAll(async () => {
  const away = { status: 302, headers: { location: "http://10.0.0.1/" } };
  const text = { headers: { "content-type": "text/plain" }, body: "" };
  const file = { headers: { "content-type": "image/png" }, body: Buffer.from("89504e470d0a1a0a0000000d", "hex") };
  site = await startTestSite({
    "/away": away,
    "/picture": file,
    "/empty-text": text,
    "/links": hostile("/links/100000"),
  });
  secure = await startTestSite({ "/": page("secure") }, { https: true });
  engine = createEngine({
    network: {
      allowHosts: ["127.0.0.1", "known.test", "xn--mnchen-3ya.test"],
      maxBodyBytes: 60 * 1024 * 1024,
      lookup: async (name) => {
        if (name === "unknown.test") throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
        return [{ address: "127.0.0.1", family: 4 }];
      },
    },
  });
});

afterAll(async () => {
  await engine.close();
  await Promise.all([site.close(), secure.close()]);
});

const scrape = (path: string, options: Partial<ScrapeRequest> = {}) =>
  engine.scrape({ url: `${site.url}${path}`, ...options });

/** The code of the error that the call ends with. */
async function code(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => new Error("it succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!CrawlcoreError.isInstance(error)) throw error;
  return error.code;
}

test.each([
  ["a body that never ends", "/endless-body", {}, "SCRAPE_UNSUPPORTED_FILE_ERROR"],
  ["headers that never come", "/slow-headers/0", { timeout: 300 }, "SCRAPE_TIMEOUT"],
  ["a body that stalls", "/drip/0", { timeout: 300 }, "SCRAPE_TIMEOUT"],
  ["a flood of headers", "/header-flood", {}, "SCRAPE_SITE_ERROR"],
  ["redirects in a circle", "/redirect-loop", {}, "SCRAPE_SITE_ERROR"],
  ["more redirects than are followed", "/redirect/30", {}, "SCRAPE_SITE_ERROR"],
  ["a redirect to a private address", "/away", {}, "FORBIDDEN_ADDRESS"],
  ["a connection that is reset in the middle", "/reset", {}, "SCRAPE_SITE_ERROR"],
  ["a connection that is reset at once", "/reset-before-headers", {}, "SCRAPE_SITE_ERROR"],
  ["a body shorter than promised", "/content-length-long", {}, "SCRAPE_SITE_ERROR"],
  ["what is no HTTP", "/not-http", {}, "SCRAPE_SITE_ERROR"],
  ["a gzip bomb", "/gzip-bomb/1000", {}, "SCRAPE_UNSUPPORTED_FILE_ERROR"],
  ["a picture", "/picture", {}, "SCRAPE_UNSUPPORTED_FILE_ERROR"],
] as const)("%s is a typed error", async (_, path, options, expected) => {
  expect(await code(scrape(path, options))).toBe(expected);
});

test("a certificate that is not trusted, and a name that does not resolve", async () => {
  expect(await code(engine.scrape({ url: secure.url }))).toBe("SCRAPE_SSL_ERROR");
  expect((await engine.scrape({ url: secure.url, skipTlsVerification: true })).data.metadata.statusCode).toBe(200);
  expect(await code(engine.scrape({ url: "http://unknown.test/" }))).toBe("SCRAPE_DNS_RESOLUTION_ERROR");
});

test.each([
  "/malformed",
  "/nul-bytes",
  "/content-length-short",
  "/encoded/not-gzip",
  "/encoded/truncated-gzip",
  "/redirect-without-location",
])("%s gives a document all the same", async (path) => {
  const { data } = await scrape(path);
  expect(data.metadata.sourceURL).toBe(`${site.url}${path}`);
});

test.each([
  ["a film without an end", { "content-type": "text/html" }, {}],
  ["one that is encoded", { "content-type": "text/html", "content-encoding": "gzip" }, {}],
  ["one in the browser", { "content-type": "video/mp4" }, { waitFor: 1 }],
])("of %s only the start is loaded", async (_, headers, options) => {
  const film = Buffer.concat([Buffer.from("\0\0\0 ftypisom"), randomBytes(300_000)]);
  const endless = await startTestSite({
    "/": ({ response }) => {
      response.writeHead(200, headers);
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      response.on("close", leave);
      response.write("content-encoding" in headers ? gzipSync(film) : film);
      return left;
    },
  });
  await expect(engine.scrape({ url: endless.url, timeout: 20_000, ...options })).rejects.toMatchObject({
    code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    message: "This kind of file is not supported: MP4 video.",
  });
  await endless.close();
});

test("a large text is loaded whole, though its media type says nothing", async () => {
  const text = "a line of words\n".repeat(30_000);
  const large = await startTestSite({ "/": { headers: { "content-type": "application/octet-stream" }, body: text } });
  const { data } = await engine.scrape({ url: large.url, formats: ["rawHtml"] });
  expect(data.rawHtml?.length).toBe(text.length);
  await large.close();
});

test.each([
  [302, { location: "app://open/this" }, "Found"],
  [301, {}, "Moved Permanently"],
  [300, {}, "Multiple Choices"],
  [304, {}, undefined],
  [206, {}, undefined],
])("a final answer with status %i", async (status, headers, error) => {
  const odd = await startTestSite({ "/": { status, headers, body: page("odd") } });
  const { data } = await engine.scrape({ url: odd.url });
  expect([data.metadata.statusCode, data.metadata.error]).toEqual([status, error]);
  await odd.close();
});

test("an empty page is a success with a warning", async () => {
  const { data, success, warning } = await scrape("/empty");
  expect({ success, markdown: data.markdown, status: data.metadata.statusCode }).toEqual({
    success: true,
    markdown: "",
    status: 200,
  });
  expect(warning).toMatch(/empty/);
});

test("so is one of which the options leave nothing, whatever its kind", async () => {
  for (const [path, options] of [
    ["/empty", { onlyMainContent: false }],
    ["/empty-text", {}],
    ["/redirect/1", { includeTags: [".missing"] }],
  ] as const) {
    const { data, warning } = await scrape(path, options as Partial<ScrapeRequest>);
    expect(data.markdown).toBe("");
    expect(warning).toMatch(/empty/);
  }
});

test("a page of 50 MB, and one of 100,000 levels, in time and without holding the event loop", async () => {
  // In processor time: on a busy machine, a thread waits for its turn while it holds nothing.
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = used();
  const ticks = setInterval(() => {
    longest = Math.max(longest, used() - last);
    last = used();
  }, 5);
  const big = await scrape("/big-page/50000000", { timeout: 60_000, formats: ["links"] });
  const deep = await scrape("/deep/100000", { timeout: 60_000 });
  clearInterval(ticks);
  expect([big, deep].map(({ data }) => data.metadata.statusCode)).toEqual([200, 200]);
  expect(longest).toBeLessThan(2000);
});

test("100,000 links on one page, all of them accounted for", async () => {
  const job = await engine.crawl({
    url: `${site.url}/links`,
    limit: 20,
    crawlEntireDomain: true,
    scrapeOptions: { formats: [] },
  });
  const { total } = await job.wait();
  expect(total).toBe(20);
  const { skipped } = await engine.getCrawlErrors(job.id);
  expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(["LIMIT"]));
  expect(skipped.length).toBeGreaterThan(99_000);
});

test("robots.txt of 5 MB and a sitemap that names itself", async () => {
  const here = await startTestSite({
    "/": page("home", ["/a"]),
    "/a": page("a"),
    "/robots.txt": hostile("/big-robots/5000000"),
    "/sitemap.xml": hostile("/self-sitemap"),
  });
  const status = await (await engine.crawl({ url: here.url })).wait();
  await here.close();
  expect(status.status).toBe("completed");
});

test("URLs with credentials, ports and international names; links that lead nowhere", async () => {
  const port = new URL(site.url).port;
  const here = await startTestSite({
    "/": ({ request }) =>
      page(`as ${request.headers.authorization ?? "nobody"}`, [
        "javascript:alert(1)",
        "data:text/html,x",
        "mailto:a@b.c",
        "http://[bad",
        "//",
        "/ok",
        "http://user:pass@127.0.0.1:1/x",
      ]),
  });
  const named = await engine.scrape({
    url: here.url.replace("http://", "http://me:secret@"),
    formats: ["markdown", "links"],
    onlyMainContent: false,
  });
  await here.close();
  expect(named.data.markdown).toContain(`as Basic ${Buffer.from("me:secret").toString("base64")}`);
  expect(JSON.stringify(named.data.links)).not.toMatch(/javascript:|data:/);
  expect(named.data.metadata.url).not.toContain("secret");
  const idn = await engine.scrape({ url: `http://münchen.test:${port}/page/1` });
  expect(idn.data.metadata).toMatchObject({ statusCode: 200, url: `http://xn--mnchen-3ya.test:${port}/page/1` });
  for (const url of [
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.com",
    "http://",
    "http://http://x.example",
    "",
  ]) {
    expect(await code(engine.scrape({ url }))).toBe("BAD_REQUEST");
  }
});

test.each([
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://[::ffff:10.0.0.1]/",
  "http://[64:ff9b::a00:1]/",
  "http://[2002:a00:1::]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://localhost:1/",
  "http://0.0.0.0/",
])("%s is not reached", async (url) => {
  const guarded = createEngine({ network: { lookup: async () => [{ address: "127.0.0.1", family: 4 }] } });
  expect(await code(guarded.scrape({ url, timeout: 60_000 }))).toBe("FORBIDDEN_ADDRESS");
  await guarded.close();
});
