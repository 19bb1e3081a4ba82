import { CrawlcoreError, RequestError } from "../errors.ts";
import type { JobKind, JobRecord, JobStore } from "../ports/job-store.ts";

/**
 * The job, if it is of this kind and team and has not expired; otherwise throws the same `NOT_FOUND` error, which does
 * not say why.
 */
export async function findJob(jobs: JobStore, kind: JobKind, id: string, team: string): Promise<JobRecord> {
  const job = await jobs.getJob(id, Date.now());
  if (job === null || job.team !== team || job.kind !== kind) throw new RequestError("NOT_FOUND", "Job not found");
  return job;
}

/** True for the error of a job that does not exist, or no longer. */
export function isNotFound(error: unknown): boolean {
  return CrawlcoreError.isInstance(error) && error.code === "NOT_FOUND";
}
