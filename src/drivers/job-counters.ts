/**
 * The counters that the databases keep for a job, figures derived from them, and the steps that change several of them.
 */

export interface JobCounters {
  readonly page_limit: number;
  /** Numbers of queued and leased pages; and for each, as how many results they will be listed. */
  queued: number;
  queued_results: number;
  leased: number;
  leased_results: number;
  /** Pages that succeeded or failed. */
  attempted: number;
  /** Numbers of results, and of those that succeeded. */
  listed: number;
  succeeded: number;
  credits_used: number;
  tokens_used: number;
}

/** How many queued pages may still be handed out. */
export function room(job: JobCounters): number {
  return Math.max(0, job.page_limit - job.attempted - job.leased);
}

/** Number of pages that are leased, or will be. */
export function openPages(job: JobCounters): number {
  return Math.min(job.queued, room(job)) + job.leased;
}

/**
 * As how many results the open pages will be listed. Undefined if pages that are listed several times meet the limit:
 * only then the queued pages must be examined, to see how often the first {@link room} of them are listed.
 */
export function openResults(job: JobCounters): number | undefined {
  const places = room(job);
  if (job.queued <= places) return job.leased_results + job.queued_results;
  return job.queued === job.queued_results ? job.leased_results + places : undefined;
}

/**
 * A queued page is leased.
 *
 * @param times how often it is listed
 */
export function takeFromQueue(job: JobCounters, times: number): void {
  job.queued -= 1;
  job.queued_results -= times;
  job.leased += 1;
  job.leased_results += times;
}

/** A queued page is dropped. */
export function dropQueued(job: JobCounters, times: number): void {
  job.queued -= 1;
  job.queued_results -= times;
}

/** The lease of a page has ended. */
export function endLease(job: JobCounters, times: number): void {
  job.leased -= 1;
  job.leased_results -= times;
}

/** A leased page goes back into the queue. */
export function backToQueue(job: JobCounters, times: number): void {
  endLease(job, times);
  job.queued += 1;
  job.queued_results += times;
}

/** All queued and leased pages are dropped. */
export function dropOpen(job: JobCounters): void {
  job.leased = 0;
  job.leased_results = 0;
  job.queued = 0;
  job.queued_results = 0;
}
