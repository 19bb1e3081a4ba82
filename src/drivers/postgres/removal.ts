/** Deletes expired jobs and erased results. */

import type { Connection, Query } from "./connection.ts";
import { type JobRow, lockJob, saveJob } from "./job-rows.ts";

/** Deletes the expired jobs, one at a time; returns how many, and when the next one expires. */
export async function sweepJobs({ query, transaction }: Connection, now: number) {
  let removedJobs = 0;
  while (await transaction((inTransaction) => removeOne(inTransaction, now))) removedJobs += 1;
  const [next] = await query<{ at: number | null }>("nextExpiry");
  return { removedJobs, nextExpiry: next?.at ?? null };
}

/** Deletes one expired job; false when there is none that nobody else is deleting. */
async function removeOne(query: Query, now: number): Promise<boolean> {
  const [job] = await query<JobRow>("lockDueJob", now);
  if (job === undefined) return false;
  await deleteResults(query, job);
  await query("deleteJobTexts", job.number);
  await query("deleteJob", job.number);
  return true;
}

export async function eraseResults(query: Query, jobId: string): Promise<void> {
  const job = await lockJob(query, jobId);
  if (job === undefined || job.state === "scraping") return;
  await deleteResults(query, job);
  await query("forgetJobTexts", job.number);
  job.queued = 0;
  job.queued_results = 0;
  await saveJob(query, job);
}

async function deleteResults(query: Query, job: JobRow): Promise<void> {
  await query("deleteFailedItems", job.id);
  // What waits in the outbox keeps its documents.
  await query("detachDocuments", job.number);
  await query("deleteDocuments", job.number);
  await query("deleteResults", job.number);
  await query("deletePages", job.number);
  await query("deleteFinalKeys", job.number);
  await query("deleteFailures", job.number);
  await query("deleteLeftOut", job.number);
}
