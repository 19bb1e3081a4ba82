import { describe, expect, test } from "vitest";
import { RequestError, ScrapeError } from "../src/errors.ts";
import { isChallenge } from "../src/fetch/block-signals.ts";
import { crashOf } from "../src/fetch/crash.ts";
import { withDeadline } from "../src/fetch/deadline.ts";
import { createFetchPage } from "../src/fetch/fetch-page.ts";
import { httpFetcher } from "../src/fetch/http-fetcher.ts";
import type { Fetcher, FetchNeed, FetchRequest, FetchResponse } from "../src/ports/fetcher.ts";
import { orAborted } from "../src/shared/or-aborted.ts";
import { cpuTime } from "./cpu-time.ts";
import { failure } from "./failure.ts";
import { httpServer, testClient, text } from "./network-server.ts";

function pageRequest(url: string, more: Partial<FetchRequest> = {}): FetchRequest {
  return {
    url,
    headers: {},
    needs: new Set(),
    signal: new AbortController().signal,
    skipTlsVerification: false,
    blockAds: true,
    mobile: false,
    waitFor: 0,
    actions: [],
    proxy: "basic",
    team: "default",
    ...more,
  };
}

function answer(html: string, more: Partial<FetchResponse> = {}): FetchResponse {
  return {
    url: "http://a.test/",
    statusCode: 200,
    statusText: "OK",
    headers: { "content-type": "text/html; charset=utf-8" },
    body: Buffer.from(html),
    rendered: false,
    redirects: [],
    proxyUsed: "basic",
    ...more,
  };
}

function fetcher(name: string, can: FetchNeed[], result: FetchResponse | Error): Fetcher & { calls: number } {
  return {
    name,
    can: new Set(can),
    calls: 0,
    async fetch() {
      this.calls += 1;
      if (result instanceof Error) throw result;
      return result;
    },
    async close() {},
  };
}

/** A page by fetchers that have met no host yet. */
function fetchPage(fetchers: readonly Fetcher[], request: FetchRequest) {
  return createFetchPage(fetchers)(request);
}

const shell = `<!doctype html><html><head><title>App</title><style>${"p{color:red}".repeat(50)}</style></head>
  <body><noscript>${"Please switch scripts on. ".repeat(20)}</noscript><div id="root"></div>
  <script>${"var state = {a: 1};".repeat(200)}</script><script src="/app.js"></script></body></html>`;
const article = `<html><body><script src="/a.js"></script><p>${"A sentence that can be read. ".repeat(30)}</p></body></html>`;

