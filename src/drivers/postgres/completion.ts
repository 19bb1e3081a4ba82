/** Completes pages, and ends jobs. */

import type { CompletionResult, JobState, JobStore, PageCompletion, PageLease } from "../../ports/job-store.ts";
import type { OutboxItem } from "../../ports/outbox.ts";
import { dropOpen, endLease, openPages } from "../job-counters.ts";
import { readRepeats } from "../repeats.ts";
import { admit, leaveOut } from "./admission.ts";
import type { Query } from "./connection.ts";
import { hashOf } from "./hash.ts";
import { type JobRow, lockJob, saveJob } from "./job-rows.ts";
import { lockCurrentPage } from "./leases.ts";
import { bookForJob } from "./ledger.ts";
import { insertItems } from "./outbox.ts";
import { insertVersion } from "./versions.ts";

export async function complete(query: Query, lease: PageLease, completion: PageCompletion): Promise<CompletionResult> {
  const { job, page } = await lockCurrentPage(query, lease);
  if (job === undefined || page === undefined) return toResult("fenced", job);
  const place = lease.pageId;
  endLease(job, page.times);
  if (completion.memo !== undefined) await query("saveMemo", job.number, completion.memo);
  const duplicate = await isDuplicate(query, job, place, completion);
  let position: number | undefined;
  if (duplicate) {
    await query("endPage", job.number, place, "dropped", false);
  } else {
    const { listed } = job;
    const stored = await storeOutcome(query, job, place, page.repeats, completion);
    if (stored) position = listed;
    await leaveOut(query, job, completion.leftOut);
    if (completion.charge !== undefined) await bookForJob(query, completion.charge, job);
    await insertItems(query, completion.outbox, stored ? { job: job.number, place } : null);
    if (completion.version !== undefined && completion.outcome !== "dropped") {
      await insertVersion(query, completion.version);
    }
  }
  await admit(query, job, completion.discovered, "ignore");
  await saveJob(query, job);
  return toResult(duplicate ? "duplicate" : "stored", job, position);
}

export async function close(
  query: Query,
  jobId: string,
  closing: Parameters<JobStore["closeJob"]>[1],
): Promise<boolean> {
  const job = await lockJob(query, jobId);
  if (job === undefined || job.state !== "scraping" || job.expanding || openPages(job) > 0) return false;
  await query("saveOutcome", job.number, closing.result ?? null, closing.error ?? null);
  if (closing.charge !== undefined) await bookForJob(query, closing.charge, job);
  await end(query, job, closing);
  return true;
}

export async function cancel(
  query: Query,
  jobId: string,
  cancellation: Parameters<JobStore["cancelJob"]>[1],
): Promise<boolean> {
  const job = await lockJob(query, jobId);
  if (job === undefined || job.state !== "scraping") return false;
  // Queued pages, of which there may be very many, are dropped by the job's state.
  await query("dropLeasedPages", job.number);
  dropOpen(job);
  await end(query, job, { ...cancellation, state: "cancelled" });
  return true;
}

async function end(
  query: Query,
  job: JobRow,
  ending: { state: JobState; finishedAt: number; expiresAt: number; outbox: readonly OutboxItem[] },
): Promise<void> {
  job.state = ending.state;
  job.finished_at = ending.finishedAt;
  job.expires_at = ending.expiresAt;
  job.expanding = false;
  await saveJob(query, job);
  await insertItems(query, ending.outbox, null);
}

/** Whether the final key belongs to another page. If it belongs to none, it is given to this one. */
async function isDuplicate(query: Query, job: JobRow, place: number, completion: PageCompletion): Promise<boolean> {
  const { finalKey, outcome } = completion;
  if (finalKey === undefined || outcome === "dropped") return false;
  const hash = hashOf(finalKey);
  const [owner] = await query<{ place: number }>("pagesOfKeys", job.number, [hash]);
  if (owner === undefined) await query("insertFinalKey", job.number, hash, place);
  return owner !== undefined && owner.place !== place;
}

/** True if there was a document to store. */
async function storeOutcome(
  query: Query,
  job: JobRow,
  place: number,
  repeats: string | null,
  { outcome, document, failure, completedAt }: PageCompletion,
): Promise<boolean> {
  if (outcome === "dropped") {
    await query("endPage", job.number, place, outcome, false);
    return false;
  }
  await query("endPage", job.number, place, outcome, document !== undefined);
  job.attempted += 1;
  if (document !== undefined) {
    await query("insertDocument", job.number, place, document);
    const urls = [null, ...readRepeats(repeats)];
    await query("insertResults", job.number, job.listed, place, Buffer.byteLength(document), urls);
    job.listed += urls.length;
    if (outcome === "succeeded") job.succeeded += urls.length;
  }
  if (outcome === "failed" && failure !== undefined) {
    const { id, url, code, error } = failure;
    await query("insertFailure", job.number, job.attempted, id, completedAt, url, code, error);
  }
  return document !== undefined;
}

function toResult(status: CompletionResult["status"], job: JobRow | undefined, position?: number): CompletionResult {
  if (job === undefined) return { status, openPages: 0, expanding: false };
  const result = { status, openPages: openPages(job), expanding: job.expanding };
  return position === undefined ? result : { ...result, position };
}
