/**
 * Finds web pages. It may return more or fewer than `limit`; the engine removes duplicates, checks the query's
 * operators again and cuts. It rejects when it could not answer; the engine then asks the next provider.
 */
export interface SearchProvider {
  readonly name: string;
  search(query: SearchQuery, options: { readonly signal: AbortSignal }): Promise<readonly SearchHit[]>;
}

export interface SearchQuery {
  readonly query: string;
  readonly limit: number;
  readonly tbs?: string;
  readonly location?: string;
  readonly lang?: string;
  readonly country?: string;
  /** The team that asks; an index of its own must not show one team's pages to another. */
  readonly team?: string;
}

export interface SearchHit {
  readonly url: string;
  readonly title: string;
  readonly description: string;
}
