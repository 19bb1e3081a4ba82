import type { Verdict } from "../frontier/scope.ts";
import type { JobRecord, LeasedPage } from "../ports/job-store.ts";
import { orAborted } from "../shared/or-aborted.ts";

/**
 * The depth of pages in a crawl with a `maxDiscoveryDepth`: those of the sitemap have depth 0, even if a link led to
 * them before the sitemap was read. So before the links of a page are followed, the sitemap is waited for.
 */
interface SitemapDepths {
  /** Records that the sitemap lists this page. */
  list(verdict: Verdict): void;
  /** The sitemap has been read to its end. */
  allListed(): void;
  /** Rejects when `signal` fires before the sitemap has been read. */
  of(page: LeasedPage, signal: AbortSignal): Promise<number>;
}

/** Milliseconds that the sitemap is waited for; pages that it lists later have the depth of their link. */
const patienceMs = 10_000;

/** Pages that another process has listed are not known here: they too have the depth of their link. */
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
          // Otherwise it would keep a closed engine in memory.
          if (signal.aborted) clearTimeout(patience);
        }
      }
      return listed.has(key) ? 0 : depth;
    },
  };
}
