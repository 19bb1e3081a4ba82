import type { SearchTerm } from "../shared/search-terms.ts";
import type { HttpClient } from "./http-client.ts";

/**
 * Finds web pages. It may return more or fewer than `limit`: the engine removes duplicates, checks the query's
 * operators again, and cuts the list. It rejects if it could not answer; the engine then asks the next provider.
 *
 * @example
 * const provider: SearchProvider = {
 *   name: "catalogue",
 *   ignores: ["location", "lang", "country", "filter"],
 *   search: async ({ query, limit }, { signal }) => catalogue.find(query, { limit, signal }), // url, title, description
 * };
 */
export interface SearchProvider {
  readonly name: string;
  readonly limits?: SearchLimits | undefined;
  /** Options that it does not use. A caller who sets one of them gets a warning with the answer. */
  readonly ignores?: readonly ("location" | "lang" | "country" | "filter")[] | undefined;
  search(query: SearchQuery, options: SearchOptions): Promise<readonly SearchHit[]>;
}

/** What a provider needs for a search. */
export interface SearchOptions {
  readonly signal: AbortSignal;
  /** The engine's way out to the network, with its address guard. */
  readonly http: HttpClient;
  /** Takes what the caller should know although there is an answer; it becomes part of the call's `warning`. */
  readonly warn?: (text: string) => void;
}

/** Limits on what one engine asks of a provider; beyond them the next provider is asked. */
export interface SearchLimits {
  /** Most results to ask for at once. @default up to 100 */
  readonly maxResults?: number | undefined;
  /** Most searches within a minute. @default no limit */
  readonly requestsPerMinute?: number | undefined;
  /** Milliseconds that one search may take. @default 15000 */
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
  /** In the provider's own syntax. */
  readonly filter?: string;
  /** The team that asks. A provider with an index of its own must not show one team's pages to another. */
  readonly team?: string;
}

/** A page that was found. */
export interface SearchHit {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}
