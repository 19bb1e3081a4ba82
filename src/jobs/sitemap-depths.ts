import { orAborted } from "../contract/or-aborted.ts";
import type { Verdict } from "../frontier/scope.ts";
import type { JobRecord, LeasedPage } from "../ports/job-store.ts";

/**
 * How deep pages are in a crawl that goes no deeper than asked: those of the sitemap have depth 0, also where a link led to
 * them before it was read. So whoever follows a page's links waits for the sitemap first.
 */
export interface SitemapDepths {
  /** The sitemap names this page. */
  list(verdict: Verdict): void;
  /** There is no more to list. */
  allListed(): void;
  /** Rejects when `signal` fires before the sitemap has been read. */
  of(page: LeasedPage, signal: AbortSignal): Promise<number>;
}

/** Milliseconds that a sitemap is waited for; what it names later has the depth of the link. */
const patienceMs = 10_000;

/** What another process has listed is not known here: there, too, the depth is that of the link. */
export function createSitemapDepths({ expanding }: Pick<JobRecord, "expanding">): SitemapDepths {
  const listed = new Set<string>();
  const read = Promise.withResolvers<void>();
  let isRead = !expanding;
  let patience: NodeJS.Timeout | undefined;
  const goOn = () => {
    isRead = true;
    clearTimeout(patience);
    read.resolve();
  };
  return {
    list(verdict) {
      if (verdict.admitted) listed.add(verdict.key);
    },
    allListed: goOn,
    async of({ key, depth }, signal) {
      if (depth > 0 && !isRead) {
        patience ??= setTimeout(goOn, patienceMs).unref();
        try {
          await orAborted(read.promise, signal);
        } finally {
          // Left alone it would hold a closed engine.
          if (signal.aborted) clearTimeout(patience);
        }
      }
      return listed.has(key) ? 0 : depth;
    },
  };
}
