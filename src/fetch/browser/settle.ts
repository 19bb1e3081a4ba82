/** Waits until a page has come to rest: its scripts have loaded what they wanted, within a limit. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request } from "playwright";

/** Counts the requests of one page that have no answer yet. */
export interface Network {
  /** Resolves when no request has been open for `quietMs`, at the latest after `limitMs`: then with false. */
  quiet(quietMs: number, limitMs: number, signal: AbortSignal): Promise<boolean>;
  /** Counts no request any more that is open now. */
  forget(): void;
  stop(): void;
}

/** Answers that never end are not waited for. */
const endless: ReadonlySet<string> = new Set(["eventsource", "websocket", "media", "ping", "manifest"]);
const pollMs = 25;
/** Playwright keeps thousands of those that are listened to, with what they send. After so many a page counts as restless. */
const maxRequests = 2_000;

export function watchNetwork(page: Page): Network {
  const open = new Set<Request>();
  let changed = performance.now();
  let count = 0;
  const stop = (): void => {
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  };
  const begin = (request: Request): void => {
    count += 1;
    if (count > maxRequests) stop();
    if (endless.has(request.resourceType())) return;
    open.add(request);
    changed = performance.now();
  };
  const end = (request: Request): void => {
    if (open.delete(request)) changed = performance.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  return {
    async quiet(quietMs, limitMs, signal) {
      const start = performance.now();
      changed = Math.max(changed, start - quietMs / 2);
      for (;;) {
        const now = performance.now();
        const rests = count <= maxRequests && open.size === 0 && now - changed >= quietMs;
        if (rests || now - start >= limitMs) return rests;
        await sleep(pollMs, undefined, { signal });
      }
    },
    forget: () => open.clear(),
    stop,
  };
}
