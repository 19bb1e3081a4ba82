/** Extends the expiry of jobs in progress here: one that takes longer than jobs are kept would vanish before its end. */
import type { JobRecord, JobStore } from "../ports/job-store.ts";

interface ExpiryKeeper {
  /** Extends the expiry of the job from now on, until it is let go of. */
  keep(job: JobRecord): void;
  /** The job keeps the expiry that it has. */
  letGo(jobId: string): void;
}

interface ExpiryKeeperParts {
  readonly jobs: JobStore;
  readonly jobTtlMs: number;
  /** Takes care of work that nobody waits for, and of its failure. */
  readonly track: (work: Promise<void>) => void;
}

/** The part of its time that is left when a job is extended. Most have ended by then, with the expiry first announced. */
const lastPart = 1 / 4;
/** The part of its time after which an extension that failed is tried again. */
const triedAgainAfter = lastPart / 10;
/** Timers of Node can wait for about 24 days at most; longer waits are made of several. */
const longestWaitMs = 24 * 60 * 60 * 1000;

export function createExpiryKeeper({ jobs, jobTtlMs, track }: ExpiryKeeperParts): ExpiryKeeper {
  const timers = new Map<string, NodeJS.Timeout>();

  function waitUntil(time: number, jobId: string, expiresAt: number): void {
    const waitMs = time - Date.now();
    const timer = setTimeout(
      () => (waitMs > longestWaitMs ? waitUntil(time, jobId, expiresAt) : track(extend(jobId, expiresAt))),
      Math.min(Math.max(waitMs, 0), longestWaitMs),
    );
    timer.unref();
    timers.set(jobId, timer);
  }

  async function extend(jobId: string, expiresAt: number): Promise<void> {
    const timer = timers.get(jobId);
    const now = Date.now();
    // The process may have been suspended. What has expired may be half removed already, and does not come back.
    if (expiresAt <= now) return;
    const later = now + jobTtlMs;
    try {
      await jobs.admitPages(jobId, { pages: [], leftOut: [], duplicates: "ignore", expiresAt: later });
      // It may have been let go of meanwhile.
      if (timers.get(jobId) === timer) waitUntil(later - jobTtlMs * lastPart, jobId, later);
    } catch (error) {
      if (timers.get(jobId) === timer) waitUntil(now + jobTtlMs * triedAgainAfter, jobId, expiresAt);
      throw error;
    }
  }

  return {
    keep: ({ id, expiresAt }) => waitUntil(expiresAt - jobTtlMs * lastPart, id, expiresAt),
    letGo(jobId) {
      clearTimeout(timers.get(jobId));
      timers.delete(jobId);
    },
  };
}
