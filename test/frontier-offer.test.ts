import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Frontier } from "../src/frontier/frontier.ts";
import { createScope, type ScopeOptions } from "../src/frontier/scope.ts";

const options: ScopeOptions = {
  startUrl: "https://example.com/",
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  regexOnFullURL: false,
  maxDepth: 10,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
};

/** Offers, and stores what is new. */
async function take(frontier: Frontier, urls: string[], depth: number) {
  const offered = await frontier.offer(urls, { depth });
  frontier.keep(offered);
  return offered;
}

test("each page enters once, each URL left out is reported once", async () => {
  const frontier = new Frontier(createScope(options));
  const first = await take(
    frontier,
    ["https://example.com/a", "https://example.com/a/#x", "http://www.example.com/a", "https://example.org/"],
    1,
  );
  expect(first.admitted).toEqual([{ url: "https://example.com/a", key: "example.com/a" }]);
  expect(first.leftOut).toEqual([{ url: "https://example.org/", key: "example.org/", reason: "EXTERNAL" }]);
  const second = await take(frontier, ["https://example.com/a", "https://example.com/b", "https://example.org/"], 2);
  expect(second.admitted.map(({ key }) => key)).toEqual(["example.com/b"]);
  expect(second.leftOut).toEqual([]);
  expect(frontier.size).toBe(2);
  for (let page = 0; page < 3; page++)
    expect((await take(frontier, ["https://example.com/a"], 1)).admitted).toEqual([]);
});

test("what could not be stored is new again", async () => {
  const frontier = new Frontier(createScope(options));
  const urls = ["https://example.com/a", "https://example.org/"];
  const lost = await frontier.offer(urls, { depth: 1 });
  expect(await frontier.offer(urls, { depth: 1 })).toEqual(lost);
  expect(lost.admitted).toHaveLength(1);
  expect(lost.leftOut).toHaveLength(1);
});

test("keys given back after a restart are known", async () => {
  const frontier = new Frontier(createScope(options));
  frontier.markKnown("example.com/a");
  expect((await frontier.offer(["https://example.com/a/"], { depth: 1 })).admitted).toEqual([]);
});

test("a URL that was too far away may enter by a shorter way", async () => {
  const frontier = new Frontier(createScope({ ...options, maxDiscoveryDepth: 1 }));
  expect((await take(frontier, ["https://example.com/a"], 2)).leftOut).toHaveLength(1);
  expect((await frontier.offer(["https://example.com/a"], { depth: 1 })).admitted).toHaveLength(1);
});

test("follows the start URL to where it led", async () => {
  const frontier = new Frontier(createScope(options));
  frontier.rebase("https://example.org/");
  expect((await frontier.offer(["https://example.org/a"], { depth: 1 })).admitted).toHaveLength(1);
});

test("reports no more than was asked for", async () => {
  const frontier = new Frontier(createScope(options), { maxLeftOut: 3 });
  const urls = Array.from({ length: 10 }, (_, page) => `https://example.org/${page}`);
  expect((await take(frontier, urls, 1)).leftOut).toHaveLength(3);
  expect((await take(frontier, urls.reverse(), 1)).leftOut).toHaveLength(0);
});

test("reports a link that holds megabytes by its beginning", async () => {
  const frontier = new Frontier(createScope(options));
  const { leftOut } = await frontier.offer([`data:text/plain,${"x".repeat(5_000_000)}`], { depth: 1 });
  expect(leftOut[0]?.url).toMatch(/^data:text\/plain,x{2000,2100}$/);
});

test("a site that writes one link in ever new ways does not fill the memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const frontier = new Frontier(createScope(options));
  const links = (from: number) =>
    Array.from({ length: 50_000 }, (_, number) => `https://other.example/?utm_term=${from + number}`);
  const megabytes = () => {
    collect();
    return process.memoryUsage().arrayBuffers / 1e6;
  };
  const before = megabytes();
  for (let from = 0; from < 1_600_000; from += 50_000) await take(frontier, links(from), 1);
  // If all were remembered, it would stay at 42.
  await expect.poll(() => megabytes() - before, { timeout: 5000, interval: 500 }).toBeLessThan(28);
}, 60_000);

test("100,000 links on one page do not hold the event loop", async () => {
  const frontier = new Frontier(createScope(options));
  const urls = Array.from({ length: 100_000 }, (_, page) => `https://example.com/a/${page}?x=${page}`);
  let turns = 0;
  let running = true;
  const ticking = (async () => {
    while (running) {
      await wait(1);
      turns++;
    }
  })();
  const { admitted } = await frontier.offer(urls, { depth: 1 });
  running = false;
  await ticking;
  expect(admitted).toHaveLength(100_000);
  expect(turns).toBeGreaterThan(10);
});

test("what is kept is not parsed again: it may be 100,000 links, and nothing else goes on meanwhile", async () => {
  let parsed = 0;
  const scope = createScope(options);
  const key = (url: string) => {
    parsed += 1;
    return scope.key(url);
  };
  const frontier = new Frontier({ ...scope, key });
  const offered = await frontier.offer(["https://example.org/a", "https://example.org/b"], { depth: 1 });
  frontier.keep(offered);
  expect(offered.leftOut).toHaveLength(2);
  expect(parsed).toBe(2);
});

test("what was left out often enters once the site has moved there, or its rules allow it", async () => {
  let allowed = false;
  const frontier = new Frontier(createScope({ ...options, isAllowedByRobots: () => allowed }));
  for (let page = 0; page < 3; page++) await take(frontier, ["https://example.org/b", "https://example.com/a"], 1);
  allowed = true;
  const listed = await take(frontier, ["https://example.com/a"], 1);
  expect(listed.admitted.map(({ key }) => key)).toEqual(["example.com/a"]);
  frontier.rebase("https://example.org/");
  const moved = await take(frontier, ["https://example.org/b"], 1);
  expect(moved.admitted.map(({ key }) => key)).toEqual(["example.org/b"]);
});
