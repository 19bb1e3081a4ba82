/** Waits, up to a limit, until a page has come to rest because its scripts have loaded what they wanted. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request, Response } from "playwright";

/** Counts the requests of one page that have not been answered yet. */
export interface Network {
  /**
   * Resolves when no request has been open for `quietMs`; with false if that has not happened within `limitMs`.
   * Requests of `earlier` do not count.
   */
  quiet(quietMs: number, limitMs: number, signal: AbortSignal, earlier?: ReadonlySet<Request>): Promise<boolean>;
  /** The requests that are open now. */
  pending(): ReadonlySet<Request>;
  /** Resolves when the page has an answer to the last navigation that began, or after `limitMs`. */
  answered(limitMs: number, signal: AbortSignal): Promise<void>;
  /** Stops counting the requests that are open now. */
  forget(): void;
  stop(): void;
}

/** Answers that never end are not waited for. */
const endless: ReadonlySet<string> = new Set(["eventsource", "websocket", "media", "ping", "manifest"]);
const pollMs = 25;
/**
 * Playwright keeps thousands of the requests that are listened to, with the data that they send. After this many, a
 * page counts as restless.
 */
const maxRequests = 2_000;

export function watchNetwork(page: Page): Network {
  const open = new Set<Request>();
  /** The page that is under way, while nothing of it has come. */
  let next: Request | undefined;
  let changed = performance.now();
  let count = 0;
  const stop = (): void => {
    page.off("request", begin).off("response", hear).off("requestfinished", end).off("requestfailed", end);
    next = undefined;
  };
  const begin = (request: Request): void => {
    count += 1;
    if (count > maxRequests) stop();
    if (endless.has(request.resourceType())) return;
    open.add(request);
    changed = performance.now();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) next = request;
  };
  const hear = (response: Response): void => {
    if (response.request() === next) next = undefined;
  };
  const end = (request: Request): void => {
    if (request === next) next = undefined;
    if (open.delete(request)) changed = performance.now();
  };
  page.on("request", begin).on("response", hear).on("requestfinished", end).on("requestfailed", end);
  return {
    async quiet(quietMs, limitMs, signal, earlier = new Set()) {
      const start = performance.now();
      changed = Math.max(changed, start - quietMs / 2);
      for (;;) {
        const now = performance.now();
        const rests =
          count <= maxRequests && open.values().every((request) => earlier.has(request)) && now - changed >= quietMs;
        if (rests || now - start >= limitMs) return rests;
        await sleep(pollMs, undefined, { signal });
      }
    },
    pending: () => new Set(open),
    async answered(limitMs, signal) {
      const start = performance.now();
      while (next !== undefined && performance.now() - start < limitMs) await sleep(pollMs, undefined, { signal });
    },
    forget: () => open.clear(),
    stop,
  };
}
