/** A job as the databases keep it, and what both make of it. */

import type { CompletionResult, JobKind, JobRecord, JobState } from "../ports/job-store.ts";
import { type JobCounters, openPages } from "./job-counters.ts";

/** `Flag`: what the database has for true and false. */
export interface StoredJob<Flag extends boolean | number> extends JobCounters {
  readonly number: number;
  readonly id: string;
  readonly team: string;
  readonly api_key: string | null;
  readonly kind: JobKind;
  state: JobState;
  readonly zero_data_retention: Flag;
  readonly created_at: number;
  expires_at: number;
  finished_at: number | null;
  expanding: Flag;
  admitted: number;
}

/** What is long, and seldom needed. */
export interface JobTexts {
  readonly request: string;
  readonly memo: string | null;
  readonly result: string | null;
  readonly error: string | null;
}

/** All that changes, in the order of the columns in the statement `saveJob`. */
export function savedValues<Flag extends boolean | number>(job: StoredJob<Flag>): (string | number | null | Flag)[] {
  return [
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
  ];
}

/** @param open as how many results the open pages will be listed */
export function recordOf(job: StoredJob<boolean | number>, texts: JobTexts, open: number): JobRecord {
  return {
    id: job.id,
    team: job.team,
    apiKey: job.api_key,
    kind: job.kind,
    request: texts.request,
    limit: job.page_limit,
    zeroDataRetention: Boolean(job.zero_data_retention),
    createdAt: job.created_at,
    expiresAt: job.expires_at,
    expanding: Boolean(job.expanding),
    state: job.state,
    finishedAt: job.finished_at,
    listed: job.listed,
    succeeded: job.succeeded,
    open,
    openPages: openPages(job),
    creditsUsed: job.credits_used,
    tokensUsed: job.tokens_used,
    memo: texts.memo,
    result: texts.result,
    error: texts.error,
  };
}

/** @param position the place of the page's result, if it has one */
export function completionResult(
  status: CompletionResult["status"],
  job: StoredJob<boolean | number> | undefined,
  position?: number,
): CompletionResult {
  if (job === undefined) return { status, openPages: 0, expanding: false };
  const result = { status, openPages: openPages(job), expanding: Boolean(job.expanding) };
  return position === undefined ? result : { ...result, position };
}
