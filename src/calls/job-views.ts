/** Status, errors and cancellation of jobs. Crawls and batch scrapes share all of it except the kind. */
import type { CallContext, ParsedCallContext } from "../contract/call-context.ts";
import {
  type Cancelled,
  type JobErrors,
  type JobStatus,
  jobId,
  type ParsedStatusPage,
  type StatusPage,
  statusPage,
} from "../contract/job.ts";
import { badRequest, parse } from "../contract/parse.ts";
import { RequestError } from "../errors.ts";
import { findJob } from "../jobs/find-job.ts";
import { nextNews } from "../jobs/follow.ts";
import { eraseIfNotRetained } from "../jobs/retention.ts";
import { readErrors, readStatus } from "../jobs/status.ts";
import type { JobKind, JobRecord } from "../ports/job-store.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelJob } from "./cancel.ts";
import { openCall, openCallFor, requireOpen } from "./open-call.ts";

/** The job of the caller's team. */
export async function findOwnJob(
  parts: CallParts,
  kind: JobKind,
  id: string,
  context: CallContext | undefined,
): Promise<JobRecord> {
  return findJobOf(parts, kind, id, openCall(parts, context));
}

async function findJobOf(parts: CallParts, kind: JobKind, id: string, { team }: ParsedCallContext): Promise<JobRecord> {
  const known = jobId.safeParse(id);
  if (!known.success) throw new RequestError("NOT_FOUND", "Job not found");
  return findJob(parts.storage.jobs, kind, known.data, team);
}

/** How long the answer to a `next` waits for something new, in milliseconds. */
const mostWaitMs = 250;

/**
 * Whoever follows `next` while the job runs gets each result as it comes, instead of thousands of empty answers: if
 * there is nothing new, the job is read again after the next news, or after a moment.
 */
export async function jobStatus(
  parts: CallParts,
  kind: JobKind,
  id: string,
  page?: StatusPage,
  context?: CallContext,
): Promise<JobStatus> {
  const { caller, request } = await openCallFor(parts, context, () => parse(statusPage, page, "status page"));
  const read = () => readJobStatus(parts, kind, id, request, caller);
  const isNews = ({ data, next }: JobStatus) => data.length > 0 || next === null;
  const first = await read();
  if (request.next === undefined || isNews(first)) return first;
  const news = nextNews(parts.following, jobId.parse(id), { pollMs: mostWaitMs, onlyEnd: false });
  try {
    const second = await read();
    if (isNews(second)) return second;
    await news.arrival;
  } finally {
    news.forget();
  }
  return read();
}

async function readJobStatus(
  parts: CallParts,
  kind: JobKind,
  id: string,
  { skip, limit, next }: ParsedStatusPage,
  caller: ParsedCallContext,
): Promise<JobStatus> {
  requireOpen(parts);
  const job = await findJobOf(parts, kind, id, caller);
  if (next !== undefined && !next.includes(job.id)) {
    throw badRequest("status page", [{ code: "custom", path: ["next"], message: "belongs to another job" }]);
  }
  const range = { skip, limit, maxBytes: parts.limits.statusChunkBytes };
  const status = await readStatus(parts.storage.jobs, job, range, parts.publicUrl);
  if (job.zeroDataRetention) await eraseIfRead(parts, job, { from: skip, to: skip + status.data.length });
  return status;
}

/** What nobody has read stays: a caller may begin in the middle, or ask for a part beyond the end. */
async function eraseIfRead(
  { following, readRanges }: CallParts,
  job: JobRecord,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  if (!readRanges.add(job.id, range, job.listed) || job.state === "scraping") return;
  readRanges.forget(job.id);
  await eraseIfNotRetained(following, job);
}

export async function jobErrors(
  parts: CallParts,
  kind: JobKind,
  id: string,
  context?: CallContext,
): Promise<JobErrors> {
  const job = await findOwnJob(parts, kind, id, context);
  return readErrors(parts.storage.jobs, job);
}

export async function cancel(parts: CallParts, kind: JobKind, id: string, context?: CallContext): Promise<Cancelled> {
  const job = await findOwnJob(parts, kind, id, context);
  return cancelJob(parts, kind, job.id, job.team);
}
