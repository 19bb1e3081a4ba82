/**
 * Measures the cost of admitting a URL. Run with `node --expose-gc benchmarks/frontier/run.ts [urls]` (default
 * 100,000). Each row is the median of five rounds in this process. Bytes are those still in use after garbage
 * collection.
 */

import { Frontier } from "../../src/frontier/frontier.ts";
import { HashSet64 } from "../../src/frontier/hash-set.ts";
import { parseRobots } from "../../src/frontier/robots.ts";
import { createScope, type ScopeOptions } from "../../src/frontier/scope.ts";
import { parseSitemap } from "../../src/frontier/sitemap.ts";
import { urlKey } from "../../src/frontier/url-key.ts";

const count = Number(process.argv[2] ?? 100_000);
const rounds = 5;
const linksPerPage = 200;

const urls = Array.from(
  { length: count },
  (_, page) =>
    `https://www.example.com/docs/section-${page % 97}/article-about-something-${page}?page=${page % 7}&lang=en`,
);
const options: ScopeOptions = {
  startUrl: "https://example.com/docs/",
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  regexOnFullURL: false,
  maxDepth: 10,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
};
const robots = parseRobots(
  `User-agent: *\n${Array.from({ length: 60 }, (_, rule) => `Disallow: /private-${rule}/`).join("\n")}\nDisallow: /*?print=\nDisallow: /*.cgi$`,
);
const strict: ScopeOptions = {
  ...options,
  includePaths: ["^/docs/.*", "^/blog/\\d{4}/"],
  excludePaths: ["/internal/", "\\.php$", "/tag/(a|b|c)[^/]*$"],
  isAllowedByRobots: (url) => robots.isAllowed(url, "crawlcore"),
};

const rows: Record<string, string>[] = [];

async function measure(what: string, operations: number, run: () => unknown): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  const median = times.sort((left, right) => left - right)[rounds >> 1]!;
  rows.push({
    what,
    "µs each": ((median * 1000) / operations).toFixed(2),
    "each second": Math.round((operations / median) * 1000).toLocaleString("en"),
  });
}

/** Offers the URLs as a crawl does: the links of one page at a time. */
async function offerAll(frontier: Frontier): Promise<void> {
  for (let start = 0; start < count; start += linksPerPage) {
    const links = urls.slice(start, start + linksPerPage);
    frontier.keep(await frontier.offer(links, { depth: 1, from: options.startUrl }));
  }
}

await measure("key of a URL", count, () => {
  for (const url of urls) urlKey(url, options);
});
await measure("compact set: add", count, () => {
  const set = new HashSet64();
  for (const url of urls) set.add(url);
});
const plain = createScope(options);
await measure("scope: defaults", count, () => {
  for (const url of urls) plain.admit(url, { depth: 1 });
});
const ruled = createScope(strict);
await measure("scope: five patterns and robots.txt", count, () => {
  for (const url of urls) ruled.admit(url, { depth: 1 });
});
await measure("scope: external links, refused", count, () => {
  for (const url of urls) plain.admit(`https://other.example.org${url.slice(23)}`, { depth: 1 });
});
await measure("frontier: new URLs", count, () => offerAll(new Frontier(ruled)));
const known = new Frontier(ruled);
await offerAll(known);
await offerAll(known);
await measure("frontier: known URLs", count, () => offerAll(known));
await measure("robots.txt: 62 rules", count, () => {
  for (const url of urls) robots.isAllowed(url, "crawlcore");
});
const sitemap = new TextEncoder().encode(
  `<urlset>${urls.map((url) => `<url><loc>${url.replaceAll("&", "&amp;")}</loc><lastmod>2024-01-01</lastmod></url>`).join("\n")}</urlset>`,
);
await measure("sitemap: entries", count, async () => {
  async function* chunks() {
    for (let start = 0; start < sitemap.length; start += 65_536) yield sitemap.subarray(start, start + 65_536);
  }
  for await (const _ of parseSitemap(chunks()));
});
console.table(Object.fromEntries(rows.map(({ what, ...figures }) => [what, figures])));

if (globalThis.gc === undefined) console.log("run with --expose-gc to see the memory");
else {
  const used = () => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const held = new Frontier(createScope(strict));
  await offerAll(held);
  await offerAll(held);
  console.log(`memory: ${((used() - before) / held.size).toFixed(1)} bytes for each of ${held.size} URLs`);
}
