/** Hands pages of the memory driver to workers and takes them back. */

import type { JobStore, LeasedPage, PageLease } from "../../ports/job-store.ts";
import { enqueue } from "./admission.ts";
import { type MemoryJob, type MemoryPage, type MemoryTables, room, timesOf } from "./job-table.ts";

type Claim = Parameters<JobStore["claimPages"]>[1];

/** The leased page if the lease is current, otherwise null. */
export function currentPage(tables: MemoryTables, lease: PageLease): MemoryPage | null {
  const page = tables.jobs.get(lease.jobId)?.pages[lease.pageId];
  return page !== undefined && page.state === "leased" && page.token === lease.token ? page : null;
}

export function claim(tables: MemoryTables, job: MemoryJob, request: Claim): LeasedPage[] {
  const claimed: LeasedPage[] = [];
  const { maxDepth = Number.POSITIVE_INFINITY } = request;
  const expired = expiredPages(job, request.now).filter(({ depth }) => depth <= maxDepth);
  const ready = readyPages(job, request.now, maxDepth);
  let places = room(job);
  let nextExpired = 0;
  let queued = places > 0 ? ready.next().value : undefined;
  while (claimed.length < request.count) {
    const lapsed = expired[nextExpired];
    if (lapsed !== undefined && (queued === undefined || lapsed.id < queued.id)) {
      nextExpired += 1;
      endLease(tables, lapsed);
      claimed.push(startLease(tables, lapsed, request));
    } else if (queued !== undefined) {
      places -= 1;
      job.ready.remove(queued);
      job.queued -= 1;
      job.queuedTimes -= timesOf(queued);
      claimed.push(startLease(tables, queued, request));
      queued = places > 0 ? ready.next().value : undefined;
    } else {
      break;
    }
  }
  return claimed;
}

/** Ends the lease of a leased page; the caller gives the page its next state. */
export function endLease(tables: MemoryTables, page: MemoryPage): void {
  const { job, worker } = page;
  job.leased.delete(page);
  job.leasedTimes -= timesOf(page);
  const held = tables.holders.get(worker as string);
  held?.delete(page);
  if (held?.size === 0) tables.holders.delete(worker as string);
  page.worker = null;
}

export function renew(tables: MemoryTables, worker: string, leaseUntil: number): void {
  for (const page of tables.holders.get(worker) ?? []) page.leaseUntil = Math.max(page.leaseUntil, leaseUntil);
}

export function release(tables: MemoryTables, worker: string, hasDied: boolean): void {
  for (const page of [...(tables.holders.get(worker) ?? [])]) {
    endLease(tables, page);
    page.attempts -= 1;
    if (hasDied) page.deaths += 1;
    enqueue(page.job, page, 0);
  }
}

function startLease(tables: MemoryTables, page: MemoryPage, { worker, leaseUntil }: Claim): LeasedPage {
  const { job } = page;
  page.state = "leased";
  page.worker = worker;
  page.leaseUntil = leaseUntil;
  page.attempts += 1;
  page.token += 1;
  job.leased.add(page);
  job.leasedTimes += timesOf(page);
  job.leaseFloor = Math.min(job.leaseFloor, leaseUntil);
  const held = tables.holders.get(worker);
  if (held === undefined) tables.holders.set(worker, new Set([page]));
  else held.add(page);
  return {
    lease: { jobId: job.about.id, pageId: page.id, token: page.token },
    url: page.url,
    key: page.key,
    depth: page.depth,
    options: page.options,
    attempt: page.attempts,
    deaths: page.deaths,
  };
}

/**
 * Leased pages whose lease has ended, in the order of admission. Examines the leases only if one of them can have
 * ended.
 */
function expiredPages(job: MemoryJob, now: number): MemoryPage[] {
  if (job.leaseFloor > now) return [];
  const expired: MemoryPage[] = [];
  job.leaseFloor = Number.POSITIVE_INFINITY;
  for (const page of job.leased) {
    if (page.leaseUntil <= now) expired.push(page);
    job.leaseFloor = Math.min(job.leaseFloor, page.leaseUntil);
  }
  return expired.sort((a, b) => a.id - b.id);
}

/** The least depth of the pages that are queued or leased. */
export function leastDepth(job: MemoryJob): number | null {
  let least: number | null = null;
  for (const pages of [job.ready.values(), job.waiting.values(), job.leased]) {
    for (const { depth } of pages) least = Math.min(least ?? depth, depth);
  }
  return least;
}

/**
 * The queued pages that may be handed out at `now`, the first ones first. Each has to be taken from the heap before the
 * next one is asked for.
 */
function* readyPages(job: MemoryJob, now: number, maxDepth: number): Generator<MemoryPage, undefined, void> {
  let page = nextReady(job, now);
  for (; page !== undefined && page.depth <= maxDepth; page = nextReady(job, now)) yield page;
  if (page === undefined) return;
  // From here on, others are to be passed over for their depth. Looking for each one anew would take long.
  const rest = job.ready.values().filter(({ depth, notBefore }) => depth <= maxDepth && notBefore <= now);
  yield* rest.sort((a, b) => a.id - b.id);
}

/** The first queued page that is due at `now`; it stays in the heap. */
function nextReady(job: MemoryJob, now: number): MemoryPage | undefined {
  for (let page = job.waiting.peek(); page !== undefined && page.notBefore <= now; page = job.waiting.peek()) {
    job.waiting.remove(page);
    job.ready.push(page);
  }
  // Clocks of several callers differ: a page that is due for one may not yet be due for another.
  for (let page = job.ready.peek(); page !== undefined; page = job.ready.peek()) {
    if (page.notBefore <= now) return page;
    job.ready.remove(page);
    job.waiting.push(page);
  }
  return undefined;
}
