/** The conformance suite of the {@link Fetcher} contract. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { CrawlcoreError } from "../errors.ts";
import type { Fetcher, FetchRequest, FetchResponse } from "../ports/fetcher.ts";
import { freshForEach, type RegisterTest } from "./fresh-for-each.ts";
import { hostile } from "./hostile-routes.ts";
import { startTestSite, type TestSite } from "./test-site.ts";
import type { TestRoutes } from "./test-site-answer.ts";

/** Options of {@link testFetcher}. */
export interface FetcherSuiteOptions {
  /** Registers a test: `test` of vitest, Jest or `node:test`. */
  readonly test: RegisterTest;
  /**
   * False for a fetcher that does not check by itself which addresses it connects to, as a service behind it may not.
   * @default true
   */
  readonly guarded?: boolean;
  create(): Promise<FetcherUnderTest> | FetcherUnderTest;
}

/** The fetcher that one test uses. */
export interface FetcherUnderTest {
  /** It must be allowed to reach 127.0.0.1, and, if it is guarded, no other private address. The suite closes it. */
  readonly fetcher: Fetcher;
  /** Releases what the fetcher was made from, after it has been closed. */
  close?(): Promise<void>;
}

/**
 * Registers the tests of the {@link Fetcher} contract with the given test runner.
 *
 * @example
 * import { test } from "node:test";
 * import { testFetcher } from "crawlcore/testing";
 *
 * testFetcher({ test, create: () => ({ fetcher: myFetcher({ allowHosts: ["127.0.0.1"] }) }) });
 */
