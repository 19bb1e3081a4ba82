/** Completes pages, and ends jobs. */

import type { CompletionResult, JobState, JobStore, PageCompletion, PageLease } from "../../ports/job-store.ts";
import type { OutboxItem } from "../../ports/outbox.ts";
import { givesKey, isTriedAgain, type KeyOwner } from "../gives-key.ts";
import { dropOpen, dropQueued, endLease, openPages } from "../job-counters.ts";
import { readRepeats } from "../repeats.ts";
import { completionResult } from "../stored-job.ts";
import { admit, leaveOut } from "./admission.ts";
import type { Database } from "./database.ts";
import { type JobRow, jobById, saveJob } from "./job-rows.ts";
import { currentPage } from "./leases.ts";
import { bookForJob } from "./ledger.ts";
import { insertItems } from "./outbox.ts";
import { insertVersion } from "./versions.ts";

export function* complete(
  database: Database,
  lease: PageLease,
  completion: PageCompletion,
): Generator<void, CompletionResult> {
  const page = currentPage(database, lease);
  if (page === null) return completionResult("fenced", jobById(database, lease.jobId));
  const { job, times, repeats } = page;
  endLease(job, times);
  if (completion.memo !== undefined) database.run("saveMemo", completion.memo, job.number);
  const duplicate = isDuplicate(database, job, lease.pageId, completion);
  let position: number | undefined;
  if (duplicate) {
    database.run("endPage", "dropped", null, lease.pageId);
  } else {
    const { listed } = job;
    const document = storeOutcome(database, job, lease.pageId, repeats, completion);
    if (document !== null) position = listed;
    yield* leaveOut(database, job, completion.leftOut, completion.outcome === "dropped");
    if (completion.charge !== undefined) bookForJob(database, completion.charge, job);
    insertItems(database, completion.outbox, document);
    if (completion.version !== undefined && completion.outcome !== "dropped")
      insertVersion(database, completion.version);
  }
  yield* admit(database, job, completion.discovered, "ignore");
  saveJob(database, job);
  return completionResult(duplicate ? "duplicate" : "stored", job, position);
}

export function close(database: Database, jobId: string, closing: Parameters<JobStore["closeJob"]>[1]): boolean {
  const job = jobById(database, jobId);
  if (job === undefined || job.state !== "scraping" || job.expanding === 1 || openPages(job) > 0) return false;
  if (closing.listed !== undefined && closing.listed !== job.listed) return false;
  database.run("saveOutcome", closing.result ?? null, closing.error ?? null, job.number);
  if (closing.charge !== undefined) bookForJob(database, closing.charge, job);
  end(database, job, closing);
  return true;
}

export function cancel(database: Database, jobId: string, cancellation: Parameters<JobStore["cancelJob"]>[1]): boolean {
  const job = jobById(database, jobId);
  if (job === undefined || job.state !== "scraping") return false;
  // Queued pages, of which there may be very many, are dropped by the job's state.
  database.run("dropLeasedPages", job.number);
  dropOpen(job);
  end(database, job, { ...cancellation, state: "cancelled" });
  return true;
}

function end(
  database: Database,
  job: JobRow,
  ending: { state: JobState; finishedAt: number; expiresAt: number; outbox: readonly OutboxItem[] },
): void {
  job.state = ending.state;
  job.finished_at = ending.finishedAt;
  job.expires_at = ending.expiresAt;
  job.expanding = 0;
  saveJob(database, job);
  insertItems(database, ending.outbox, null);
}

/** Whether the final key belongs to another page. If it belongs to none, or to one that gives it, this one gets it. */
function isDuplicate(database: Database, job: JobRow, page: number, completion: PageCompletion): boolean {
  const { finalKey, outcome } = completion;
  if (finalKey === undefined || outcome === "dropped") return false;
  const owner = database.get<KeyOwner & { id: number }>("pageByKey", job.number, finalKey, job.number, finalKey);
  if (owner?.id === page) return false;
  const takes = outcome === "succeeded" && completion.isError !== true;
  if (owner !== undefined && !(takes && givesKey(owner))) return true;
  if (owner !== undefined && isTriedAgain(owner)) {
    dropQueued(job, owner.times);
    database.run("endPage", "dropped", null, owner.id);
  }
  database.run("insertFinalKey", job.number, finalKey, page);
  return false;
}

/** Returns the id of the stored document. */
function storeOutcome(
  database: Database,
  job: JobRow,
  page: number,
  repeats: string | null,
  { outcome, document, failure, completedAt }: PageCompletion,
): number | null {
  if (outcome === "dropped") {
    database.run("endPage", outcome, null, page);
    return null;
  }
  const id = document === undefined ? null : database.insert("insertDocument", document);
  database.run("endPage", outcome, id, page);
  job.attempted += 1;
  if (id !== null && document !== undefined) {
    const bytes = Buffer.byteLength(document);
    const urls = [null, ...readRepeats(repeats)];
    for (const [i, url] of urls.entries()) {
      database.run("insertResult", job.number, job.listed + i, id, bytes + Buffer.byteLength(url ?? ""), url);
    }
    job.listed += urls.length;
    if (outcome === "succeeded") job.succeeded += urls.length;
  }
  if (outcome === "failed" && failure !== undefined) {
    const { id: failureId, url, code, error } = failure;
    database.run("insertFailure", job.number, job.attempted, failureId, completedAt, url, code, error);
  }
  return id;
}
