import type { SearchTerm } from "../contract/search-terms.ts";
import type { SearchHit } from "./search-provider.ts";

/**
 * Full text of the pages that a team has scraped. The latest page of a key wins.
 * A driver bounds its size and forgets the pages stored longest ago; losing a page is never an error.
 */
export interface SearchIndex {
  /** Crawls wait for it: what takes long is better done when somebody searches. */
  put(page: IndexedPage): Promise<void>;
  /** The pages of the team that meet all terms but the optional (and the times), the best first (BM25). */
  search(query: IndexQuery): Promise<SearchHit[]>;
  /** URLs of the team's pages that contain `part`, a host name in lower case, in no order. */
  listUrls(query: { readonly team: string; readonly part: string; readonly limit: number }): Promise<string[]>;
}

/** A page that is to be found. */
export interface IndexedPage {
  readonly team: string;
  /** Canonical identity of the URL. */
  readonly key: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  /** The date that the page itself gives, in milliseconds since 1970. */
  readonly publishedAt: number | null;
  /** When it was fetched. */
  readonly seenAt: number;
}

/** What a team looks for. */
export interface IndexQuery {
  readonly team: string;
  readonly terms: readonly SearchTerm[];
  readonly limit: number;
  /** Only pages whose date (else the time they were seen) lies in this range; both included. */
  readonly from?: number;
  readonly to?: number;
}
