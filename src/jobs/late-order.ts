import type { JobRecord, JobStore, NewPage } from "../ports/job-store.ts";
import type { DepthOrder } from "./depth-order.ts";

/**
 * What is added to the depth of a page that is worked on after all others: so it is the storage that keeps the order,
 * for all processes that work on a crawl.
 */
export const lateDepth = 1_000_000_000;

/** Links from the start to the page. */
export function linkDepth(depth: number): number {
  return depth < lateDepth ? depth : depth - lateDepth;
}

const isLatePage = ({ depth }: Pick<NewPage, "depth">): boolean => depth >= lateDepth;

interface LateOrder extends DepthOrder {
  /** These pages have been found. */
  found(pages: readonly NewPage[]): void;
}

/** Milliseconds that pages which are tried again, and the sitemap, hold up those that are worked on last. */
const patienceMs = 10_000;

/**
 * The order of a crawl without a `maxDiscoveryDepth`: late pages are worked on when all others have ended, and when the
 * sitemap has been read. Others that one of them leads to come before the rest of them.
 */
export function createLateOrder(
  jobs: Pick<JobStore, "leastDepth">,
  { id, expanding, openPages }: Pick<JobRecord, "id" | "expanding" | "openPages">,
): LateOrder {
  let isOpen = false;
  let isRead = !expanding;
  // A job that another process has worked on may have some.
  let isOrdered = openPages > 1;
  /** When late pages began to wait for what may take long. */
  let since: number | undefined;
  return {
    get most() {
      return isOpen ? undefined : lateDepth - 1;
    },
    get isOrdered() {
      return isOrdered;
    },
    allListed() {
      isRead = true;
    },
    found(pages) {
      if (pages.some(isLatePage)) isOrdered = true;
      if (!pages.every(isLatePage)) isOpen = false;
    },
    async advance() {
      if (isOpen) return false;
      const least = await jobs.leastDepth(id);
      if (least === null) return false;
      if (isRead && least >= lateDepth) since = undefined;
      else {
        since ??= performance.now();
        if (performance.now() - since < patienceMs) return false;
      }
      isOpen = true;
      return true;
    },
  };
}
