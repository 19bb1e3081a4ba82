import type { LeasedPage } from "../ports/job-store.ts";

/**
 * Pages that may kill the process: several processes died while they had them. An engine leases and works on one of them
 * at a time, so that the next death is counted for that page, and not for those that merely were at hand.
 */
export interface Suspects {
  /** False, and nothing changed, if another one is being worked on. */
  begin(jobId: string): boolean;
  /** The job has none in progress any more. */
  end(jobId: string): void;
}

/** One death is no reason: a process that was killed for another one had many pages, of this job and others. */
const suspiciousDeaths = 2;

/** A page that has been there so often when a process died is not tried again. */
export const mostDeaths = 5;

export function isSuspect({ deaths }: LeasedPage): boolean {
  return deaths >= suspiciousDeaths && deaths < mostDeaths;
}

export function createSuspects(): Suspects {
  let jobInProgress: string | undefined;
  return {
    begin(jobId) {
      if (jobInProgress !== undefined) return false;
      jobInProgress = jobId;
      return true;
    },
    end(jobId) {
      if (jobInProgress === jobId) jobInProgress = undefined;
    },
  };
}
