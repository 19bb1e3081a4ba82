import type { LeasedPage } from "../ports/job-store.ts";

/** One death is no reason: a process that was killed for another one had many pages, of this job and others. */
const suspiciousDeaths = 2;

/** A page that has been there so often when a process died is not tried again. */
export const mostDeaths = 5;

/** Whether a page may kill the process: several died while they had it. */
function isSuspect({ deaths }: LeasedPage): boolean {
  return deaths >= suspiciousDeaths && deaths < mostDeaths;
}

/**
 * Has the pages of a job leased and worked on alone while one among them is suspect, so that the next death is counted
 * for that page, and not for those that merely were at hand.
 */
export class Caution {
  /** How many pages are still to be leased one by one. */
  #left = 0;

  get isOn(): boolean {
    return this.#left > 0;
  }

  /**
   * Whether pages that were leased may be worked on; otherwise they are to be given back.
   *
   * @param isIdle whether the job has no other page at hand
   */
  admits(pages: readonly LeasedPage[], isIdle: boolean): boolean {
    if (this.#left > 0) this.#left--;
    if (!pages.some(isSuspect)) return true;
    this.#left = Math.max(this.#left, pages.length);
    return pages.length === 1 && isIdle;
  }
}
