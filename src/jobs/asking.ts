/**
 * When the storage is asked for further pages of a job: whenever few are at hand, as long as it has some. Once it had
 * none, there are more when a page that was worked on here has led to some, or is due again, which is known here; or
 * when another process has added or given back some, of which nothing is known. For these it is asked ever more rarely:
 * thousands of jobs may have all their pages at hand.
 */
export interface Asking {
  /** The earliest time to ask at, as `performance.now()` gives it. */
  readonly next: number;
  /** While true, it is asked as often as at first: pages are being added all the time. */
  isExpecting: boolean;
  /** There may be pages now. */
  soon(): void;
  /** There will be a page in so many milliseconds; 0: there may be some now. */
  after(milliseconds: number): void;
  /** The storage is being asked. */
  begin(now: number): void;
  /**
   * The storage has answered with so many pages of those it was asked for.
   *
   * @param jobs how many jobs ask
   */
  end(now: number, count: { readonly found: number; readonly wanted: number; readonly jobs: number }): void;
}

/** The first and the longest pause, in milliseconds. */
const leastIdleMs = 250;
const mostIdleMs = 1000;
/** The same for each job in progress: the storage has pages to complete meanwhile. */
const leastIdleMsPerJob = 1;
const mostIdleMsPerJob = 8;

/** Pages that are due within so many milliseconds are asked for together. */
const togetherMs = 50;
/** The storage may find that a page is due a little later than we do. */
const clockMs = 5;

export function createAsking(): Asking {
  let next = 0;
  let idleMs = 0;
  /** When pages are due. */
  const due = new Set<number>();
  /** There may be pages that the storage did not have when it was asked. */
  let isNews = false;

  function soon(): void {
    next = 0;
    idleMs = 0;
    isNews = true;
  }

  const asking: Asking = {
    get next() {
      return next;
    },
    isExpecting: false,
    soon,
    after(milliseconds) {
      if (milliseconds === 0) return soon();
      const later = Math.ceil((performance.now() + milliseconds + clockMs) / togetherMs) * togetherMs;
      due.add(later);
      next = Math.min(next, later);
    },
    begin(now) {
      isNews = false;
      for (const time of due) if (time <= now) due.delete(time);
    },
    end(now, { found, wanted, jobs }) {
      if (found > 0) idleMs = 0;
      if (isNews || found === wanted) return soon();
      const least = Math.max(leastIdleMs, leastIdleMsPerJob * jobs);
      const most = asking.isExpecting ? least : Math.max(mostIdleMs, mostIdleMsPerJob * jobs);
      idleMs = Math.min(Math.max(least, 2 * idleMs), most);
      next = Math.min(now + idleMs, ...due);
    },
  };
  return asking;
}
