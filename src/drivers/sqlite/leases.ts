/** Hands pages to workers and takes them back. */

import type { JobStore, LeasedPage, PageLease } from "../../ports/job-store.ts";
import { backToQueue, room, takeFromQueue } from "../job-counters.ts";
import type { Database } from "./database.ts";
import { type JobRow, jobById, jobByNumber, saveJob } from "./job-rows.ts";

type Claim = Parameters<JobStore["claimPages"]>[1];

interface PageRow {
  readonly id: number;
  readonly url: string;
  readonly key: string;
  readonly depth: number;
  readonly times: number;
  readonly options: string | null;
  readonly attempts: number;
  readonly deaths: number;
  readonly token: number;
}

/** A leased page with its job, if the lease is current. */
interface CurrentPage {
  readonly job: JobRow;
  readonly times: number;
  readonly repeats: string | null;
}

export function currentPage(database: Database, lease: PageLease): CurrentPage | null {
  const page = database.get<{ job: number; times: number; repeats: string | null }>(
    "leasedPage",
    lease.pageId,
    lease.token,
  );
  if (page === undefined) return null;
  const job = jobByNumber(database, page.job);
  return job?.id === lease.jobId && job.state === "scraping" ? { ...page, job } : null;
}

export function claim(database: Database, jobId: string, request: Claim): LeasedPage[] {
  const { count, now, worker, leaseUntil, maxDepth = Number.MAX_SAFE_INTEGER } = request;
  const job = jobById(database, jobId);
  if (job === undefined || job.state !== "scraping" || count <= 0) return [];
  const expired = job.leased === 0 ? [] : database.all<PageRow>("expiredPages", job.number, now, maxDepth, count);
  const places = Math.min(count, room(job));
  const queued = places === 0 || job.queued === 0 ? [] : queuedPages(database, job, { now, maxDepth, most: places });
  const pages = [...expired, ...queued].sort((a, b) => a.id - b.id).slice(0, count);
  if (pages.length === 0) return [];
  const wasLeased = new Set(expired);
  database.run("leasePages", worker, leaseUntil, JSON.stringify(pages.map(({ id }) => id)));
  for (const page of pages) {
    if (!wasLeased.has(page)) takeFromQueue(job, page.times);
  }
  saveJob(database, job);
  return pages.map((page) => ({
    lease: { jobId, pageId: page.id, token: page.token + 1 },
    url: page.url,
    key: page.key,
    depth: page.depth,
    options: page.options,
    attempt: page.attempts + 1,
    deaths: page.deaths,
  }));
}

/** The least depth of the pages that are queued or leased. */
export function leastDepth(database: Database, jobId: string): number | null {
  const job = jobById(database, jobId);
  if (job === undefined || job.state !== "scraping") return null;
  return database.get<{ depth: number | null }>("leastDepth", job.number, job.number, job.number)?.depth ?? null;
}

export function release(database: Database, worker: string, hasDied: boolean): void {
  const jobs = new Map<number, JobRow>();
  for (const page of database.all<{ id: number; job: number; times: number }>("pagesOfWorker", worker)) {
    const job = jobs.get(page.job) ?? (jobByNumber(database, page.job) as JobRow);
    jobs.set(page.job, job);
    database.run("releasePage", hasDied ? 1 : 0, page.id);
    backToQueue(job, page.times);
  }
  for (const job of jobs.values()) saveJob(database, job);
}

export function retry(database: Database, lease: PageLease, notBefore: number): boolean {
  const page = currentPage(database, lease);
  if (page === null) return false;
  database.run("requeuePage", notBefore, lease.pageId);
  backToQueue(page.job, page.times);
  saveJob(database, page.job);
  return true;
}

function queuedPages(
  database: Database,
  job: JobRow,
  { now, maxDepth, most }: { now: number; maxDepth: number; most: number },
): PageRow[] {
  database.run("wakePages", job.number, now);
  return database.all<PageRow>("queuedPages", job.number, now, maxDepth, most);
}
