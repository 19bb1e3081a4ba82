import type { SearchHit } from "../../ports/search-provider.ts";

/** One page of results. */
interface ResultPage {
  readonly hits: readonly SearchHit[];
  /** False for the last page. */
  readonly hasMore: boolean;
}

/**
 * Asks for page after page, until there are as many results as wanted. If a later page cannot be had (services limit
 * how often they may be asked), those before it are the answer.
 *
 * @param ask is given the number of the page, counted from 0
 */
export async function gatherPages(
  { limit, maxPages, signal }: { readonly limit: number; readonly maxPages: number; readonly signal: AbortSignal },
  ask: (page: number) => Promise<ResultPage>,
): Promise<SearchHit[]> {
  const gathered: SearchHit[] = [];
  for (let page = 0; page < maxPages && gathered.length < limit; page++) {
    try {
      const { hits, hasMore } = await ask(page);
      gathered.push(...hits);
      if (!hasMore) break;
    } catch (error) {
      if (gathered.length === 0 || signal.aborted) throw error;
      break;
    }
  }
  return gathered;
}
