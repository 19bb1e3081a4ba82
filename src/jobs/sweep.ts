/** Ends and deletes what has expired. Nothing runs while the storage contains nothing that will expire. */

import type { Logger } from "../ports/logger.ts";
import type { Storage } from "../ports/storage.ts";
import { createBackground } from "../shared/background.ts";
import { errorName } from "../shared/error-text.ts";
import { outside } from "../shared/outside.ts";

export interface Sweeper {
  /** Something was stored that expires at this time. */
  expect(expiry: number): void;
  /** Sweeps now, and from then on whenever something expires. */
  sweep(): Promise<void>;
  /**
   * Resolves when nothing is being deleted any more; a storage that was closed before that would open again.
   * Idempotent.
   */
  stop(): Promise<void>;
}

/** Items that expire within this time of each other are swept together. */
const gatherMs = 1000;
/** How soon a storage that failed is asked again; otherwise nothing would happen until the next job. */
const troubledMs = 5000;
/** The longest a timer of Node can wait is about 24 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

/** @param endExpired ends the jobs that have expired, before they are deleted */
export function createSweeper(
  storage: Pick<Storage, "sweep">,
  endExpired: (now: number) => Promise<void>,
  logger: Logger,
): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let stopped = false;
  const { track, drain } = createBackground(() => {});

  function expectAt(expiry: number): void {
    if (stopped || expiry >= due) return;
    due = expiry;
    clearTimeout(timer);
    const wait = Math.min(Math.max(expiry - Date.now(), 0) + gatherMs, longestWaitMs);
    timer = outside(setTimeout, () => void sweep(), wait);
    timer.unref();
  }

  function sweep(): Promise<void> {
    const removing = outside(remove);
    track(removing);
    return removing;
  }

  async function remove(): Promise<void> {
    if (stopped) return;
    due = Number.POSITIVE_INFINITY;
    try {
      const now = Date.now();
      await endExpired(now);
      const { nextExpiry } = await storage.sweep(now);
      if (nextExpiry !== null) expectAt(nextExpiry);
    } catch (error) {
      logger.error("expired jobs could not be removed", { error: errorName(error) });
      expectAt(Date.now() + troubledMs);
    }
  }

  return {
    expect: expectAt,
    sweep,
    stop() {
      stopped = true;
      clearTimeout(timer);
      return drain();
    },
  };
}
