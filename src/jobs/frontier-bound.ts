/**
 * Limits what enters a crawl, what is reported as left out, and what is remembered of both; otherwise memory would be
 * unbounded.
 */
import type { Frontier, Offered } from "../frontier/frontier.ts";
import type { LeftOutUrl, NewPage } from "../ports/job-store.ts";
import { limitReason } from "./left-out-reasons.ts";

export interface FrontierBound {
  /** No more URLs enter. */
  readonly isReached: boolean;
  /** What becomes of an offer: the pages that enter with this depth, and what is left out. `met` is to be kept. */
  of(offered: Offered, depth: number): { pages: NewPage[]; leftOut: LeftOutUrl[]; met: Offered };
}

/**
 * Most URLs that are reported as left out by the crawl's rules, and as many again by its limit; on a site without end,
 * the rest is not reported.
 */
export const maxLeftOutUrls = 100_000;

export function createFrontierBound(frontier: Pick<Frontier, "size">, limit: number): FrontierBound {
  /** Most URLs in the frontier. Many times the crawl's limit would never be scraped. */
  const most = 4 * limit + 1000;
  /** URLs reported as left out by the limit. */
  let overLimit = 0;

  return {
    get isReached() {
      return frontier.size >= most;
    },
    of(offered, depth) {
      const room = Math.max(0, most - frontier.size);
      const entering = offered.admitted.slice(0, room);
      const over = offered.admitted.slice(room, room + maxLeftOutUrls - overLimit);
      overLimit += over.length;
      return {
        pages: entering.map((admission) => ({ ...admission, depth })),
        leftOut: [
          ...offered.leftOut.map(({ url, reason }) => ({ url, reason })),
          ...over.map(({ url }) => ({ url, reason: limitReason })),
        ],
        met: { admitted: [...entering, ...over], leftOut: offered.leftOut },
      };
    },
  };
}
