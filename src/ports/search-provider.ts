import type { SearchTerm } from "../contract/search-terms.ts";
import type { HttpClient } from "./http-client.ts";

/**
 * Finds web pages. It may return more or fewer than `limit`; the engine removes duplicates, checks the query's
 * operators again and cuts. It rejects when it could not answer; the engine then asks the next provider.
 */
export interface SearchProvider {
  readonly name: string;
  readonly limits?: SearchLimits;
  /** What it has no use for; an answer of it warns who asked for that. */
  readonly ignores?: readonly ("location" | "lang" | "country" | "filter")[];
  search(query: SearchQuery, options: SearchOptions): Promise<readonly SearchHit[]>;
}

/** What a provider works with. */
export interface SearchOptions {
  readonly signal: AbortSignal;
  /** The engine's way out to the network, with its address guard. */
  readonly http: HttpClient;
}

/** What one engine asks of a provider at most; beyond it the next provider is asked. */
export interface SearchLimits {
  /** Most results to ask for at once. @default as many as are wanted */
  readonly maxResults?: number | undefined;
  /** @default no limit */
  readonly requestsPerMinute?: number | undefined;
  /** Milliseconds that one request may take. @default 15000 */
  readonly timeoutMs?: number | undefined;
}

/** What a caller looks for. */
export interface SearchQuery {
  /** As the caller wrote it. */
  readonly query: string;
  /** The same, parsed. */
  readonly terms: readonly SearchTerm[];
  readonly limit: number;
  readonly tbs?: string;
  readonly location?: string;
  readonly lang?: string;
  readonly country?: string;
  /** In the provider's own language. */
  readonly filter?: string;
  /** The team that asks; an index of its own must not show one team's pages to another. */
  readonly team?: string;
}

/** A page that was found. */
export interface SearchHit {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}
