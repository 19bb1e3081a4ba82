/**
 * Fetched bodies for `maxAge`, by team and key. The latest entry of a key wins.
 * A driver bounds its size and the age of its entries (by the times given to `put` and `sweep`) and evicts the least
 * recently stored ones; losing an entry is never an error.
 */
export interface PageCache {
  get(query: { readonly team: string; readonly key: string }): Promise<CachedPage | null>;
  /** The caller leaves `body` as it is until the promise settles; what happens to it later does not matter. */
  put(entry: CachedPage & { readonly team: string; readonly key: string }): Promise<void>;
}

/** A fetched body with the head of its answer. */
export interface CachedPage {
  readonly storedAt: number;
  /** The fetch response without its body, as JSON text. */
  readonly head: string;
  readonly body: Uint8Array;
}