export function testFetcher({ test, guarded = true, create }: FetcherSuiteOptions): void {
  const check = freshForEach(test, async () => {
    const { fetcher, close } = await create();
    const sites: TestSite[] = [];
    return {
      fetcher,
      async site(routes: TestRoutes) {
        const site = await startTestSite(routes);
        sites.push(site);
        return site;
      },
      get: (url: string, more: Partial<FetchRequest> = {}) => fetcher.fetch(asked(url, more)),
      async close() {
        await fetcher.close();
        await close?.();
        for (const site of sites) await site.close();
      },
    };
  });

  check("an answer holds the body, the status, the headers and the URL", async ({ fetcher, site, get }) => {
    assert.match(fetcher.name, /\S/);
    const repeated = { "x-part": ["one", "two"], "set-cookie": "a=b" };
    const headers = { "X-Answer": "yes", "content-type": "text/html; charset=utf-8", ...repeated };
    const { url } = await site({ "/page?a=1": { headers, body: html("kettles") } });
    const response = await get(`${url}/page?a=1`);
    assert.match(textOf(response), /<h1>kettles<\/h1>/);
    assert.deepEqual([response.statusCode, response.statusText], [200, "OK"]);
    assert.deepEqual([response.url, response.redirects, response.proxyUsed], [`${url}/page?a=1`, [], "basic"]);
    assert.equal(response.headers["x-answer"], "yes");
    assert.equal(response.headers["x-part"], "one, two");
    assert.equal(response.headers["set-cookie"], undefined);
  });

  check("any status is an answer, with its reason", async ({ site, get }) => {
    const statuses = [
      [410, "Gone"],
      [503, "Service Unavailable"],
    ] as const;
    for (const [status, reason] of statuses) {
      const { url } = await site({ "/": { status, body: html(reason) } });
      const response = await get(`${url}/`);
      assert.deepEqual([response.statusCode, response.statusText], [status, reason]);
      assert.match(textOf(response), new RegExp(reason));
    }
  });

  check("a body comes whole and unpacked, in the charset that the answer says or as UTF-8", async ({ site, get }) => {
    const large = html(`${"<p>Größe 大小</p>".repeat(20_000)} the end`);
    const gzip = { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" };
    const latin = { "content-type": "text/html; charset=iso-8859-1" };
    const { url } = await site({
      "/large": { headers: gzip, body: gzipSync(large) },
      "/latin": { headers: latin, body: Buffer.from(html("café"), "latin1") },
    });
    const text = textOf(await get(`${url}/large`));
    assert.equal(text.match(/Größe 大小/g)?.length, 2 * 20_000);
    assert.match(text, /the end/);
    const response = await get(`${url}/latin`);
    const charset = response.rendered ? "utf-8" : "iso-8859-1";
    assert.match(new TextDecoder(charset).decode(response.body), /café/);
  });

  check("redirects are followed and listed", async ({ site, get }) => {
    const { url } = await site({
      "/one": { status: 302, headers: { location: "/two" } },
      "/two": { status: 301, headers: { location: "/three" } },
      "/three": html("three"),
    });
    const response = await get(`${url}/one`);
    assert.equal(response.url, `${url}/three`);
    assert.deepEqual(response.redirects, [`${url}/one`, `${url}/two`]);
  });

  check("a caller's headers go to the origin that was asked for, and to no other", async ({ site, get }) => {
    const other = await site({ "/": html("other") });
    const own = await site({ "/": { status: 302, headers: { location: `${other.url}/` } } });
    await get(`${own.url}/`, { headers: { "x-key": "secret" } });
    assert.equal(headerOf(own, "/", "x-key"), "secret");
    assert.equal(headerOf(other, "/", "x-key"), undefined);
  });

  check("cookies of one page are not seen by the next", async ({ site, get }) => {
    const own = await site({
      "/sets": { headers: { "set-cookie": "session=one; Path=/" }, body: html("sets") },
      "/next": html("next"),
    });
    assert.equal((await get(`${own.url}/sets`)).headers["set-cookie"], undefined);
    await get(`${own.url}/next`, { team: "another" });
    assert.equal(headerOf(own, "/next", "cookie"), undefined);
  });

  check("each fetch of a page asks for it, with its own headers only", async ({ site, get }) => {
    const { url } = await site({
      "/": ({ count, request }) => ({
        headers: { "cache-control": "max-age=1000", "content-type": "text/html" },
        body: html(`visit ${count} of ${request.headers["x-key"] ?? "nobody"}`),
      }),
    });
    assert.match(textOf(await get(`${url}/`, { headers: { "x-key": "ann" } })), /visit 1 of ann/);
    assert.match(textOf(await get(`${url}/`, { team: "another" })), /visit 2 of nobody/);
    const both = await Promise.all(["bob", "cid"].map((key) => get(`${url}/`, { headers: { "x-key": key } })));
    assert.deepEqual(
      both.map((response) => /of (\w+)/.exec(textOf(response))?.[1]),
      ["bob", "cid"],
    );
  });

  check("several pages are fetched at once, each with its own answer", async ({ site, get }) => {
    let met = () => {};
    const meeting = new Promise<void>((resolve) => {
      met = resolve;
    });
    const { url } = await site({
      "*": async ({ url }) => {
        if (url.pathname === "/2") met();
        // The first page is answered only once the second has been requested.
        if (url.pathname === "/1") await meeting;
        return { delay: 50, body: html(`page ${url.pathname}`) };
      },
    });
    const paths = ["/1", "/2", "/3"];
    const bodies = await Promise.all(paths.map(async (path) => textOf(await get(url + path))));
    for (const [index, path] of paths.entries()) assert.match(bodies[index] ?? "", new RegExp(`page ${path}`));
  });

  check("a signal ends a fetch at once, with its reason", async ({ site, get }) => {
    const controller = new AbortController();
    const reason = new Error("enough");
    let begun = 0;
    let left = () => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const { url } = await site({
      "/": ({ signal }) => {
        signal.addEventListener("abort", left, { once: true });
        setTimeout(() => {
          begun = performance.now();
          controller.abort(reason);
        }, 50);
        return untilGone(signal);
      },
    });
    await assert.rejects(get(`${url}/`, { signal: controller.signal }), (error) => error === reason);
    assert.ok(performance.now() - begun < 2000, "it took longer than 2 s to stop");
    const late = new Promise((_, reject) => {
      setTimeout(() => reject(new Error("the connection was still there 5 s after the signal")), 5000).unref();
    });
    await Promise.race([gone, late]);
    // Aborted possibly before there is anything to stop.
    const early = new AbortController();
    const fetching = get(`${url}/early`, { signal: early.signal });
    early.abort(reason);
    await assert.rejects(fetching, (error) => error === reason);
    await assert.rejects(get(`${url}/`, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  });

  check("a connection that breaks is an error of the package, to be tried again", async ({ site, get }) => {
    const { url } = await site({ "/": hostile("/reset-before-headers") });
    await assert.rejects(get(`${url}/`), (error) => {
      assert.ok(CrawlcoreError.isInstance(error));
      assert.equal(error.code, "SCRAPE_SITE_ERROR");
      return true;
    });
  });

  const checkGuarded: typeof check = guarded ? check : () => {};
  checkGuarded("an address that is not allowed is not connected to, nor after a redirect", async ({ site, get }) => {
    const own = await site({ "/page": html("own") });
    const forbidden = `http://127.0.0.2:${own.port}/page`;
    own.route("/leads-there", { status: 302, headers: { location: forbidden } });
    for (const url of [forbidden, `${own.url}/leads-there`]) {
      await assert.rejects(get(url), (error) => CrawlcoreError.isInstance(error) && error.code === "FORBIDDEN_ADDRESS");
    }
    assert.equal(own.requests.get("/page"), undefined);
  });

  check("closing is idempotent", async ({ fetcher, site, get }) => {
    const { url } = await site({ "/": html("home") });
    await get(`${url}/`);
    await fetcher.close();
    await fetcher.close();
  });
}

function asked(url: string, more: Partial<FetchRequest>): FetchRequest {
  return {
    url,
    headers: {},
    needs: new Set(),
    signal: AbortSignal.timeout(20_000),
    skipTlsVerification: false,
    blockAds: false,
    mobile: false,
    waitFor: 0,
    actions: [],
    proxy: "basic",
    team: "team-a",
    ...more,
  };
}

function html(text: string): string {
  return `<!doctype html><html><head><title>${text}</title></head><body><h1>${text}</h1><p>Some words.</p></body></html>`;
}

function textOf({ body }: FetchResponse): string {
  return new TextDecoder().decode(body);
}

function headerOf(site: TestSite, target: string, name: string): unknown {
  return site.received.find((request) => request.target === target)?.headers[name];
}

function untilGone(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the client has gone")), { once: true });
  });
}
