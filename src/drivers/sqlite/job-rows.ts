/** A job as its row in the database, and figures derived from it. */

import type { JobRecord } from "../../ports/job-store.ts";
import { openResults, room } from "../job-counters.ts";
import { type JobTexts, recordOf, type StoredJob, savedValues } from "../stored-job.ts";
import type { Database } from "./database.ts";

/**
 * Shared by all calls of a transaction: read once, changed in place, and written back at the end if {@link saveJob} has
 * been called. Whoever changes it must save it.
 */
export interface JobRow extends StoredJob<number> {
  /** Which part of the job is being deleted. */
  readonly removal: "none" | "results" | "job";
}

/**
 * The page ids of a job lie between this multiple of its number and the next, so that they sort by job, then by
 * admission.
 */
const pagesPerJob = 2 ** 25;

export function pageId(jobNumber: number, place: number): number {
  return jobNumber * pagesPerJob + place;
}

/** The range of ids of a job's pages. */
export function pageRange(jobNumber: number): readonly [after: number, before: number] {
  return [pageId(jobNumber, 0) - 1, pageId(jobNumber + 1, 0)];
}

export function jobById(database: Database, id: string): JobRow | undefined {
  const number = database.shared(`number of job ${id}`, () => {
    const job = database.get<JobRow>("jobById", id);
    if (job !== undefined) database.shared(`job ${job.number}`, () => job);
    return job?.number;
  });
  return number === undefined ? undefined : jobByNumber(database, number);
}

export function jobByNumber(database: Database, number: number): JobRow | undefined {
  return database.shared(`job ${number}`, () => database.get<JobRow>("jobByNumber", number));
}

/** The job, if its results still exist. */
export function readableJob(database: Database, id: string): JobRow | undefined {
  const job = jobById(database, id);
  return job?.removal === "none" ? job : undefined;
}

export function saveJob(database: Database, job: JobRow): void {
  // Shared again, because a statement about jobs may have made the transaction forget what it shared since this row was
  // read. The next call must see the changes, not the row as it is in the file.
  database.share(`job ${job.number}`, job);
  database.beforeCommit(`job ${job.number}`, () => database.run("saveJob", ...savedValues(job), job.number));
}

const noTexts: JobTexts = { request: "{}", memo: null, result: null, error: null };

export function toRecord(database: Database, job: JobRow): JobRecord {
  const texts = database.get<JobTexts>("jobTexts", job.number) ?? noTexts;
  return recordOf(job, texts, openResults(job) ?? countOpenResults(database, job));
}

function countOpenResults(database: Database, job: JobRow): number {
  const row = database.get<{ times: number | null }>("timesOfFirstQueued", ...pageRange(job.number), room(job));
  return job.leased_results + (row?.times ?? 0);
}
