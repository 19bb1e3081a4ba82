import type { SearchHit } from "../../ports/search-provider.ts";

/** One page of results. */
interface ResultPage {
  readonly hits: readonly SearchHit[];
  /** False for the last page. */
  readonly hasMore: boolean;
}

/**
 * Asks for page after page, until there are as many results as wanted, or a page only repeats those before it. If a
 * later page cannot be had (services limit how often they may be asked), those before it are the answer.
 *
 * @param ask is given the number of the page, counted from 0
 */
export async function gatherPages(
  { limit, maxPages, signal }: { readonly limit: number; readonly maxPages: number; readonly signal: AbortSignal },
  ask: (page: number) => Promise<ResultPage>,
): Promise<SearchHit[]> {
  const gathered = new Map<string, SearchHit>();
  for (let page = 0; page < maxPages && gathered.size < limit; page++) {
    try {
      const { hits, hasMore } = await ask(page);
      const before = gathered.size;
      for (const hit of hits) if (!gathered.has(hit.url)) gathered.set(hit.url, hit);
      const isRepetition = hits.length > 0 && gathered.size === before;
      if (!hasMore || isRepetition) break;
    } catch (error) {
      if (gathered.size === 0 || signal.aborted) throw error;
      break;
    }
  }
  return [...gathered.values()];
}
