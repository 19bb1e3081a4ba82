/** Random sites and crawls, the same for the same seed: whatever a crawl meets, it accounts for, once. */
import { expect, test } from "vitest";
import type { Document, JobEvent } from "../src/index.ts";
import { randomNumbers } from "./random-numbers.ts";
import { engineFor, noPage, page, site } from "./start-engine.ts";

const size = 12;
const spellings = ["", "", "", "/", "#part", "?utm_source=here", "/index.html"];

/** A site of a dozen pages that link to each other, in many spellings, and to places where the crawl must not go. */
function randomSite(seed: number) {
  const { next, chance } = randomNumbers(seed);
  const somePage = () => `/p${next(size)}`;
  const pages = new Map<string, { links: string[]; redirect?: string; isFile: boolean; status: number }>();
  for (const path of ["/", ...Array.from({ length: size }, (_, index) => `/p${index}`)]) {
    const links = Array.from({ length: 4 + next(5) }, () => somePage() + spellings[next(spellings.length)]);
    if (chance(30)) links.push("/private/x", "/p1/deep/er", "/file.zip", "http://elsewhere.test/");
    const isStart = path === "/";
    pages.set(path, {
      links,
      ...(!isStart && chance(25) ? { redirect: chance(40) ? "/private/y" : somePage() } : {}),
      isFile: !isStart && chance(8),
      status: !isStart && chance(8) ? 404 : 200,
    });
  }
  const listed = Array.from({ length: next(8) }, somePage);
  return { pages, listed };
}

/** The address without what makes no other page. */
function pageOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + (pathname.replace(/\/(index\.html)?$/, "") || "/");
}

async function crawlAtRandom(seed: number): Promise<void> {
  const { pages, listed } = randomSite(seed);
  const { url } = await site({
    "/robots.txt": "User-agent: *\nDisallow: /private",
    "/sitemap.xml": ({ url }) =>
      `<urlset>${listed.map((path) => `<url><loc>${url.origin}${path}</loc></url>`).join("")}</urlset>`,
    "*": ({ url }) => {
      const found = pages.get(new URL(pageOf(url.href)).pathname);
      if (found === undefined) return { status: 404, body: "<h1>Nothing here</h1>" };
      if (found.redirect !== undefined) return { status: 302, headers: { location: found.redirect } };
      return found.isFile ? noPage : { status: found.status, body: page(url.pathname, found.links) };
    },
  });
  const { next, chance } = randomNumbers(seed + 1000);
  const events: JobEvent[] = [];
  const engine = engineFor({ events: { emit: (event) => void events.push(event) } });
  const limit = chance(60) ? 1 + next(8) : 100;
  const job = await engine.crawl({
    url,
    limit,
    ignoreSitemap: chance(50),
    maxConcurrency: 1 + next(4),
    ...(chance(60) ? { maxDiscoveryDepth: next(3) } : {}),
    scrapeOptions: { formats: ["links"], onlyMainContent: false },
  });
  const inTurn: Document[] = [];
  const [status] = await Promise.all([
    job.wait(),
    (async () => {
      for await (const document of job) inTurn.push(document);
    })(),
  ]);
  const { data } = status;
  const { errors, robotsBlocked, skipped } = await engine.getCrawlErrors(job.id);

  expect(status).toMatchObject({ status: "completed", total: data.length, completed: data.length - errors.length });
  expect(data.length).toBeLessThanOrEqual(limit);
  expect(inTurn).toEqual(data);
  const inParts: Document[] = [];
  let part = await engine.getCrawlStatus(job.id, { limit: 1 + next(4) });
  inParts.push(...part.data);
  while (part.next !== null) {
    part = await engine.getCrawlStatus(job.id, { next: part.next });
    inParts.push(...part.data);
  }
  expect(inParts).toEqual(data);

  const credits = data.reduce((sum, { metadata }) => sum + (metadata.creditsUsed ?? 0), 0);
  expect(status.creditsUsed).toBe(credits);
  expect((await engine.getCreditUsageHistorical()).periods).toMatchObject([{ totalCredits: credits }]);
  await expect.poll(() => events.at(-1)?.type, { timeout: 10_000 }).toBe("crawl.completed");
  expect(events.map(({ type }) => type)).toEqual(["crawl.started", ...data.map(() => "crawl.page"), "crawl.completed"]);
  expect(events.slice(1, -1).flatMap(({ data }) => data)).toEqual(data);

  const results = data.map(({ metadata }) => pageOf(metadata.sourceURL ?? ""));
  expect(new Set(results).size).toBe(results.length);
  const leftOut = [...robotsBlocked, ...skipped.map(({ url }) => url)].map(pageOf);
  expect(results.filter((result) => leftOut.includes(result))).toEqual([]);
  const known = new Set([...results, ...data.map(({ metadata }) => pageOf(metadata.url ?? url)), ...leftOut]);
  const isKnown = (link: string): boolean => {
    const seen = new Set<string>();
    // What redirects to another page of the result is no result of its own.
    for (let next = pageOf(link); !known.has(next); ) {
      const redirect = pages.get(new URL(next).pathname)?.redirect;
      if (redirect === undefined || seen.has(next)) return false;
      seen.add(next);
      next = pageOf(url + redirect);
    }
    return true;
  };
  expect(data.flatMap(({ links = [] }) => links).filter((link) => !isKnown(link))).toEqual([]);
}

for (let seed = 1; seed <= 30; seed += 1) test(`a random crawl, seed ${seed}`, () => crawlAtRandom(seed));
