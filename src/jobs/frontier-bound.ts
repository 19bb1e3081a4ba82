/**
 * Limits what enters a crawl, what is reported as left out, and what is remembered of both; otherwise memory would be
 * unbounded.
 */
import type { Frontier, Offered } from "../frontier/frontier.ts";
import type { Admission } from "../frontier/scope.ts";
import type { LeftOutUrl, NewPage } from "../ports/job-store.ts";
import { lateDepth } from "./late-order.ts";
import { limitReason } from "./left-out-reasons.ts";

export interface FrontierBound {
  /** No more URLs enter. */
  readonly isReached: boolean;
  /**
   * What becomes of an offer: the pages that enter with this depth, and what is left out.
   *
   * @param lateKeys those of the pages that are to be worked on after all others
   */
  of(offered: Offered, depth: number, lateKeys?: ReadonlySet<string>): Bounded;
}

interface Bounded {
  readonly pages: NewPage[];
  readonly leftOut: LeftOutUrl[];
  /**
   * To be called once the storage has them. Of a duplicate it has only the pages: what that leaves out is reported by
   * the page that it duplicates, which may not be complete yet.
   */
  readonly stored: (isDuplicate: boolean) => void;
}

/**
 * Most URLs that are reported as left out by the crawl's rules, and as many again by its limit; on a site without end,
 * the rest is not reported.
 */
export const maxLeftOutUrls = 100_000;

const nothing: ReadonlySet<string> = new Set();

export function createFrontierBound(
  frontier: Pick<Frontier, "size" | "isKnown" | "keep">,
  limit: number,
): FrontierBound {
  /** Most URLs in the frontier. Many times the crawl's limit would never be scraped. */
  const most = 4 * limit + 1000;
  /** The same of late ones: they do not take the place of others. */
  const mostLate = most / 2;
  /** Late URLs in the frontier. */
  let late = 0;
  /** URLs reported as left out by the limit. */
  let overLimit = 0;

  /** Several pages may meet them at the same time. */
  function keep(usual: readonly Admission[], last: readonly Admission[], leftOut: Offered["leftOut"]): void {
    for (const { key } of last) if (!frontier.isKnown(key)) late++;
    frontier.keep({ admitted: [...usual, ...last], leftOut });
  }

  return {
    get isReached() {
      return frontier.size - late >= most;
    },
    of(offered, depth, lateKeys = nothing) {
      const usual: Admission[] = [];
      const last: Admission[] = [];
      for (const admission of offered.admitted) (lateKeys.has(admission.key) ? last : usual).push(admission);
      const room = Math.max(0, most - (frontier.size - late));
      const lateRoom = Math.max(0, mostLate - late);
      const entering = usual.slice(0, room);
      const enteringLate = last.slice(0, lateRoom);
      const reported = maxLeftOutUrls - overLimit;
      const over = usual.slice(room, room + reported);
      const lateOver = last.slice(lateRoom, lateRoom + reported - over.length);
      overLimit += over.length + lateOver.length;
      return {
        pages: [
          ...entering.map((admission) => ({ ...admission, depth })),
          ...enteringLate.map((admission) => ({ ...admission, depth: lateDepth + depth })),
        ],
        leftOut: [
          ...offered.leftOut.map(({ url, reason }) => ({ url, reason })),
          ...[...over, ...lateOver].map(({ url }) => ({ url, reason: limitReason })),
        ],
        stored(isDuplicate) {
          if (isDuplicate) keep(entering, enteringLate, []);
          else keep([...entering, ...over], [...enteringLate, ...lateOver], offered.leftOut);
        },
      };
    },
  };
}
