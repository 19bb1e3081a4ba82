/** The files that a site has for crawlers: robots.txt and sitemaps. */

import { setTimeout as sleep } from "node:timers/promises";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { isTimeout } from "../errors.ts";
import { type Deadline, withDeadline } from "../fetch/deadline.ts";
import type { Proxies } from "../fetch/proxies.ts";
import { expandSitemaps, type FilesAhead, type SitemapUrl, sitemapSeeds } from "../frontier/expand-sitemaps.ts";
import { proxyTier } from "../page/fetch-request.ts";
import type { HttpClient } from "../ports/http-client.ts";
import { readRetryAfter } from "../shared/retry-after.ts";
import { inBatches } from "./in-batches.ts";
import { type Ask, createJobRobots, type JobRobots } from "./job-robots.ts";
import { retryDelay } from "./retry.ts";
import type { SiteMemory } from "./site-memory.ts";
import type { SiteReach } from "./site-reach.ts";

/**
 * On whose behalf the files are fetched. They are fetched like the pages, because they are behind the same proxies,
 * certificates and passwords, and because the site should not see a different visitor come for them.
 */
export interface SiteVisitor {
  readonly options: Pick<ParsedScrapeOptions, "proxy" | "location" | "skipTlsVerification" | "headers">;
  /** The headers that are sent for the site's pages. */
  readonly headersFor: (url: URL) => Readonly<Record<string, string>> | undefined;
  /** Most sitemaps to fetch at once, for sites or callers that want fewer than usual. */
  readonly atOnce?: number | undefined;
  /** Longest time for one sitemap, in milliseconds, for callers with less time than usual. */
  readonly timeoutMs?: number | undefined;
  /**
   * Learns whether the site answers, and in time: a file that cannot be fetched is otherwise taken for one that does not
   * exist.
   */
  readonly reach?: SiteReach | undefined;
}

export interface SiteFiles {
  /**
   * A reader of robots.txt for one job. Each host's file is fetched once, or again if many large ones have been read
   * since.
   */
  robots(visitor: SiteVisitor): JobRobots;
  /**
   * Pages of the site's sitemaps and of those listed, in batches; a sitemap that cannot be fetched gives none, and one
   * that takes too long gives those that have come. While a sitemap keeps its reader waiting, a batch may be partly full
   * or empty. Stop iterating to stop fetching. Files in the memory are not fetched again.
   */
  sitemapPages(
    visitor: SiteVisitor,
    siteUrl: string,
    listed: readonly string[],
    signal: AbortSignal,
    memory?: SiteMemory,
  ): AsyncIterable<SitemapUrl[]>;
}

/**
 * More than is read of any of these files, whatever the limit for pages: the beginning of one that is too large counts.
 * Without a limit, one that is encoded several times could be decoded for hours, and come to nothing.
 */
const maxBodyBytes = 64 * 1024 * 1024;
/** Longest time for one sitemap, with its body; that in which nobody reads it does not count. */
const sitemapTimeoutMs = 60_000;
/** As many as a browser opens connections to one host. */
const sitemapsAtOnce = 6;
/** Longest wait for the next entry of a sitemap: an index may name hundreds of sitemaps that never answer. */
const longestSilenceMs = 120_000;
/** A site that asks for a longer pause before it gives a file is taken at its word: there is no such file for us. */
const longestPauseMs = 3_000;
export const sitemapBatchSize = 500;
/** Entries that have come wait no longer than this for further ones. */
const batchWaitMs = 500;

interface SiteFilesParts {
  readonly client: Pick<HttpClient, "stream">;
  readonly proxies: Proxies;
  readonly userAgent: string;
  readonly maxConcurrencyPerHost: number;
  readonly silenceMs?: number;
  readonly timeoutMs?: number;
}

