/** The suite that every {@link Fetcher} must pass. */
import assert from "node:assert/strict";
import { CrawlcoreError } from "../errors.ts";
import type { Fetcher, FetchRequest, FetchResponse } from "../ports/fetcher.ts";
import { freshForEach, type RegisterTest } from "./fresh-for-each.ts";
import { hostile } from "./hostile-routes.ts";
import { startTestSite, type TestSite } from "./test-site.ts";
import type { TestRoutes } from "./test-site-answer.ts";

export interface FetcherSuiteOptions {
  /** Registers a test: `test` of vitest, Jest or `node:test`. */
  readonly test: RegisterTest;
  create(): Promise<FetcherUnderTest> | FetcherUnderTest;
}

export interface FetcherUnderTest {
  /** May reach 127.0.0.1 and no other private address. The suite closes it. */
  readonly fetcher: Fetcher;
  /** Closes what the fetcher was made of. */
  close?(): Promise<void>;
}

/**
 * Registers the tests of the {@link Fetcher} contract with the test runner that is handed in.
 *
 * @example
 * import { test } from "node:test";
 * import { testFetcher } from "crawlcore/testing";
 *
 * testFetcher({ test, create: () => ({ fetcher: myFetcher({ allowHosts: ["127.0.0.1"] }) }) });
 */
export function testFetcher({ test, create }: FetcherSuiteOptions): void {
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
    const headers = { "X-Answer": "yes", "content-type": "text/html; charset=utf-8" };
    const { url } = await site({ "/page?a=1": { headers, body: html("kettles") } });
    const response = await get(`${url}/page?a=1`);
    assert.match(textOf(response), /<h1>kettles<\/h1>/);
    assert.deepEqual([response.statusCode, response.statusText], [200, "OK"]);
    assert.deepEqual([response.url, response.redirects, response.proxyUsed], [`${url}/page?a=1`, [], "basic"]);
    assert.equal(response.headers["x-answer"], "yes");
  });

  check("any status is an answer, with its reason", async ({ site, get }) => {
    const { url } = await site({ "/gone": { status: 410, body: html("gone") } });
    const response = await get(`${url}/gone`);
    assert.deepEqual([response.statusCode, response.statusText], [410, "Gone"]);
    assert.match(textOf(response), /gone/);
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
    await get(`${own.url}/sets`);
    await get(`${own.url}/next`, { team: "another" });
    assert.equal(headerOf(own, "/next", "cookie"), undefined);
  });

  check("several pages are fetched at once, each with its own answer", async ({ site, get }) => {
    const { url } = await site({ "*": ({ url }) => ({ delay: 50, body: html(`page ${url.pathname}`) }) });
    const paths = ["/1", "/2", "/3"];
    const bodies = await Promise.all(paths.map(async (path) => textOf(await get(url + path))));
    for (const [index, path] of paths.entries()) assert.match(bodies[index] ?? "", new RegExp(`page ${path}`));
  });

  check("a signal ends a fetch at once, with its reason", async ({ site, get }) => {
    const { url } = await site({ "/": ({ signal }) => untilGone(signal) });
    const controller = new AbortController();
    const reason = new Error("enough");
    const begun = performance.now();
    const fetching = get(`${url}/`, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    await assert.rejects(fetching, (error) => error === reason);
    assert.ok(performance.now() - begun < 2000, "it took longer than 2 s to stop");
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

  check("an address that is not allowed is not connected to, not after a redirect either", async ({ site, get }) => {
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
