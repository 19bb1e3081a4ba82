import type { JobRecord, JobStore } from "../ports/job-store.ts";

/** Under zero data retention the documents of an ended job are erased once they have been read to the end. */
export async function eraseIfNotRetained(jobs: Pick<JobStore, "eraseResults">, job: JobRecord): Promise<void> {
  if (job.zeroDataRetention && job.state !== "scraping") await jobs.eraseResults(job.id);
}
