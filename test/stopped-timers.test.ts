/** A host's tests that have stopped all timers, as their libraries do unless told otherwise. */
import { expect, test, vi } from "vitest";
import type { Fetcher } from "../src/index.ts";
import { engineFor, page, site } from "./start-engine.ts";

/** Vitest loads what is imported later with timers of its own, which it stops as well: everything is loaded before. */
async function withStoppedTimers(run: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "Date", "performance"] });
  try {
    await run();
  } finally {
    vi.useRealTimers();
  }
}

test("with a fetcher of the host, pages are scraped, crawled and found", async () => {
  const pages: Record<string, string> = {
    "/": page("home", ["/large"]),
    "/large": `<h1>Large</h1>${"<p>Some words in a row.</p>".repeat(50)}`,
  };
  const fetcher: Fetcher = {
    name: "own",
    can: new Set(),
    async fetch({ url }) {
      return {
        url,
        statusCode: 200,
        statusText: "OK",
        headers: { "content-type": "text/html" },
        body: Buffer.from(pages[new URL(url).pathname]!),
        rendered: false,
        redirects: [],
        proxyUsed: "basic",
      };
    },
    async close() {},
  };
  const use = async () => {
    const engine = engineFor({ fetchers: [fetcher], browser: false, robots: "ignore" });
    const { data } = await engine.scrape({ url: "http://127.0.0.1/large" });
    expect(data.markdown).toMatch(/^# Large/);
    const job = await engine.crawl({ url: "http://127.0.0.1/", limit: 2, ignoreSitemap: true });
    expect(await job.wait()).toMatchObject({ status: "completed", completed: 2 });
    expect((await engine.search({ query: "words" })).data).toHaveLength(1);
  };
  await use();
  await withStoppedTimers(use);
});

test("over HTTP, the first page from a site arrives", async () => {
  const { url } = await site({ "/": page("home") });
  const engine = engineFor({ browser: false });
  const other = await site({ "/": page("other") });
  await engine.scrape({ url: other.url });
  await withStoppedTimers(async () => {
    expect((await engine.scrape({ url })).data.metadata.title).toBe("home");
  });
});
