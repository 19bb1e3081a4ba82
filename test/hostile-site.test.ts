/** A site with everything bad that a server can do: each URL ends with a clear result or a typed error, and nothing hangs. */
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { charsetCases, hostile, startTestSite, testOnlyCertificate } from "../src/testing/index.ts";
import { cpuTime } from "./cpu-time.ts";
import { engineFor, page, paths, site } from "./start-engine.ts";

/** What becomes of a path: a status code and a piece of the markdown, or the code of an error. */
const outcomes: Readonly<Record<string, readonly [status: number, text: string] | string>> = {
  "/slow-headers": "SCRAPE_TIMEOUT",
  "/slow-headers/50": [200, "Slow headers"],
  "/drip/100": "SCRAPE_TIMEOUT",
  "/drip/0": "SCRAPE_TIMEOUT",
  "/endless-body": "SCRAPE_UNSUPPORTED_FILE_ERROR",
  "/reset": "SCRAPE_SITE_ERROR",
  "/reset-before-headers": "SCRAPE_SITE_ERROR",
  "/content-length-long": "SCRAPE_SITE_ERROR",
  "/header-flood": "SCRAPE_SITE_ERROR",
  "/not-http": "SCRAPE_SITE_ERROR",
  "/redirect/3": [200, "End of the redirects"],
  "/redirect-loop": "SCRAPE_SITE_ERROR",
  "/redirect-forever": "SCRAPE_SITE_ERROR",
  "/redirect-to?url=http://10.1.2.3/": "FORBIDDEN_ADDRESS",
  "/redirect-to?url=http://169.254.169.254/latest/meta-data/": "FORBIDDEN_ADDRESS",
  "/redirect-to?url=http://no-such-name.invalid/": "SCRAPE_DNS_RESOLUTION_ERROR",
  "/cookie-wall": [200, "Behind the cookie wall"],
  "/status/404": [404, "Status 404"],
  "/status/500": [500, "Status 500"],
  "/too-many-requests/1/1": [200, "Here again"],
  "/unavailable/1": [200, "Here again"],
  "/encoded/gzip": [200, "Encoded as gzip"],
  "/encoded/deflate": [200, "Encoded as deflate"],
  "/encoded/deflate-raw": [200, "Encoded as deflate-raw"],
  "/encoded/br": [200, "Encoded as br"],
  "/encoded/zstd": [200, "Encoded as zstd"],
  // What arrived is shown, as browsers do.
  "/encoded/truncated-gzip": [200, ""],
  "/gzip-bomb/1000": "SCRAPE_UNSUPPORTED_FILE_ERROR",
  "/nul-bytes": [200, "After"],
  "/empty": [200, ""],
  "/malformed": [200, "cross"],
  "/deep/100000": [200, "The bottom of the page."],
  ...Object.fromEntries(Object.entries(charsetCases).map(([name, [, , , text]]) => [`/charset/${name}`, [200, text]])),
};

test("a crawl of a hostile site ends, with an outcome for every page", async () => {
  const links = [
    ...Object.keys(outcomes),
    "javascript:alert(1)",
    "data:text/html,<p>x</p>",
    "http://[bad",
    "http://user:secret@127.0.0.1:1/",
    "//:0",
    "/%zz%00",
  ];
  const started = await site({
    "/": page(
      "home",
      links.map((link) => link.replaceAll("&", "&amp;")),
    ),
  });
  const engine = engineFor({ network: { allowHosts: ["127.0.0.1"], maxBodyBytes: 8_000_000 } });
  // Long, because pages that have an answer must not miss it on a busy machine.
  const job = await engine.crawl({ url: started.url, allowExternalLinks: true, scrapeOptions: { timeout: 12_000 } });
  const status = await job.wait();
  expect(status.status).toBe("completed");

  const { errors } = await engine.getCrawlErrors(job.id);
  const target = (url: string): string => url.replace(started.url, "").replace(/^$/, "/");
  const codes = new Map(errors.map(({ url, code }) => [target(url), code]));
  const documents = new Map(status.data.map((document) => [target(document.metadata.sourceURL ?? ""), document]));
  const seen = Object.fromEntries(
    Object.entries(outcomes).map(([path, outcome]) => {
      const document = documents.get(path) ?? documents.get(decodeURI(path));
      if (codes.has(path) || document === undefined) return [path, codes.get(path)];
      const text = typeof outcome === "string" ? "" : outcome[1];
      return [path, [document.metadata.statusCode, document.markdown?.includes(text) ? text : document.markdown]];
    }),
  );
  expect(seen).toEqual(outcomes);
  expect(status.data.every(({ metadata }) => metadata.statusCode !== undefined || metadata.error !== undefined)).toBe(
    true,
  );
});

test("a page that links to itself with ever longer queries ends at the limit", async () => {
  const { url } = await site();
  const status = await (await engineFor().crawl({ url: `${url}/calendar`, limit: 40 })).wait();
  expect([status.status, status.data.length]).toEqual(["completed", 40]);
  const once = await (await engineFor().crawl({ url: `${url}/calendar`, ignoreQueryParameters: true })).wait();
  expect(once.data).toHaveLength(1);
});

