/** Ends a job once none of its pages is open, and notices if it has ended elsewhere. */
import type { JobRecord, JobStore } from "../ports/job-store.ts";

interface Ending {
  /** A task came for the job: pages may have been added to it. */
  call(): void;
  /**
   * Call it when no page is at hand. Whoever finds that nothing is open ends the job; the storage lets exactly one
   * caller do so.
   */
  closeIfDone(): Promise<void>;
  /** Has the job ended elsewhere? */
  look(): Promise<void>;
}

interface EndingParts {
  readonly jobs: JobStore;
  readonly jobId: string;
  /** Fires when the job is let go of. */
  readonly signal: AbortSignal;
  /** Ends the job, or admits further pages instead. */
  finish(job: JobRecord): Promise<void>;
  /** It has not ended, so there are more pages after all. */
  onMore(): void;
  /** The job has ended; `isGone`: it is not there any more. */
  onEnd(isGone: boolean): void;
}

export function createEnding({ jobs, jobId, signal, finish, onMore, onEnd }: EndingParts): Ending {
  let isClosing = false;
  /** The storage did not accept the end of the job; it is asked again after a heartbeat. */
  let isRefused = false;
  /** How many tasks came for the job while it was in progress: with each, pages may have been added. */
  let calls = 0;

  /**
   * A batch may be opened again at any time, which brings a task for it: then the storage is asked again. Nothing
   * happens between its answer and letting go, so no task is lost.
   */
  async function hasEnded(): Promise<boolean> {
    let found: JobRecord | null;
    let known: number;
    do {
      known = calls;
      found = await jobs.getJob(jobId, Date.now());
    } while (calls !== known);
    if (found?.state === "scraping") return false;
    onEnd(found === null);
    return true;
  }

  return {
    call: () => void calls++,
    async closeIfDone() {
      if (isClosing || isRefused || signal.aborted) return;
      const found = await jobs.getJob(jobId, Date.now());
      if (found !== null && found.state === "scraping" && (found.openPages > 0 || found.expanding)) return;
      // Of several that have asked at once, one ends the job.
      if (isClosing || isRefused) return;
      isClosing = true;
      try {
        if (found?.state === "scraping") await finish(found);
      } catch (error) {
        isRefused = true;
        throw error;
      } finally {
        isClosing = false;
      }
      if (!(await hasEnded())) onMore();
    },
    async look() {
      isRefused = false;
      if (!signal.aborted) await hasEnded();
    },
  };
}
