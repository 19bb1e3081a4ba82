/** Options that make no sense are refused when the engine is made, not at the first page. */
import { expect, test } from "vitest";
import { CrawlcoreError, configure, createEngine, type EngineOptions, serviceRoutes } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

test.each([
  [null, ""],
  [{ unknown: 1 }, "unknown"],
  [{ limits: { maxConcurrency: 0 } }, "limits.maxConcurrency"],
  [{ limits: { jobTtlMs: Number.MAX_SAFE_INTEGER } }, "limits.jobTtlMs"],
  [{ limits: { changeHistoryTtlMs: 8.64e15 } }, "limits.changeHistoryTtlMs"],
  [{ network: { ca: 5 } }, "network.ca"],
  [{ network: { ca: "no certificate" } }, "network.ca"],
  [{ network: { ca: [5] } }, "network.ca"],
  [{ network: { allowHosts: ["300.1.1.1/99"] } }, "network.allowHosts"],
  [{ network: { userAgent: "two\nlines" } }, "network.userAgent"],
  [{ network: { userAgent: "" } }, "network.userAgent"],
  [{ webhooks: { signatureHeader: "two words" } }, "webhooks.signatureHeader"],
  [{ webhooks: { signatureHeader: "Content-Length" } }, "webhooks.signatureHeader"],
  [{ webhooks: { timeoutMs: 2 ** 31 } }, "webhooks.timeoutMs"],
  [{ webhooks: { retryDelays: [1e300] } }, "webhooks.retryDelays"],
  [{ limits: { modelTimeoutMs: 2 ** 31 } }, "limits.modelTimeoutMs"],
  [{ browser: { maxPages: "two", unknown: 1 } }, "browser.maxPages"],
  [{ browser: { maxPagesPerBrowser: 0 } }, "browser.maxPagesPerBrowser"],
  [{ browser: { maxBrowserAgeMs: 0.5 } }, "browser.maxBrowserAgeMs"],
  [{ browser: { maxBrowserMemory: "1 GB" } }, "browser.maxBrowserMemory"],
  [{ storage: {} }, "storage"],
  [{ model: {} }, "model"],
  [{ model: "" }, "model"],
  [{ model: null }, "model"],
  [{ model: "openai/gpt-x" }, "model must be a LanguageModel of the AI SDK rather than an id"],
  [{ browser: { browser: {} } }, "browser.browser must be an object with newContext"],
  [{ browser: { maxPages: 0, other: 1 } }, "browser.maxPages must be at least 1; browser has the unknown option"],
  [{ browser: true }, "browser"],
  [{ proxies: { basic: ["me:secret@10.0.0.1:8080"] } }, "proxies.basic[0] must be a URL"],
  [{ proxies: { stealth: ["http://10.0.0.1:8080", "socks5://10.0.0.1"] } }, "proxies.stealth[1] must be a URL"],
  [
    { proxies: { byCountry: { USA: ["http://10.0.0.1:8080"] } } },
    "proxies.byCountry.USA must be a country code of two letters",
  ],
  [
    { proxies: { byCountry: { UK: ["http://10.0.0.1:8080"] } } },
    "proxies.byCountry.UK must be the code of a country in ISO 3166-1; that of the United Kingdom is GB",
  ],
  [{ events: [{ emit: 5 }] }, "events[0] must be an object with emit"],
  [{ search: 5 }, "search must be an object with name, search, or a list"],
  [{ browser: 5 }, "browser must be false or an object"],
  [{ proxies: 5 }, "proxies must be an object or a function"],
  [{ webhooks: { secret: 5 } }, "webhooks.secret must be a text or a function"],
  [
    { network: { allowHosts: ["a b", "ok.example", "10.0.0.0/64"], ca: ["none"] }, limits: { maxConcurrency: 0 } },
    "network.allowHosts[0] is not a host name, an address or a range; network.allowHosts[2] is not a host name, an " +
      "address or a range; network.ca[0] is not a certificate in PEM form; limits.maxConcurrency must be at least 1",
  ],
  [{ publicUrl: "nowhere" }, "publicUrl"],
  [{ publicUrl: "https://api.example.com?key=1" }, "publicUrl"],
])("%j", (options, named) => {
  let thrown: unknown;
  try {
    createEngine(options as EngineOptions);
  } catch (error) {
    thrown = error;
  }
  expect(CrawlcoreError.isInstance(thrown)).toBe(true);
  expect(thrown).toMatchObject({ code: "BAD_REQUEST", statusCode: 400 });
  expect((thrown as Error).message).toContain(named);
});

test("what is said of a proxy does not repeat its password", () => {
  const make = () => createEngine({ proxies: { basic: ["me:secret@10.0.0.1:8080"] } });
  expect(make).toThrow(expect.objectContaining({ message: expect.not.stringContaining("secret") }));
});

test("configure refuses them too", () => {
  expect(() => configure({ unknown: 1 } as EngineOptions)).toThrow(/unknown/);
  expect(() => configure({ network: { allowHosts: ["a b"] } })).toThrow(/allowHosts/);
});

test("limits and prices of a class count, those that it computes too, and so does the caller of a service's path", async () => {
  const { url } = await site({ "/": { body: page("Home") } });
  class Prices {
    get page() {
      return 7;
    }
  }
  class Caller {
    get team() {
      return "reef";
    }
  }
  const engine = engineFor({ pricing: new Prices(), browser: false });
  const { data } = await engine.scrape({ url });
  expect(data.metadata.creditsUsed).toBe(7);
  const start = serviceRoutes.find(({ method, path }) => method === "POST" && path === "/v1/crawl")!;
  const { id } = (await start.answer(engine, { body: { url, limit: 1 } }, new Caller())) as { id: string };
  expect(await engine.getCrawlStatus(id, {}, { team: "reef" })).toMatchObject({ data: expect.any(Array) });
  await expect(engine.getCrawlStatus(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an option that is undefined has its default", async () => {
  const { url } = await site({ "/": { body: page("Home") } });
  const engine = engineFor({
    pricing: { page: undefined },
    limits: { maxConcurrency: undefined, jobTtlMs: undefined, maxPagesPerJob: undefined, statusChunkBytes: undefined },
    webhooks: { timeoutMs: undefined, retryDelays: undefined },
    network: { maxBodyBytes: undefined, maxRedirects: undefined, userAgent: undefined },
    browser: false,
  });
  const { data } = await engine.scrape({ url });
  expect(data.metadata.creditsUsed).toBe(1);
  const job = await engine.crawl({ url, limit: 1 });
  expect(await job.wait()).toMatchObject({ status: "completed", completed: 1, creditsUsed: 1 });
});