test("a page with 100,000 links", async () => {
  const { url } = await site();
  const job = await engineFor().crawl({ url: `${url}/links/100000`, limit: 30, crawlEntireDomain: true });
  expect((await job.wait()).data).toHaveLength(30);
});

test("a page of 50 MB", async () => {
  const { url } = await site();
  const { data } = await engineFor().scrape({
    url: `${url}/big-page/50000000`,
    onlyMainContent: false,
    timeout: 60_000,
  });
  expect(data.markdown?.length).toBeGreaterThan(40_000_000);
});

test("a robots.txt of 5 MB and a sitemap that names itself", async () => {
  const started = await site({
    "/": page("home", ["/private/a", "/page/1"]),
    "/robots.txt": hostile("/big-robots/5000000"),
    "/sitemap.xml": hostile("/self-sitemap"),
  });
  const engine = engineFor();
  const job = await engine.crawl({ url: started.url });
  expect(paths((await job.wait()).data)).toEqual(["/", "/page/1"]);
  expect((await engine.getCrawlErrors(job.id)).robotsBlocked).toEqual([`${started.url}/private/a`]);
  expect(started.requests.get("/sitemap.xml")).toBeLessThanOrEqual(2);
});

test("a sitemap that comes in single characters and opens a tag that does not end", async () => {
  async function costOf(start: string): Promise<number> {
    const { url } = await site({
      "/": page("home"),
      "/sitemap.xml": async ({ response }) => {
        response.writeHead(200, { "content-type": "application/xml" }).write(start);
        for (let left = 50_000; left > 0; left--) {
          response.write("x");
          await nextTurn();
        }
        response.end();
      },
      "*": { status: 404 },
    });
    const begun = cpuTime();
    const status = await (await engineFor().crawl({ url })).wait();
    expect(paths(status.data)).toEqual(["/"]);
    return cpuTime() - begun;
  }
  // If the whole tag were read again with each character, it would cost four times as much as the comment.
  expect(await costOf("<")).toBeLessThan(2 * (await costOf("<!--")));
}, 60_000);

test.each(["/robots.txt", "/sitemap.xml"])(
  "a %s whose bytes unpack to gigabytes, and these to nothing",
  async (path) => {
    // Empty blocks of deflate, five bytes each, in the stream of a second coding.
    const empty = Buffer.alloc(1_000_000);
    for (let at = 0; at < empty.byteLength; at += 5) empty.set([0, 0, 0, 0xff, 0xff], at);
    const packed = gzipSync(empty, { level: 9 });
    const head = gzipSync(gzipSync("").subarray(0, 10));
    const body = gzipSync(Buffer.concat([head, ...Array<Buffer>(6000).fill(packed)]), { level: 9 });
    const { url } = await site({
      "/": page("home", ["/a"]),
      "/a": page("a"),
      [path]: { headers: { "content-encoding": "gzip, gzip, gzip" }, body },
      "*": { status: 404 },
    });
    const started = performance.now();
    const job = await engineFor().crawl({ url });
    expect(paths((await job.wait()).data)).toEqual(["/", "/a"]);
    expect(performance.now() - started).toBeLessThan(5000);
  },
);

test.each<[what: string, end: (response: ServerResponse) => void]>([
  // Cut in a line: what is left of it would forbid more than was written.
  ["breaks off", (response) => response.write("Disallow: /page", () => response.destroy())],
  ["has 10 MB", (response) => response.end("# nothing\n".repeat(1_000_000))],
])("a robots.txt that %s still forbids what it says", async (_what, end) => {
  const started = await site({
    "/": page("home", ["/private/a", "/page/1"]),
    "/robots.txt": ({ response }) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("User-agent: *\nDisallow: /private\n");
      end(response);
    },
  });
  const engine = engineFor();
  const job = await engine.crawl({ url: started.url });
  expect(paths((await job.wait()).data)).toEqual(["/", "/page/1"]);
  expect((await engine.getCrawlErrors(job.id)).robotsBlocked).toEqual([`${started.url}/private/a`]);
});

test("a certificate that nobody vouches for, and one that the host trusts", async () => {
  await using secure = await startTestSite({ "/": page("secure") }, { https: true });
  await expect(engineFor().scrape({ url: secure.url })).rejects.toMatchObject({ code: "SCRAPE_SSL_ERROR" });
  const skipping = await engineFor().scrape({ url: secure.url, skipTlsVerification: true });
  expect(skipping.data.markdown).toContain("secure");
  const trusting = engineFor({ network: { allowHosts: ["127.0.0.1"], ca: testOnlyCertificate.cert } });
  expect((await trusting.scrape({ url: secure.url })).data.markdown).toContain("secure");
});

test("a server that goes away in the middle of a crawl", async () => {
  const started = await site({ "/": page("home", ["/page/1", "/refuse-after/1", "/page/2", "/page/3", "/page/4"]) });
  const engine = engineFor({ limits: { maxConcurrencyPerHost: 1 } });
  const job = await engine.crawl({ url: started.url });
  const status = await job.wait();
  expect(status.status).toBe("completed");
  expect(status.total).toBe(6);
  expect(status.completed + (await engine.getCrawlErrors(job.id)).errors.length).toBe(6);
});
