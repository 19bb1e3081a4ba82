/** The files that a site has for crawlers: robots.txt and sitemaps. */

import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { ByteList } from "../fetch/byte-list.ts";
import type { Proxies } from "../fetch/proxies.ts";
import { expandSitemaps, type SitemapUrl, sitemapSeeds } from "../frontier/expand-sitemaps.ts";
import { maxRobotsBytes, noRobotsRules, type RobotsRules, robotsOfAnswer } from "../frontier/robots.ts";
import { proxyTier } from "../page/fetch-request.ts";
import type { HttpClient, HttpRequest, HttpStreamResponse } from "../ports/http-client.ts";
import { inBatches } from "./in-batches.ts";
import type { SiteMemory } from "./site-memory.ts";

/**
 * On whose behalf the files are fetched. They are fetched like the pages, because they are behind the same proxies,
 * certificates and passwords, and because the site should not see a different visitor come for them.
 */
export interface SiteVisitor {
  readonly options: Pick<ParsedScrapeOptions, "proxy" | "location" | "skipTlsVerification">;
  /** The headers that are sent for the site's pages. */
  readonly headersFor: (url: URL) => Readonly<Record<string, string>> | undefined;
}

export interface SiteFiles {
  /**
   * A reader of robots.txt for one job. Each host's file is fetched once, or again if many large ones have been read
   * since.
   */
  robots(visitor: SiteVisitor): JobRobots;
  /**
   * Pages of the site's sitemaps and of those listed, in batches; a sitemap that cannot be fetched gives none. While a
   * sitemap keeps its reader waiting, a batch may be partly full or empty. Stop iterating to stop fetching. Files in
   * the memory are not fetched again.
   */
  sitemapPages(
    visitor: SiteVisitor,
    siteUrl: string,
    listed: readonly string[],
    signal: AbortSignal,
    memory?: SiteMemory,
  ): AsyncIterable<SitemapUrl[]>;
}

export interface JobRobots {
  /** Reads the robots.txt of the URL's host, unless it has been read. Rejects only with the signal's reason. */
  load(url: string, signal: AbortSignal): Promise<void>;
  /** True for a host whose file has not been read yet: the page is checked again before it is fetched. */
  isAllowed(url: string): boolean;
  /** In seconds. */
  crawlDelay(url: string): number | undefined;
  sitemaps(url: string): readonly string[];
}

/** Most milliseconds for fetching robots.txt. */
const robotsTimeoutMs = 10_000;
const sitemapTimeoutMs = 60_000;
/** Longest wait for the next entry of a sitemap: an index may name hundreds of sitemaps that never answer. */
const longestSilenceMs = 120_000;
export const sitemapBatchSize = 500;
/** Entries that have come wait no longer than this for further ones. */
const batchWaitMs = 500;

/**
 * Bytes of robots.txt files whose rules a job keeps. It may meet thousands of hosts, each with half a megabyte, which
 * takes six times as much as parsed rules. Rules that were dropped are read again for the next page of their host.
 */
const mostKeptBytes = 8 * 1024 * 1024;

/** Fetches one file. */
type Ask = (
  url: string,
  request: Pick<HttpRequest, "maxBodyBytes"> & { readonly signal: AbortSignal },
) => Promise<HttpStreamResponse>;

interface SiteFilesParts {
  readonly client: Pick<HttpClient, "stream">;
  readonly proxies: Proxies;
  readonly userAgent: string;
  readonly silenceMs?: number;
}

export function createSiteFiles(parts: SiteFilesParts): SiteFiles {
  const { client, proxies, userAgent, silenceMs = longestSilenceMs } = parts;

  function askAs({ options, headersFor }: SiteVisitor): Ask {
    const { location, skipTlsVerification } = options;
    return (url, { signal, ...request }) => {
      const headers = { "user-agent": userAgent, ...headersFor(new URL(url)) };
      const asked = { url, headers, skipTlsVerification, signal, ...request };
      return proxies.through({ url, proxy: proxyTier(options), location, signal }, (proxy) =>
        client.stream(proxy === undefined ? asked : { ...asked, proxy }),
      );
    };
  }

  return {
    robots: (visitor) => createJobRobots(askAs(visitor), userAgent),

    async *sitemapPages(visitor, siteUrl, listed, signal, memory) {
      const ask = askAs(visitor);
      const left = new AbortController();
      const pages = expandSitemaps({
        seeds: sitemapSeeds(siteUrl, listed),
        fetch(file, fetchSignal) {
          const load = (url: string) => fetchSitemap(ask, url, fetchSignal);
          return memory === undefined ? load(file) : memory.file(file, load);
        },
        signal: AbortSignal.any([signal, left.signal]),
      });
      let heardAt = performance.now();
      try {
        for await (const batch of inBatches(pages, { size: sitemapBatchSize, waitMs: batchWaitMs })) {
          if (batch.length > 0) heardAt = performance.now();
          else if (performance.now() - heardAt > silenceMs) return;
          yield batch;
        }
      } finally {
        left.abort();
      }
    },
  };
}

/** The rules of a host, and the size of its file. */
interface HostRules {
  readonly rules: RobotsRules;
  readonly bytes: number;
}

function createJobRobots(ask: Ask, userAgent: string): JobRobots {
  const known = new Map<string, HostRules>();
  let keptBytes = 0;
  const loading = new Map<string, Promise<void>>();
  let lastOrigin = "";
  /** Remembers the last origin: most jobs concern one, and ask several times for each page. */
  function originOf(url: string): string {
    if (lastOrigin === "" || !url.startsWith(`${lastOrigin}/`)) lastOrigin = new URL(url).origin;
    return lastOrigin;
  }
  const rulesOf = (url: string) => known.get(originOf(url))?.rules ?? noRobotsRules;

  async function read(origin: string, signal: AbortSignal): Promise<void> {
    const found = await fetchRobots(ask, origin, signal);
    known.set(origin, found);
    loading.delete(origin);
    keptBytes += found.bytes;
    for (const [oldest, { bytes }] of known) {
      if (keptBytes <= mostKeptBytes) break;
      known.delete(oldest);
      keptBytes -= bytes;
    }
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

async function fetchRobots(ask: Ask, origin: string, signal: AbortSignal): Promise<HostRules> {
  try {
    const answer = await ask(`${origin}/robots.txt`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(robotsTimeoutMs)]),
      // The size of the file does not matter, since only its beginning is read.
      maxBodyBytes: Number.POSITIVE_INFINITY,
    });
    const { bytes, isWhole } = await beginningOf(answer.body, maxRobotsBytes);
    const rules = robotsOfAnswer(answer.statusCode, bytes, isWhole);
    return { rules, bytes: rules === noRobotsRules ? 0 : bytes.byteLength };
  } catch {
    // A file that cannot be fetched forbids nothing; if something is wrong with the host, the pages will show it.
    return { rules: noRobotsRules, bytes: 0 };
  }
}

/** The beginning of a body. If the body breaks off, or does not end in time, what has come counts. */
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
  ask: Ask,
  url: string,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<Uint8Array> | null> {
  const timeout = AbortSignal.timeout(sitemapTimeoutMs);
  try {
    const answer = await ask(url, { signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) });
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer.body;
    for await (const _ of answer.body) break;
    return null;
  } catch {
    return null;
  }
}
