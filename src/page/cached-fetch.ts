/** Fetching with the page cache in front: young copies, revalidated ones, and one fetch for all who want it at once. */
import { errorName } from "../contract/error-text.ts";
import { orAborted } from "../contract/or-aborted.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { inTime } from "../fetch/deadline.ts";
import type { FetchedPage, FetchPage } from "../fetch/fetch-page.ts";
import { urlKey } from "../frontier/url-key.ts";
import type { FetchRequest } from "../ports/fetcher.ts";
import type { Logger } from "../ports/logger.ts";
import type { CachedPage, PageCache } from "../ports/page-cache.ts";
import { createSharing } from "./sharing.ts";

/** How long a page waits for a store that may lose it: the cache, the search index. */
export const longestKeepMs = 5000;

export type CacheableFetch = (request: FetchRequest, caching: Caching) => Promise<MaybeCachedPage>;

export interface Caching {
  readonly options: ParsedScrapeOptions;
  readonly zeroDataRetention: boolean;
}

export interface MaybeCachedPage extends FetchedPage {
  /** Whether the page came from the cache; absent when the cache was not asked. */
  readonly cacheState?: "hit" | "miss";
  /** With `hit`: when the copy was fetched. */
  readonly cachedAt?: number;
  /** The copy is on its way into the cache; never rejects. */
  readonly kept?: Promise<void>;
}

/** What is kept of an answer beside its body. */
type Head = Pick<
  FetchedPage,
  "url" | "statusCode" | "statusText" | "headers" | "rendered" | "redirects" | "proxyUsed" | "engine" | "engineReason"
> & {
  /** Stored by a scrape with change tracking, which keeps a version of its own. */
  readonly isTracked: boolean;
};

export function createCachedFetch(fetchPage: FetchPage, cache: PageCache, logger: Logger): CacheableFetch {
  const sharing = createSharing<MaybeCachedPage>();

  async function keep(key: string, team: string, page: FetchedPage, isTracked = false): Promise<void> {
    const { body, screenshot: _screenshot, actions: _actions, warning: _warning, ...rest } = page;
    try {
      const head = JSON.stringify({ ...rest, isTracked } satisfies Head);
      // Not compressed: that would cost more than all the rest of the page's work.
      await inTime(cache.put({ team, key, storedAt: Date.now(), head, body }), longestKeepMs);
    } catch (error) {
      // A page that could not be kept is fetched again the next time.
      logger.warn("a page could not be cached", { error: errorName(error) });
    }
  }

  async function look(team: string, key: string): Promise<CachedPage | null> {
    try {
      return await cache.get({ team, key });
    } catch (error) {
      logger.warn("the cache could not be read", { error: errorName(error) });
      return null;
    }
  }

  return async (request, { options, zeroDataRetention }) => {
    if (zeroDataRetention || !isCacheable(request)) return fetchPage(request);
    const key = cacheKey(request);
    const isTracked = options.formats.includes("changeTracking");
    // A history of its own, by `tag`, leaves the copy alone that counts for the common one.
    const store = options.storeInCache && (options.changeTrackingOptions?.tag ?? null) === null;
    const isRead = options.maxAge > 0 && options.waitFor === 0 && !isTracked;
    if (!isRead) {
      const page = await fetchPage(request);
      if (!store || !isWorthKeeping(page)) return page;
      return { ...page, kept: keep(key, request.team, page, isTracked) };
    }
    const found = await look(request.team, key);
    if (found !== null && Date.now() - found.storedAt < options.maxAge) return restore(found, "hit");
    // Who asks about redirects may be told no, which is nothing for those who do not ask.
    const asks = request.beforeRedirect === undefined ? "" : "asking ";
    const fetched = sharing.share(
      `${asks}${request.team} ${key}`,
      async (signal): Promise<MaybeCachedPage> => {
        const page = await fetchPage({ ...request, ...validatorsOf(found), signal });
        const isUnchanged = page.statusCode === 304 && found !== null;
        const fresh = isUnchanged ? restore(found, "miss") : page;
        if (store && isWorthKeeping(fresh)) await keep(key, request.team, fresh);
        return { ...fresh, cacheState: "miss" };
      },
      request.signal,
    );
    return orAborted(fetched, request.signal);
  };
}

/** What a scrape without change tracking left in the cache of the page that this request would fetch. */
export async function untrackedCopy(cache: PageCache, request: FetchRequest): Promise<MaybeCachedPage | null> {
  const found = isCacheable(request) ? await cache.get({ team: request.team, key: cacheKey(request) }) : null;
  return found === null || (JSON.parse(found.head) as Head).isTracked ? null : restore(found, "hit");
}

/** Whose answer depends on nothing but the URL and the options in the key. */
function isCacheable({ headers, actions, proxy, screenshot }: FetchRequest): boolean {
  return Object.keys(headers).length === 0 && actions.length === 0 && proxy === "basic" && screenshot === undefined;
}

/** Not what is only half a page, nor what cost more than the next caller may have agreed to. */
function isWorthKeeping({ statusCode, url, proxyUsed, warning }: FetchedPage): boolean {
  const isGood = statusCode >= 200 && statusCode < 300 && warning === undefined;
  return isGood && proxyUsed === "basic" && !url.includes("@");
}

/** Canonical URL and the options that change the bytes. */
function cacheKey({ url, mobile, location, blockAds, needs, skipTlsVerification }: FetchRequest): string {
  const { username, password } = url.includes("@") ? new URL(url) : { username: "", password: "" };
  const variant = [mobile, location ?? null, blockAds, needs.has("render"), skipTlsVerification, username, password];
  return `${urlKey(url, { ignoreQueryParameters: false, deduplicateSimilarURLs: true })} ${JSON.stringify(variant)}`;
}

function validatorsOf(found: CachedPage | null): Pick<FetchRequest, "ifNoneMatch" | "ifModifiedSince"> {
  if (found === null) return {};
  const { headers } = JSON.parse(found.head) as Head;
  const { etag, "last-modified": lastModified } = headers;
  return {
    ...(etag === undefined ? {} : { ifNoneMatch: etag }),
    ...(lastModified === undefined ? {} : { ifModifiedSince: lastModified }),
  };
}

function restore({ head, body, storedAt }: CachedPage, cacheState: "hit" | "miss"): MaybeCachedPage {
  return { ...(JSON.parse(head) as Head), body, cacheState, ...(cacheState === "hit" ? { cachedAt: storedAt } : {}) };
}
