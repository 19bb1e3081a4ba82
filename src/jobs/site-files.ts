/** The files by which a site speaks to crawlers: robots.txt and sitemaps. */

import { ByteList } from "../fetch/byte-list.ts";
import { expandSitemaps, type SitemapUrl, sitemapSeeds } from "../frontier/expand-sitemaps.ts";
import { maxRobotsBytes, noRobotsRules, type RobotsRules, robotsOfAnswer } from "../frontier/robots.ts";
import type { HttpClient } from "../ports/http-client.ts";

export interface SiteFiles {
  /** A reader of robots.txt for one job; each host's file is fetched once. */
  robots(): JobRobots;
  /** Pages of the site's sitemaps and of those listed, in batches; a sitemap that cannot be had gives none. */
  sitemapPages(siteUrl: string, listed: readonly string[], signal: AbortSignal): AsyncIterable<SitemapUrl[]>;
}

export interface JobRobots {
  /** Reads the robots.txt of the URL's host, unless it has been read. Rejects only with the signal's reason. */
  load(url: string, signal: AbortSignal): Promise<void>;
  /** True for a host whose file was not read yet: it is looked at again before the page is fetched. */
  isAllowed(url: string): boolean;
  /** Seconds. */
  crawlDelay(url: string): number | undefined;
  sitemaps(url: string): readonly string[];
}

/** Fetching one of these files takes no longer. */
const robotsTimeoutMs = 10_000;
const sitemapTimeoutMs = 60_000;
const batchSize = 500;

export function createSiteFiles(client: HttpClient, userAgent: string): SiteFiles {
  return {
    robots: () => createJobRobots(client, userAgent),

    async *sitemapPages(siteUrl, listed, signal) {
      const seeds = sitemapSeeds(siteUrl, listed);
      let batch: SitemapUrl[] = [];
      for await (const entry of expandSitemaps({
        seeds,
        fetch: (url, fetchSignal) => fetchSitemap(client, userAgent, url, fetchSignal),
        signal,
      })) {
        batch.push(entry);
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
  };
}

function createJobRobots(client: HttpClient, userAgent: string): JobRobots {
  const known = new Map<string, RobotsRules>();
  const loading = new Map<string, Promise<void>>();
  let lastOrigin = "";
  /** Most jobs are of one origin, and ask several times for each page. */
  function originOf(url: string): string {
    if (lastOrigin === "" || !url.startsWith(`${lastOrigin}/`)) lastOrigin = new URL(url).origin;
    return lastOrigin;
  }
  const rulesOf = (url: string) => known.get(originOf(url)) ?? noRobotsRules;

  async function read(origin: string, signal: AbortSignal): Promise<void> {
    known.set(origin, await fetchRobots(client, userAgent, origin, signal));
    loading.delete(origin);
  }

  return {
    async load(url, signal) {
      const origin = originOf(url);
      if (known.has(origin)) return;
      const present = loading.get(origin) ?? read(origin, signal);
      loading.set(origin, present);
      await present;
      signal.throwIfAborted();
    },
    isAllowed: (url) => rulesOf(url).isAllowed(url, userAgent),
    crawlDelay: (url) => rulesOf(url).crawlDelay(userAgent),
    sitemaps: (url) => rulesOf(url).sitemaps,
  };
}

async function fetchRobots(
  client: HttpClient,
  userAgent: string,
  origin: string,
  signal: AbortSignal,
): Promise<RobotsRules> {
  try {
    const answer = await client.stream({
      url: `${origin}/robots.txt`,
      headers: { "user-agent": userAgent },
      signal: AbortSignal.any([signal, AbortSignal.timeout(robotsTimeoutMs)]),
      // A file of any size has a beginning, and no more is read.
      maxBodyBytes: Number.POSITIVE_INFINITY,
    });
    const { bytes, isWhole } = await beginningOf(answer.body, maxRobotsBytes);
    return robotsOfAnswer(answer.statusCode, bytes, isWhole);
  } catch {
    // A file that cannot be had forbids nothing; the pages themselves will tell what is wrong with the host.
    return noRobotsRules;
  }
}

/** Of a body that breaks off, or that does not end in time, what has come: it says what it says. */
async function beginningOf(
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const read = new ByteList();
  let isWhole = true;
  try {
    for await (const chunk of body) {
      read.add(chunk);
      if (read.byteLength > most) break;
    }
  } catch {
    isWhole = false;
  }
  return { bytes: read.toBuffer(), isWhole };
}

async function fetchSitemap(
  client: HttpClient,
  userAgent: string,
  url: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array> | null> {
  const timeout = AbortSignal.timeout(sitemapTimeoutMs);
  try {
    const answer = await client.stream({
      url,
      headers: { "user-agent": userAgent },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer.body;
    for await (const _ of answer.body) break;
    return null;
  } catch {
    return null;
  }
}
