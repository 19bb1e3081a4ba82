import { orAborted } from "../shared/or-aborted.ts";

/**
 * The order in which a crawl with a `maxDiscoveryDepth` follows links: those of a page not before those of the pages of
 * lesser depth that are in progress. So a page has the depth of the shortest way to it, however long the pages on that
 * way took. Otherwise it would often be one that came quickly, and what only the shortest leads to would be left out.
 * Pages that another process works on are not known here.
 */
interface DepthOrder {
  /** A page of this depth is in progress, until the returned function is called. */
  enter(depth: number): () => void;
  /** Resolves when the links of a page of this depth may be followed; rejects when `signal` fires before. */
  turn(depth: number, signal: AbortSignal): Promise<void>;
}

/** Milliseconds after which a page is waited for no longer. */
const patienceMs = 10_000;

export function createDepthOrder(): DepthOrder {
  /** How many pages are in progress, by their depth. */
  const inProgress: number[] = [];
  let change = Promise.withResolvers<void>();

  function count(depth: number, by: 1 | -1): void {
    inProgress[depth] = (inProgress[depth] ?? 0) + by;
    change.resolve();
    change = Promise.withResolvers();
  }

  return {
    enter(depth) {
      count(depth, 1);
      const timer = setTimeout(leave, patienceMs).unref();
      let isLeft = false;
      function leave(): void {
        clearTimeout(timer);
        if (!isLeft) count(depth, -1);
        isLeft = true;
      }
      return leave;
    },
    async turn(depth, signal) {
      while (inProgress.slice(0, depth).some((pages) => pages > 0)) await orAborted(change.promise, signal);
    },
  };
}
