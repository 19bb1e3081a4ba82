/**
 * Fetching with the page cache in front: fresh copies, revalidated copies, and one fetch shared by all who ask at the
 * same time.
 */

import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { FetchedPage, FetchPage } from "../fetch/fetch-page.ts";
import { hasCredentials } from "../fetch/url-credentials.ts";
import { contentKey } from "../frontier/url-key.ts";
import type { FetchRequest } from "../ports/fetcher.ts";
import type { Logger } from "../ports/logger.ts";
import type { CachedPage, PageCache } from "../ports/page-cache.ts";
import { errorName } from "../shared/error-text.ts";
import { inTime } from "../shared/in-time.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { detectKind, isPdf } from "../transform/media-type.ts";
import {
  copyOf,
  isRestorable,
  isTrackedCopy,
  type MaybeCachedPage,
  restore,
  restorePage,
  validatorsOf,
} from "./cached-copy.ts";
import { createSharing } from "./sharing.ts";

/** How long a page waits for a store that it can do without: the cache, the search index, earlier versions. */
export const longestKeepMs = 5000;

export type CacheableFetch = (request: FetchRequest, caching: Caching) => Promise<MaybeCachedPage>;

interface Caching {
  readonly options: ParsedScrapeOptions;
  readonly zeroDataRetention: boolean;
}

export function createCachedFetch(fetchPage: FetchPage, cache: PageCache, logger: Logger): CacheableFetch {
  const sharing = createSharing<MaybeCachedPage>();

  async function keep(
    key: string,
    { team, screenshot }: FetchRequest,
    page: FetchedPage,
    options: ParsedScrapeOptions,
  ) {
    try {
      // A PDF that is not read has no text to be searched.
      const hasText = options.parsePDF || !isPdf(page.body, page.headers["content-type"], page.url);
      const isIndexed = options.formats.includes("markdown") && hasText;
      const copy = copyOf(page, screenshot, {
        isTracked: options.formats.includes("changeTracking"),
        indexedFor: isIndexed ? team : undefined,
      });
      await inTime(cache.put({ team, key, storedAt: Date.now(), ...copy }), longestKeepMs);
    } catch (error) {
      // A page that could not be kept is fetched again the next time.
      logger.warn("a page could not be cached", { error: errorName(error) });
    }
  }

  async function look(team: string, key: string): Promise<CachedPage | null> {
    try {
      return await readCopy(cache, team, key);
    } catch (error) {
      logger.warn("the cache could not be read", { error: errorName(error) });
      return null;
    }
  }

  return async (request, { options, zeroDataRetention }) => {
    if (zeroDataRetention || !isCacheable(request)) return fetchPage(request);
    const key = cacheKey(request);
    const isTracked = options.formats.includes("changeTracking");
    // A request with a `tag` has a history of its own, and leaves alone the copy that counts for the common one.
    const store = options.storeInCache && (options.changeTrackingOptions?.tag ?? null) === null;
    const isRead = options.maxAge > 0 && options.waitFor === 0 && !isTracked;
    if (!isRead) {
      const page = await fetchPage(request);
      if (!store || !isWorthKeeping(page)) return page;
      const put = () => keep(key, request, page, options);
      return { ...page, ...(isTracked ? { keep: put } : { kept: put() }) };
    }
    const found = await look(request.team, key);
    // The time of day may have been wrong: a copy that seems to come from the future would stay young until then.
    const isYoung = found !== null && Math.abs(Date.now() - found.storedAt) < options.maxAge;
    const copy = isYoung ? restore(found, request.screenshot) : null;
    if (copy !== null) return copy;
    // A page that has not changed may still look different, so its picture is taken again.
    const { team, screenshot, stealthFallback, timeout } = request;
    const validators = screenshot === undefined ? validatorsOf(found) : {};
    async function fetchFresh({ signal, untimed }: Pick<FetchRequest, "signal" | "untimed">): Promise<MaybeCachedPage> {
      const asked = { ...request, signal, ...(untimed && { untimed }) };
      const page = await fetchPage({ ...asked, ...validators });
      const unchanged = page.statusCode === 304 && found !== null ? restorePage(found, "miss") : null;
      // By now a redirect may lead to another page, for which the same date or entity tag is valid too.
      const isSamePage = unchanged !== null && contentKey(unchanged.url) === contentKey(page.url);
      const fresh = unchanged === null ? page : isSamePage ? unchanged : await fetchPage(asked);
      if (store && isWorthKeeping(fresh)) await keep(key, request, fresh, options);
      return { ...fresh, cacheState: "miss" };
    }
    // Who did not ask for the stealth tier should not pay for it, and a browser is as patient as the timeout allows.
    // And whoever wants the page to be kept must not come by one that is not; nor may waiting count for some only.
    const kind = [screenshot?.fullPage, stealthFallback, timeout, store, request.untimed !== undefined];
    const shared = JSON.stringify([team, key, ...kind]);
    // A fetch that reports redirects is not shared: each crawl has its own rules and its own end.
    const fetched =
      request.beforeRedirect === undefined ? sharing.share(shared, fetchFresh, request) : fetchFresh(request);
    return orAborted(fetched, request.signal);
  };
}

/** The copy that a scrape without change tracking left in the cache, for the page that this request would fetch. */
export async function untrackedCopy(cache: PageCache, request: FetchRequest): Promise<MaybeCachedPage | null> {
  const found = isCacheable(request) ? await readCopy(cache, request.team, cacheKey(request)) : null;
  return found === null || isTrackedCopy(found) ? null : restorePage(found, "hit");
}

/** The entry of the cache, which may be a host's own; null if there is none, or one that cannot be restored. */
async function readCopy(cache: PageCache, team: string, key: string): Promise<CachedPage | null> {
  const found: unknown = await inTime((async () => cache.get({ team, key }))(), longestKeepMs);
  return isRestorable(found) ? found : null;
}

/** True if the answer depends only on the URL and the options in the key. */
function isCacheable({ url, headers, actions, proxy }: FetchRequest): boolean {
  return Object.keys(headers).length === 0 && actions.length === 0 && proxy === "basic" && !hasCredentials(url);
}

/**
 * Not incomplete pages, nor pages that cost more than the next caller may have agreed to, nor files that are no pages:
 * they are large, and would push pages out of the cache.
 */
function isWorthKeeping({ statusCode, proxyUsed, warning, body, headers, url }: FetchedPage): boolean {
  const isPage = statusCode >= 200 && statusCode < 300 && warning === undefined && proxyUsed === "basic";
  return isPage && detectKind(body, headers["content-type"], url) !== "unsupported";
}

/**
 * Canonical URL and the options that change the bytes. What only makes a browser render the page (a screenshot, a time to
 * wait) is not among them: whoever did not ask for it gets at least what the server sent.
 */
function cacheKey({ url, mobile, location, blockAds, skipTlsVerification }: FetchRequest): string {
  const variant = [mobile, location ?? null, blockAds, skipTlsVerification];
  return `${contentKey(url)} ${JSON.stringify(variant)}`;
}