export function createSiteFiles(parts: SiteFilesParts): SiteFiles {
  const { client, proxies, userAgent, maxConcurrencyPerHost } = parts;
  const { silenceMs = longestSilenceMs, timeoutMs = sitemapTimeoutMs } = parts;
  const ahead: FilesAhead = { count: 0 };

  function askAs({ options, headersFor, reach }: SiteVisitor): Ask {
    const { location, skipTlsVerification } = options;
    return async (url, signal) => {
      const headers = { "user-agent": userAgent, ...headersFor(new URL(url)) };
      const asked = { url, headers, headersFor, skipTlsVerification, signal, maxBodyBytes };
      try {
        const answer = await proxies.through({ url, proxy: proxyTier(options), location, signal }, (proxy) =>
          client.stream(proxy === undefined ? asked : { ...asked, proxy }),
        );
        reach?.answered();
        return answer;
      } catch (error) {
        reach?.failed(error);
        throw error;
      }
    };
  }

  return {
    // The rules are those for the name under which the site sees the visitor.
    robots: (visitor) => createJobRobots(patient(askAs(visitor)), visitor.options.headers?.["user-agent"] ?? userAgent),

    async *sitemapPages(visitor, siteUrl, listed, signal, memory) {
      let atOnce = Math.min(sitemapsAtOnce, maxConcurrencyPerHost, visitor.atOnce ?? sitemapsAtOnce);
      const ask = patient(askAs(visitor), () => {
        atOnce = 1;
      });
      const left = new AbortController();
      const pages = expandSitemaps({
        seeds: sitemapSeeds(siteUrl, listed),
        siteUrl,
        atOnce: () => atOnce,
        ahead,
        fetch(file, fetchSignal, isAhead) {
          const patience = { signal: fetchSignal, timeoutMs: Math.min(timeoutMs, visitor.timeoutMs ?? timeoutMs) };
          const load = (url: string) => fetchSitemap(ask, url, { ...patience, isAhead, reach: visitor.reach });
          return memory === undefined ? load(file) : memory.file(file, load);
        },
        signal: AbortSignal.any([signal, left.signal]),
      });
      let heardAt = performance.now();
      try {
        for await (const batch of inBatches(pages, { size: sitemapBatchSize, waitMs: batchWaitMs })) {
          if (batch.length > 0) heardAt = performance.now();
          else if (performance.now() - heardAt > silenceMs) {
            visitor.reach?.late();
            return;
          }
          yield batch;
        }
      } finally {
        left.abort();
        // Otherwise it would wait for ever to be asked for its next page, and what it holds of `ahead` would be lost.
        pages.return(undefined).catch(() => {});
      }
    },
  };
}

/** Asks again, as for a page of a job, where the answer is "later"; that is told to `onLater`. */
function patient(ask: Ask, onLater = () => {}): Ask {
  return async (url, signal) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(url, signal);
      const { statusCode, headers, body } = answer;
      const retryAfterMs = readRetryAfter(headers["retry-after"], Date.now());
      const delay = retryDelay(attempt, { statusCode, retryAfterMs, answersRetries: false });
      if (delay === null || delay > longestPauseMs) return answer;
      onLater();
      for await (const _ of body) break;
      await sleep(delay, undefined, { signal });
    }
  };
}

interface SitemapPatience extends Pick<SiteVisitor, "reach"> {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly isAhead: boolean;
}

async function fetchSitemap(
  ask: Ask,
  url: string,
  { signal, timeoutMs, isAhead, reach }: SitemapPatience,
): Promise<AsyncIterable<Uint8Array> | null> {
  const deadline = withDeadline(signal, timeoutMs, false);
  try {
    const answer = await ask(url, deadline.signal);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return withinDeadline(answer.body, deadline, reach);
    for await (const _ of answer.body) break;
  } catch (error) {
    // There is no such sitemap for us, unless it is not wanted any more, or comes in its turn.
    signal.throwIfAborted();
    if (isAhead && !deadline.signal.aborted) {
      deadline.dispose();
      throw error;
    }
    if (isTimeout(deadline.signal.reason)) reach?.late();
  }
  deadline.dispose();
  return null;
}

/** The deadline covers the body, too: a sitemap may be written for hours. */
async function* withinDeadline(
  body: AsyncIterable<Uint8Array>,
  deadline: Deadline,
  reach: SiteReach | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      const { promise: wanted, resolve: goOn } = Promise.withResolvers<void>();
      void deadline.untimed(wanted);
      yield chunk;
      goOn();
    }
  } finally {
    if (isTimeout(deadline.signal.reason)) reach?.late();
    deadline.dispose();
  }
}
