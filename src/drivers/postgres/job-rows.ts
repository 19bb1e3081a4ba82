/** A job as its row in the database, and figures derived from it. */

import type { JobRecord } from "../../ports/job-store.ts";
import { openResults, room } from "../job-counters.ts";
import { type JobTexts, recordOf, type StoredJob, savedValues } from "../stored-job.ts";
import type { Query } from "./connection.ts";

/** Read and locked, changed in place within a transaction, and written back by {@link saveJob}. */
export type JobRow = StoredJob<boolean>;

export type JobRowWithTexts = JobRow & JobTexts;

/** The job, locked until the transaction ends. */
export async function lockJob(query: Query, id: string): Promise<JobRow | undefined> {
  return (await query<JobRow>("lockJob", id))[0];
}

export async function saveJob(query: Query, job: JobRow): Promise<void> {
  await query("saveJob", job.number, ...savedValues(job));
}

export async function toRecord(query: Query, job: JobRowWithTexts): Promise<JobRecord> {
  return recordOf(job, job, openResults(job) ?? (await countOpenResults(query, job)));
}

async function countOpenResults(query: Query, job: JobRow): Promise<number> {
  const [row] = await query<{ times: number }>("timesOfFirstQueued", job.number, room(job));
  return job.leased_results + (row?.times ?? 0);
}
