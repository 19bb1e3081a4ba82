/** A job as its row in the database, and figures derived from it. */

import type { JobKind, JobRecord, JobState } from "../../ports/job-store.ts";
import { type JobCounters, openPages, openResults, room } from "../job-counters.ts";
import type { Query } from "./connection.ts";

/** Read and locked, changed in place within a transaction, and written back by {@link saveJob}. */
export interface JobRow extends JobCounters {
  readonly number: number;
  readonly id: string;
  readonly team: string;
  readonly api_key: string | null;
  readonly kind: JobKind;
  state: JobState;
  readonly zero_data_retention: boolean;
  readonly created_at: number;
  expires_at: number;
  finished_at: number | null;
  expanding: boolean;
  admitted: number;
}

export type JobRowWithTexts = JobRow & {
  readonly request: string;
  readonly memo: string | null;
  readonly result: string | null;
  readonly error: string | null;
};

/** The job, locked until the transaction ends. */
export async function lockJob(query: Query, id: string): Promise<JobRow | undefined> {
  return (await query<JobRow>("lockJob", id))[0];
}

export async function saveJob(query: Query, job: JobRow): Promise<void> {
  await query(
    "saveJob",
    job.number,
    job.state,
    job.expires_at,
    job.finished_at,
    job.expanding,
    job.admitted,
    job.queued,
    job.queued_results,
    job.leased,
    job.leased_results,
    job.attempted,
    job.listed,
    job.succeeded,
    job.credits_used,
    job.tokens_used,
  );
}

export async function toRecord(query: Query, job: JobRowWithTexts): Promise<JobRecord> {
  return {
    id: job.id,
    team: job.team,
    apiKey: job.api_key,
    kind: job.kind,
    request: job.request,
    limit: job.page_limit,
    zeroDataRetention: job.zero_data_retention,
    createdAt: job.created_at,
    expiresAt: job.expires_at,
    expanding: job.expanding,
    state: job.state,
    finishedAt: job.finished_at,
    listed: job.listed,
    succeeded: job.succeeded,
    open: openResults(job) ?? (await countOpenResults(query, job)),
    openPages: openPages(job),
    creditsUsed: job.credits_used,
    tokensUsed: job.tokens_used,
    memo: job.memo,
    result: job.result,
    error: job.error,
  };
}

async function countOpenResults(query: Query, job: JobRow): Promise<number> {
  const [row] = await query<{ times: number }>("timesOfFirstQueued", job.number, room(job));
  return job.leased_results + (row?.times ?? 0);
}
