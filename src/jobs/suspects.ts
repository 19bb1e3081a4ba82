import type { LeasedPage } from "../ports/job-store.ts";

/**
 * Pages that may kill the process: several processes died while they had them. Of a job, such a page is leased and
 * worked on alone, so that the next death is counted for that page, and not for those that merely were at hand.
 */
export function isSuspect({ deaths }: LeasedPage): boolean {
  return deaths >= suspiciousDeaths && deaths < mostDeaths;
}

/** One death is no reason: a process that was killed for another one had many pages, of this job and others. */
const suspiciousDeaths = 2;

/** A page that has been there so often when a process died is not tried again. */
export const mostDeaths = 5;
