/** The counters that the databases keep of a job, the figures that follow from them, and the steps that change several. */

export interface JobCounters {
  readonly page_limit: number;
  /** Pages: waiting for their turn, and being worked at. With each: the results that they will be listed as. */
  queued: number;
  queued_results: number;
  leased: number;
  leased_results: number;
  /** Pages that succeeded or failed. */
  attempted: number;
  /** Results, and those of them that succeeded. */
  listed: number;
  succeeded: number;
  credits_used: number;
  tokens_used: number;
}

/** How many queued pages may still be handed out. */
export function room(job: JobCounters): number {
  return Math.max(0, job.page_limit - job.attempted - job.leased);
}

/** Pages that are worked at, or will be. */
export function openPages(job: JobCounters): number {
  return Math.min(job.queued, room(job)) + job.leased;
}

/**
 * The results that open pages will be listed as. Undefined where pages that are listed several times meet the limit: only
 * there the queued pages must be looked at, for how often the first {@link room} of them are listed.
 */
export function openResults(job: JobCounters): number | undefined {
  const places = room(job);
  if (job.queued <= places) return job.leased_results + job.queued_results;
  return job.queued === job.queued_results ? job.leased_results + places : undefined;
}

/**
 * A queued page is worked at from now on.
 *
 * @param times how often it is listed
 */
export function takeFromQueue(job: JobCounters, times: number): void {
  job.queued -= 1;
  job.queued_results -= times;
  job.leased += 1;
  job.leased_results += times;
}

/** A page is not worked at any more. */
export function endLease(job: JobCounters, times: number): void {
  job.leased -= 1;
  job.leased_results -= times;
}

/** A page that was worked at waits for its turn again. */
export function backToQueue(job: JobCounters, times: number): void {
  endLease(job, times);
  job.queued += 1;
  job.queued_results += times;
}

/** Nothing waits and nothing is worked at any more. */
export function dropOpen(job: JobCounters): void {
  job.leased = 0;
  job.leased_results = 0;
  job.queued = 0;
  job.queued_results = 0;
}
