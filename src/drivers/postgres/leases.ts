/**
 * Hands pages to workers and takes them back. The lock on the job's row keeps its counters consistent with its pages.
 */

import type { JobStore, LeasedPage, PageLease } from "../../ports/job-store.ts";
import { backToQueue, room, takeFromQueue } from "../job-counters.ts";
import type { Query } from "./connection.ts";
import { type JobRow, lockJob, saveJob } from "./job-rows.ts";

type Claim = Parameters<JobStore["claimPages"]>[1];

/** The largest integer of the database: no page is as deep. */
const deepest = 2 ** 31 - 1;

interface LeasedRow {
  readonly place: number;
  readonly url: string;
  readonly key: string;
  readonly depth: number;
  readonly options: string | null;
  readonly attempts: number;
  readonly deaths: number;
  readonly token: number;
}

/** A leased page: how often it is listed, and for which URLs besides its own. */
interface CurrentPage {
  readonly times: number;
  readonly repeats: string | null;
}

/** The pages of those of the leases that are current; of several of one page, each has it. The job is locked. */
export async function currentPages(
  query: Query,
  job: JobRow,
  leases: readonly PageLease[],
): Promise<Map<PageLease, CurrentPage>> {
  const places = leases.map(({ pageId }) => pageId);
  const rows = await query<CurrentPage & { place: number; token: number }>("leasedPages", job.number, places);
  const pages = new Map(rows.map((row) => [row.place, row]));
  return new Map(
    leases.flatMap((lease) => {
      const page = pages.get(lease.pageId);
      return page?.token === lease.token ? [[lease, page]] : [];
    }),
  );
}

export async function claim(query: Query, jobId: string, request: Claim): Promise<LeasedPage[]> {
  const { count, now, worker, leaseUntil, maxDepth = deepest } = request;
  if (count <= 0) return [];
  const job = await lockJob(query, jobId);
  if (job === undefined || job.state !== "scraping") return [];
  await query("wakePages", job.number, now);
  const places = Math.min(count, room(job));
  const chosen = await query<{ place: number; times: number; leased: boolean }>(
    "claimablePages",
    job.number,
    now,
    count,
    places,
    maxDepth,
  );
  if (chosen.length === 0) return [];
  for (const page of chosen) {
    if (!page.leased) takeFromQueue(job, page.times);
  }
  const rows = await query<LeasedRow>(
    "leasePages",
    job.number,
    chosen.map((page) => page.place),
    worker,
    leaseUntil,
  );
  await saveJob(query, job);
  return rows
    .sort((a, b) => a.place - b.place)
    .map((row) => ({
      lease: { jobId, pageId: row.place, token: row.token },
      url: row.url,
      key: row.key,
      depth: row.depth,
      options: row.options,
      attempt: row.attempts,
      deaths: row.deaths,
    }));
}

export async function release(query: Query, worker: string, hasDied: boolean): Promise<void> {
  const jobs = await query<{ job: number }>("jobsOfWorker", worker);
  if (jobs.length === 0) return;
  const numbers = jobs.map((row) => row.job);
  for (const job of await query<JobRow>("lockJobs", numbers)) {
    const released = await query<{ times: number }>("releasePages", job.number, worker, hasDied ? 1 : 0);
    for (const { times } of released) backToQueue(job, times);
    await saveJob(query, job);
  }
}

export async function retry(query: Query, lease: PageLease, notBefore: number): Promise<boolean> {
  const job = await lockJob(query, lease.jobId);
  if (job === undefined || job.state !== "scraping") return false;
  const page = (await currentPages(query, job, [lease])).get(lease);
  if (page === undefined) return false;
  await query("requeuePage", job.number, lease.pageId, notBefore);
  backToQueue(job, page.times);
  await saveJob(query, job);
  return true;
}
