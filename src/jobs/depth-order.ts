import type { JobRecord, JobStore } from "../ports/job-store.ts";

/**
 * The order in which a crawl with a `maxDiscoveryDepth` works on its pages: those of one depth only when all of lesser
 * depth have ended, tried again if necessary, and when the sitemap has been read, whose pages have depth 0 even if a
 * link led to them before. So a page has the depth of the shortest way to it, however long the pages on that way took.
 * Otherwise it would often be one that came quickly, and what only the shortest leads to would be left out. All that
 * must last is in the storage, and holds for all processes that work on the crawl.
 */
export interface DepthOrder {
  /** The depth of the deepest pages that may be worked on; undefined if all of them may. */
  readonly most: number | undefined;
  /** There are pages that wait for others to end. */
  readonly isOrdered: boolean;
  /** The sitemap has been read to its end. */
  allListed(): void;
  /** Call it when this process has no page of these depths. True if deeper ones may now be worked on. */
  advance(): Promise<boolean>;
}

/** Milliseconds that a sitemap is waited for; pages that it lists later may have the depth of their link. */
const patienceMs = 10_000;

export function createDepthOrder(
  jobs: Pick<JobStore, "leastDepth">,
  { id, expanding }: Pick<JobRecord, "id" | "expanding">,
): DepthOrder {
  let most = 0;
  let isRead = !expanding;
  /** When pages began to wait for the sitemap. */
  let since: number | undefined;
  return {
    get most() {
      return most;
    },
    isOrdered: true,
    allListed() {
      isRead = true;
    },
    async advance() {
      const least = await jobs.leastDepth(id);
      if (least === null || least <= most) return false;
      if (!isRead) {
        since ??= performance.now();
        if (performance.now() - since < patienceMs) return false;
      }
      most = least;
      return true;
    },
  };
}
