/**
 * Deletes expired jobs and erased results. The documents go a part at a time, each in a transaction of its own: those of
 * a large job take longer than many databases let a statement take, and a job that fails so would keep all later ones.
 * From the first of these on, no reader sees any of them; after a crash, the next sweep deletes the rest.
 */

import type { Connection, Query } from "./connection.ts";
import { type JobRow, lockJob } from "./job-rows.ts";

/** Most that is deleted in one step; a document that is larger goes alone. */
const documentsPerStep = 200;
const documentBytesPerStep = 8_000_000;
const rowsPerStep = 5000;

/** Deletes the expired jobs, one at a time; returns how many, and when the next one expires. */
export async function sweepJobs({ query, transaction }: Connection, now: number) {
  let removedJobs = 0;
  for (;;) {
    const step = await transaction((inTransaction) => removeSome(inTransaction, now));
    if (step === "none due") break;
    if (step === "removed") removedJobs += 1;
  }
  const [next] = await query<{ at: number | null }>("nextExpiry");
  return { removedJobs, nextExpiry: next?.at ?? null };
}

/** Deletes a part of an expired job that nobody else is deleting. */
async function removeSome(query: Query, now: number): Promise<"none due" | "more" | "removed"> {
  const [job] = await query<{ number: number; id: string | null }>("lockDueJob", now);
  if (job === undefined) return "none due";
  if (job.id !== null) {
    await query("dropLeasedPages", job.number);
    // Before the documents, so that they do not get those.
    await query("deleteFailedItems", job.id);
    await query("deleteJobTexts", job.number);
    await query("markJobRemoved", job.number);
    return "more";
  }
  if (await deleteSome(query, job)) return "more";
  await query("deleteJob", job.number);
  return "removed";
}

export async function eraseResults({ transaction }: Connection, jobId: string): Promise<void> {
  // First what leads to the documents: from then on they are gone for every reader.
  let more = await withEnded(transaction, jobId, async (query, job) => {
    await query("deleteFailedItems", job.id);
    await query("deleteResults", job.number, null);
    await query("forgetJobTexts", job.number);
    return true;
  });
  while (more) more = await withEnded(transaction, jobId, deleteSome);
}

/** False, too, when there is no such job, or when it is open. */
function withEnded(
  transaction: Connection["transaction"],
  jobId: string,
  act: (query: Query, job: JobRow) => Promise<boolean>,
): Promise<boolean> {
  return transaction(async (query) => {
    const job = await lockJob(query, jobId);
    return job !== undefined && job.state !== "scraping" && act(query, job);
  });
}

/** False when the job has no rows left but those of its own. */
async function deleteSome(query: Query, { number }: Pick<JobRow, "number">): Promise<boolean> {
  const documents = await query<{ place: number }>("documentsToDelete", number, documentsPerStep, documentBytesPerStep);
  if (documents.length > 0) {
    const places = documents.map(({ place }) => place);
    // What waits in the outbox keeps its documents.
    await query("detachDocuments", number, places);
    await query("deleteDocuments", number, places);
    return true;
  }
  for (const name of smallRows) {
    if ((await query(name, number, rowsPerStep)).length > 0) return true;
  }
  return false;
}

const smallRows = ["deleteResults", "deletePages", "deleteFinalKeys", "deleteFailures", "deleteLeftOut"] as const;
