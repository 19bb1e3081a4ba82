/** What a caller gets to see of a job: its status with a chunk of results, and what failed or was left out. */
import type { JobErrors, JobStatus } from "../contract/job.ts";
import { placeReasons } from "../frontier/scope-reasons.ts";
import { type UrlIdentity, urlKey } from "../frontier/url-key.ts";
import type { JobRecord, JobStore, LeftOutUrl } from "../ports/job-store.ts";
import { creditSum } from "../shared/credit-sum.ts";
import { Turn } from "../shared/turn.ts";
import { readCrawlMemo } from "./crawl-memo.ts";
import { nextUrl } from "./job-url.ts";
import { limitReason, robotsReason } from "./left-out-reasons.ts";
import { readResult } from "./read-result.ts";

interface StatusRange {
  readonly skip: number;
  readonly limit: number | undefined;
  readonly maxBytes: number;
}

export async function readStatus(
  jobs: JobStore,
  job: JobRecord,
  range: StatusRange,
  publicUrl: string,
): Promise<JobStatus> {
  const { skip, maxBytes } = range;
  // What has been listed since the job was read would not fit its counts.
  const limit = Math.min(range.limit ?? Number.MAX_SAFE_INTEGER, job.listed - skip);
  const { results } = limit > 0 ? await jobs.readResults(job.id, { skip, limit, maxBytes }) : { results: [] };
  const reached = skip + results.length;
  // If nothing was read although more was listed, the documents have been erased.
  const more = job.state === "scraping" || (results.length > 0 && reached < job.listed);
  return {
    ...describeJob(job),
    next: more ? nextUrl(publicUrl, job.kind, job.id, reached, range.limit) : null,
    data: results.map(readResult),
  };
}

/** The status without its results. */
export function describeJob(job: JobRecord): Omit<JobStatus, "next" | "data"> {
  return {
    status: job.state,
    total: job.state === "scraping" ? job.listed + job.open : job.listed,
    completed: job.succeeded,
    creditsUsed: creditSum(job.creditsUsed),
    expiresAt: new Date(job.expiresAt).toISOString(),
  };
}

export async function readErrors(jobs: JobStore, job: JobRecord): Promise<JobErrors> {
  // One after the other: if a storage threw in the second call, nobody would see the first one reject.
  const errors: JobErrors["errors"] = [];
  const turn = new Turn();
  for (const { id, timestamp, url, code, error } of await jobs.listFailures(job.id)) {
    if (turn.isOver()) await turn.next();
    errors.push({ id, timestamp: new Date(timestamp).toISOString(), url, code, error });
  }
  const leftOut = await onceEach(jobs, job, await jobs.listLeftOut(job.id));
  return {
    errors,
    robotsBlocked: leftOut.filter(({ reason }) => reason === robotsReason).map(({ url }) => url),
    skipped: leftOut.filter(({ reason }) => reason !== robotsReason),
  };
}

/**
 * Each page once: several engines that work on a crawl may each meet it in another spelling. Without those that another
 * page with a link to them, or the sitemap, has made a page after all.
 */
async function onceEach(jobs: JobStore, job: JobRecord, leftOut: readonly LeftOutUrl[]): Promise<LeftOutUrl[]> {
  if (leftOut.length === 0) return [];
  const identity = JSON.parse(job.request) as UrlIdentity;
  const pages = new Set<string>();
  const turn = new Turn();
  if (leftOut.some(({ reason }) => placeReasons.has(reason))) {
    for await (const keys of jobs.listKeys(job.id)) {
      if (turn.isOver()) await turn.next();
      for (const key of keys) pages.add(key);
    }
    // Every page of a site may link to where its start leads.
    const landedUrl = readCrawlMemo(job)?.landedUrl;
    if (landedUrl) pages.add(urlKey(landedUrl, identity));
  }
  const kept = new Map<string, LeftOutUrl>();
  for (const candidate of leftOut) {
    // There may be hundreds of thousands, and each is parsed.
    if (turn.isOver()) await turn.next();
    const { url, reason } = candidate;
    const key = urlKey(url, identity);
    if (placeReasons.has(reason) && pages.has(key)) continue;
    // A page that waited for its turn was left out for that, whatever its other spellings.
    if (reason === limitReason || !kept.has(key)) kept.set(key, candidate);
  }
  return [...kept.values()];
}