describe("choosing a fetcher", () => {
  const rendered = answer("<p>rendered</p>", { rendered: true });

  test("the first that can is used, and no other when its page is good", async () => {
    const [http, browser] = [fetcher("http", [], answer(article)), fetcher("browser", ["render"], rendered)];
    expect(text((await fetchPage([http, browser], pageRequest("http://a.test/"))).body)).toBe(article);
    expect(browser.calls).toBe(0);
  });

  test("the next is not even asked what it can do: to answer, it would have to look for a browser", async () => {
    const browser = Object.defineProperty(fetcher("browser", [], rendered), "can", {
      get: () => expect.unreachable("it was asked"),
    });
    const page = await fetchPage([fetcher("http", [], answer(article)), browser], pageRequest("http://a.test/"));
    expect(page.engine).toBe("http");
  });

  test("a page is read behind scripts whose tags differ in case", async () => {
    for (const script of ["<SCRIPT>go()</script>", "<script>go()</SCRIPT>"]) {
      const page = answer(article.replace("<p>", `${script}<p>`));
      const [http, browser] = [fetcher("http", [], page), fetcher("browser", ["render"], rendered)];
      expect((await fetchPage([http, browser], pageRequest("http://a.test/"))).engine).toBe("http");
    }
  });

  test("one that cannot do what is needed is passed over", async () => {
    const [http, browser] = [fetcher("http", [], answer(article)), fetcher("browser", ["render", "waitFor"], rendered)];
    const needs = new Set<FetchNeed>(["waitFor"]);
    expect(await fetchPage([http, browser], pageRequest("http://a.test/", { needs }))).toMatchObject({ ...rendered });
    expect(http.calls).toBe(0);
  });

  test("a need that no fetcher meets is refused, with what to configure", async () => {
    const needs = new Set<FetchNeed>(["screenshot", "actions"]);
    const error = await failure(fetchPage([fetcher("http", [], rendered)], pageRequest("http://a.test/", { needs })));
    expect(error).toMatchObject({ code: "UNSUPPORTED", statusCode: 501 });
    expect(error.message).toMatch(/screenshot, actions.*`browser`/);
  });

  test("an empty application shell is rendered if that is possible", async () => {
    const http = fetcher("http", [], answer(shell));
    const browser = fetcher("browser", ["render"], rendered);
    expect(await fetchPage([http, browser], pageRequest("http://a.test/"))).toMatchObject({ ...rendered });
    expect(text((await fetchPage([http], pageRequest("http://a.test/"))).body)).toBe(shell);
  });

  test.each([
    ["an article", answer(article)],
    ["a short page without scripts", answer("<p>Hello</p>")],
    ["an error page", answer(shell, { statusCode: 404 })],
    ["what is no HTML", answer(shell, { headers: { "content-type": "text/plain" } })],
    ["a page without end tags", answer(`<script>${article}`.slice(0, -14), { statusCode: 500 })],
  ])("%s is not rendered", async (_, response) => {
    const browser = fetcher("browser", ["render"], rendered);
    expect(await fetchPage([fetcher("http", [], response), browser], pageRequest("http://a.test/"))).toMatchObject({
      ...response,
    });
    expect(browser.calls).toBe(0);
  });

  test("a shell is better than nothing when rendering fails", async () => {
    const browser = fetcher("browser", ["render"], new ScrapeError("UNKNOWN_ERROR", "crashed"));
    const page = await fetchPage([fetcher("http", [], answer(shell)), browser], pageRequest("http://a.test/"));
    expect(text(page.body)).toBe(shell);
    expect(page.warning).toMatch(/scripts/);
  });

  test("a browser that broke down is tried once more, but not until the time is up; one that failed is not", async () => {
    const attempt = async (failed: Error) => {
      const deadline = withDeadline(undefined, 1_000);
      let calls = 0;
      const browser: Fetcher = {
        ...fetcher("browser", ["render"], failed),
        async fetch({ signal }) {
          calls += 1;
          if (calls === 1) throw failed;
          return orAborted(new Promise<never>(() => {}), signal);
        },
      };
      const request = pageRequest("http://a.test/", { signal: deadline.signal, timeout: 1_000 });
      try {
        const page = await fetchPage([fetcher("http", [], answer(shell)), browser], request);
        return { calls, html: text(page.body), warning: page.warning };
      } finally {
        deadline.dispose();
      }
    };
    const bare = { html: shell, warning: expect.stringContaining("opening it in a browser failed") };
    expect(await attempt(crashOf("The browser"))).toEqual({ calls: 2, ...bare });
    const brokenOff = new ScrapeError("SCRAPE_SITE_ERROR", "The answer broke off", { retryable: true });
    expect(await attempt(brokenOff)).toEqual({ calls: 1, ...bare });
  });

  test("an error that would be the same elsewhere is final, another one is not", async () => {
    const browser = fetcher("browser", ["render"], rendered);
    const fatal = new ScrapeError("SCRAPE_SSL_ERROR", "bad certificate");
    expect(await failure(fetchPage([fetcher("http", [], fatal), browser], pageRequest("http://a.test/")))).toBe(fatal);
    expect(browser.calls).toBe(0);
    const odd = new ScrapeError("UNKNOWN_ERROR", "odd");
    expect(await fetchPage([fetcher("http", [], odd), browser], pageRequest("http://a.test/"))).toMatchObject({
      ...rendered,
    });
    const all = fetchPage([fetcher("one", [], odd), fetcher("two", [], odd)], pageRequest("http://a.test/"));
    expect(await failure(all)).toMatchObject({ code: "SCRAPE_ALL_ENGINES_FAILED" });
    expect(await failure(fetchPage([fetcher("one", [], odd)], pageRequest("http://a.test/")))).toBe(odd);
  });

  test("a challenge is handed to the browser, whatever its status", async () => {
    const html = `<title>Just a moment...</title><script>window._cf_chl_opt = {}</script><p>Checking</p>`;
    for (const statusCode of [200, 403, 503]) {
      const [http, browser] = [
        fetcher("http", [], answer(html, { statusCode })),
        fetcher("browser", ["render"], rendered),
      ];
      const page = await fetchPage([http, browser], pageRequest("http://a.test/"));
      expect(page).toMatchObject({ engine: "browser", engineReason: "challenge" });
    }
    const mention = answer(`${article}<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>`);
    const browser = fetcher("browser", ["render"], rendered);
    await fetchPage([fetcher("http", [], mention), browser], pageRequest("http://a.test/"));
    expect(browser.calls).toBe(0);
  });

  test.each([
    '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
    '<script>window._pxAppId = "PX1"</script><script src="/1/init.js"></script>',
  ])("a short page is no challenge because of what a guard adds to every page: %s", async (script) => {
    const links = ["a", "b", "c", "d"].map((name) => `<a href="/${name}">${name}</a>`).join(" ");
    const http = fetcher("http", [], answer(`<main><p>Open from nine to five.</p>${links}</main>${script}`));
    const browser = fetcher("browser", ["render"], rendered);
    const page = await fetchPage([http, browser], pageRequest("http://a.test/"));
    expect(page).toMatchObject({ engine: "http", engineReason: "default" });
  });

  test("what a guard says in a header is a challenge with the status of one, not with the page itself", async () => {
    const reasonFor = async (statusCode: number) => {
      const guarded = answer("<p>A short note.</p>", { statusCode, headers: { "x-datadome": "protected" } });
      const fetchers = [fetcher("http", [], guarded), fetcher("browser", ["render"], rendered)];
      return (await fetchPage(fetchers, pageRequest("http://a.test/"))).engineReason;
    };
    expect([await reasonFor(200), await reasonFor(403)]).toEqual(["default", "challenge"]);
  });

  test("a page of many links is what it is, though it asks for scripts as well", async () => {
    const links = Array.from({ length: 12 }, (_, index) => `<a href="/${index}">Note ${index}</a>`);
    const index = answer(`<p>${links}</p><noscript>Please enable JavaScript.</noscript><script src="/a.js"></script>`);
    const fetchers = [fetcher("http", [], index), fetcher("browser", ["render"], rendered)];
    expect(await fetchPage(fetchers, pageRequest("http://a.test/"))).toMatchObject({ engine: "http" });
  });

  const full = answer(`<p>${"Much to read, all of it new. ".repeat(40)}</p>`, { rendered: true });
  /** Could be either: an application's element with a few words in it. */
  const either = answer(`<div id="app"><p>${"A few words. ".repeat(25)}</p></div><script src="/app.js"></script>`);
  const slight = answer(`<p>Hi</p><script src="/count.js"></script>`);

  test("a host whose pages gained by rendering tips the scales for a page that could be either", async () => {
    let next = answer(shell);
    const http: Fetcher = { name: "http", can: new Set(), fetch: async () => next, close: async () => {} };
    const fetchOne = createFetchPage([http, fetcher("browser", ["render"], full)]);
    const engineOf = async (response: FetchResponse, url = "http://a.test/") => {
      next = response;
      const { engine, engineReason } = await fetchOne(pageRequest(url));
      return `${engine} ${engineReason}`;
    };
    expect(await engineOf(either)).toBe("http default");
    for (let turn = 0; turn < 2; turn += 1) expect(await engineOf(answer(shell))).toBe("browser empty-root");
    expect(await engineOf(either)).toBe("browser host-experience");
    expect(await engineOf(either, "http://b.test/")).toBe("http default");
    expect(await engineOf(answer(article))).toBe("http default");
  });

  test("a host whose pages gained nothing is left alone, but failures teach nothing", async () => {
    const http = fetcher("http", [], slight);
    let outcome: FetchResponse | Error = new ScrapeError("UNKNOWN_ERROR", "crashed");
    let calls = 0;
    const browser: Fetcher = {
      name: "browser",
      can: new Set<FetchNeed>(["render"]),
      async fetch() {
        calls += 1;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      async close() {},
    };
    const fetchOne = createFetchPage([http, browser]);
    for (let turn = 0; turn < 5; turn += 1) await fetchOne(pageRequest("http://a.test/"));
    outcome = answer("", { rendered: true, statusCode: 503 });
    for (let turn = 0; turn < 5; turn += 1) await fetchOne(pageRequest("http://a.test/"));
    expect(calls).toBe(10);
    outcome = { ...slight, rendered: true };
    for (let turn = 0; turn < 5; turn += 1) await fetchOne(pageRequest("http://a.test/"));
    expect(calls).toBe(12);
  });

  test("the stealth tier goes on to the browser when it is refused", async () => {
    const http = fetcher("http", ["stealth"], answer("<h1>Out</h1>", { statusCode: 403 }));
    const browser = fetcher("browser", ["render", "stealth"], rendered);
    const request = pageRequest("http://a.test/", { proxy: "stealth", needs: new Set<FetchNeed>(["stealth"]) });
    expect(await fetchPage([http, browser], request)).toMatchObject({
      engine: "browser",
      engineReason: "blocked",
    });
    expect((await fetchPage([http], request)).statusCode).toBe(403);
  });

  test("the signal's reason wins over a fetcher's error, and ends the tries", async () => {
    const browser = fetcher("browser", ["render"], rendered);
    const signal = AbortSignal.abort(new Error("enough"));
    const http = fetcher("http", [], new ScrapeError("UNKNOWN_ERROR", "odd"));
    expect(await failure(fetchPage([http, browser], pageRequest("http://a.test/", { signal })))).toBe(signal.reason);
    expect(browser.calls).toBe(0);
  });

  test("a page of 200 KB of open angle brackets is judged in linear time", async () => {
    const browser = fetcher("browser", ["render"], rendered);
    const begun = cpuTime();
    for (const piece of ["<", "<script", "<script>", "</script", "<!--"]) {
      const hostile = answer(`<script>${piece.repeat(200_000 / piece.length)}`);
      await fetchPage([fetcher("http", [], hostile), browser], pageRequest("http://a.test/"));
    }
    expect(cpuTime() - begun).toBeLessThan(1000);
  });
});

describe("the HTTP fetcher", () => {
  const echo = () => httpServer((request, response) => response.end(JSON.stringify(request.headers)));
  async function headersFor(more: Partial<FetchRequest>, userAgent?: string): Promise<Record<string, string>> {
    const server = await echo();
    const { body } = await httpFetcher(testClient(), { userAgent }).fetch(pageRequest(server.url(), more));
    return JSON.parse(text(body));
  }

  test("says who it is, what it takes and in which languages", async () => {
    expect(await headersFor({})).toMatchObject({
      "user-agent": "Mozilla/5.0 (compatible; crawlcore)",
      accept: expect.stringContaining("text/html"),
      "accept-language": "en-US,en;q=0.9",
      "accept-encoding": "gzip, deflate, br, zstd",
    });
    const server = await echo();
    const own = await testClient({ userAgent: "host" }).request({ url: server.url() });
    expect(JSON.parse(text(own.body))).toMatchObject({ "user-agent": "host" });
    expect(await headersFor({}, "acme")).toMatchObject({ "user-agent": "acme" });
  });

  test("the caller's headers win", async () => {
    const headers = { "user-agent": "mine", "accept-language": "it", "x-a": "b", cookie: "c=d" };
    expect(await headersFor({ headers })).toMatchObject(headers);
  });

  test("asks conditionally, and reports what is unchanged", async () => {
    const server = await httpServer((request, response) => {
      const known = request.headers["if-none-match"] === '"1"' && request.headers["if-modified-since"] === "then";
      response.writeHead(known ? 304 : 200).end();
    });
    const request = pageRequest(server.url(), { ifNoneMatch: '"1"', ifModifiedSince: "then" });
    expect(await httpFetcher(testClient()).fetch(request)).toMatchObject({ statusCode: 304, rendered: false });
  });
});

describe("deadlines", () => {
  test("time that is up is a SCRAPE_TIMEOUT", async () => {
    const server = await httpServer(() => {});
    const deadline = withDeadline(undefined, 30);
    const outcome = failure(httpFetcher(testClient()).fetch(pageRequest(server.url(), { signal: deadline.signal })));
    expect(await outcome).toMatchObject({ code: "SCRAPE_TIMEOUT", statusCode: 408 });
    deadline.dispose();
  });

  test("the caller's abort comes through with its reason", () => {
    const controller = new AbortController();
    const deadline = withDeadline(controller.signal, 60_000);
    controller.abort("why");
    expect(deadline.signal.reason).toBe("why");
    deadline.dispose();
    expect(withDeadline(controller.signal, 60_000).signal.reason).toBe("why");
  });

  test("after dispose nothing fires", async () => {
    const controller = new AbortController();
    const deadline = withDeadline(controller.signal, 5);
    deadline.dispose();
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(deadline.signal.aborted).toBe(false);
  });

  test("waiting ends with the signal, and with the promise", async () => {
    expect(await orAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
    expect(await failure(orAborted(new Promise(() => {}), AbortSignal.abort("why")))).toBe("why");
    const error = new RequestError("BAD_REQUEST", "no");
    expect(await failure(orAborted(Promise.reject(error), undefined))).toBe(error);
    expect(await failure(orAborted(Promise.reject(error), new AbortController().signal))).toBe(error);
  });
});

test("a page with much text is no challenge, though it holds the script of a guard", () => {
  const guard = '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>';
  const answer = (text: string) => ({
    ...{ url: "http://a.test/", statusCode: 200, statusText: "OK", redirects: [], rendered: false },
    ...{ headers: { "content-type": "text/html" }, proxyUsed: "basic" as const },
    body: new TextEncoder().encode(`<html><head>${guard}</head><body><p>${text}</p></body></html>`),
  });
  expect(isChallenge(answer("One moment."))).toBe(true);
  expect(isChallenge(answer("This is what the page has to say. ".repeat(60)))).toBe(false);
  // No guard sends so much.
  expect(isChallenge(answer(`One moment.<!--${"x".repeat(128 * 1024)}-->`))).toBe(false);
});
