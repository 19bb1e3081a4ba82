/**
 * Keeps fetched bodies for `maxAge`, by team and key; the latest entry of a key wins. A driver limits its size and the
 * age of its entries (by the times given to `put` and `sweep`), and evicts those stored longest ago. Losing an entry is
 * never an error.
 */
export interface PageCache {
  get(query: { readonly team: string; readonly key: string }): Promise<CachedPage | null>;
  /** The caller does not change `body` until the promise settles, but may do so afterwards. */
  put(entry: CachedPage & { readonly team: string; readonly key: string }): Promise<void>;
}

/** A fetched body, with the head of the response. */
export interface CachedPage {
  readonly storedAt: number;
  /** The fetch response without its body, as JSON text. */
  readonly head: string;
  readonly body: Uint8Array;
}
