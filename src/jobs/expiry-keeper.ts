/** Extends the expiry of jobs in progress here: one that takes longer than jobs are kept would vanish before its end. */
import type { JobRecord, JobStore } from "../ports/job-store.ts";

export interface ExpiryKeeper {
  /** The job is worked from now on. */
  keep(job: JobRecord): void;
  /** It is no longer: it expires when it was last said to. */
  letGo(jobId: string): void;
}

export interface ExpiryKeeperParts {
  readonly jobs: JobStore;
  readonly jobTtlMs: number;
  /** Follows what is begun to its end. */
  readonly track: (work: Promise<void>) => void;
}

/** The part of its time that is left when a job is extended. Most have ended by then, with the expiry first announced. */
const lastPart = 1 / 4;
/** The part of its time after which an extension that failed is tried again. */
const triedAgainAfter = lastPart / 10;
/** The longest a timer of Node can wait is about 24 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

export function createExpiryKeeper({ jobs, jobTtlMs, track }: ExpiryKeeperParts): ExpiryKeeper {
  const timers = new Map<string, NodeJS.Timeout>();

  function waitUntil(time: number, jobId: string, expiresAt: number): void {
    const waitMs = time - Date.now();
    const timer = setTimeout(
      () => (waitMs > longestWaitMs ? waitUntil(time, jobId, expiresAt) : track(putOff(jobId, expiresAt))),
      Math.min(Math.max(waitMs, 0), longestWaitMs),
    );
    timer.unref();
    timers.set(jobId, timer);
  }

  async function putOff(jobId: string, expiresAt: number): Promise<void> {
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
