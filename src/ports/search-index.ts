import type { SearchTerm } from "../shared/search-terms.ts";
import type { SearchHit } from "./search-provider.ts";

/**
 * A full-text index of the pages that a team has scraped. Of a key, the page seen last wins; of two seen at the same time,
 * the one put last. One that was seen in the future, because the time of day was wrong, does not count as later. A page
 * without title, description and text is not kept: it only removes what was there under its key. A driver limits its
 * size and drops the pages stored longest ago. Losing a page is never an error.
 */
export interface SearchIndex {
  /** Crawls wait for this call: work that takes long is better done when somebody searches. */
  put(page: IndexedPage): Promise<void>;
  /**
   * The team's pages that meet all terms except optional ones, and lie within the given times; the best first (BM25).
   */
  search(query: IndexQuery): Promise<SearchHit[]>;
  /** URLs of the team's pages that contain `part`, a host name in lower case, in no particular order. */
  listUrls(query: { readonly team: string; readonly part: string; readonly limit: number }): Promise<string[]>;
}

/** A page to be indexed. */
export interface IndexedPage {
  readonly team: string;
  /** Canonical identity of the URL. */
  readonly key: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  /** The date that the page itself gives, in milliseconds since 1970; null if it gives none. */
  readonly publishedAt: number | null;
  /** When it was fetched; that may be long ago, for a page from the cache. */
  readonly seenAt: number;
}

/** What a team looks for. */
export interface IndexQuery {
  readonly team: string;
  readonly terms: readonly SearchTerm[];
  readonly limit: number;
  /** Only pages whose date (or else the time they were fetched) lies between `from` and `to`, inclusive. */
  readonly from?: number;
  readonly to?: number;
}
