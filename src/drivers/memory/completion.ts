/** The end of a page, and of a job, in the memory driver. */

import type { CompletionResult, JobStore, PageCompletion, PageLease } from "../../ports/job-store.ts";
import { givesKey } from "../gives-key.ts";
import { admit, leaveOut, listResult } from "./admission.ts";
import { type MemoryJob, type MemoryPage, type MemoryTables, openPages, timesOf } from "./job-table.ts";
import { currentPage, endLease } from "./leases.ts";

type Closing = Parameters<JobStore["closeJob"]>[1];
type Cancellation = Parameters<JobStore["cancelJob"]>[1];

export function complete(tables: MemoryTables, lease: PageLease, completion: PageCompletion): CompletionResult {
  const page = currentPage(tables, lease);
  if (page === null) return result("fenced", tables.jobs.get(lease.jobId));
  const { job } = page;
  endLease(tables, page);
  const { outcome, finalKey, failure, document } = completion;
  const owner = outcome === "dropped" || finalKey === undefined ? undefined : job.keys.get(finalKey);
  const takes = outcome === "succeeded" && completion.isError !== true;
  const gives =
    owner !== undefined && takes && givesKey({ state: owner.state, attempts: owner.attempts, times: timesOf(owner) });
  const duplicate = owner !== undefined && owner !== page && !gives;
  if (gives) drop(owner);
  let position: number | undefined;
  page.state = duplicate ? "dropped" : outcome;
  if (completion.memo !== undefined) job.memo = completion.memo;
  if (!duplicate) {
    if (outcome !== "dropped") {
      if (finalKey !== undefined) job.keys.set(finalKey, page);
      job.attempted += 1;
      if (document !== undefined) {
        page.document = document;
        page.documentBytes = Buffer.byteLength(document);
        position = job.listed;
        listResult(job, page, [null, ...page.repeats]);
      }
    }
    if (outcome === "failed" && failure !== undefined) {
      job.failures.push({ ...failure, timestamp: completion.completedAt });
    }
    leaveOut(job, completion.leftOut, outcome === "dropped");
    if (completion.charge !== undefined) tables.ledger.book(completion.charge);
    tables.outbox.insert(completion.outbox, page.document);
    if (completion.version !== undefined && outcome !== "dropped") tables.versions.insert(completion.version);
  }
  admit(job, completion.discovered, "ignore");
  return result(duplicate ? "duplicate" : "stored", job, position);
}

/** Drops a page that has given its key, if it would still be tried. */
function drop(page: MemoryPage): void {
  if (page.state !== "queued") return;
  const { job } = page;
  job.ready.remove(page);
  job.waiting.remove(page);
  job.queued -= 1;
  job.queuedTimes -= 1;
  page.state = "dropped";
}

export function close(tables: MemoryTables, job: MemoryJob, closing: Closing): boolean {
  if (job.state !== "scraping" || job.expanding || openPages(job) > 0) return false;
  if (closing.listed !== undefined && closing.listed !== job.listed) return false;
  end(tables, job, closing);
  job.result = closing.result ?? null;
  job.error = closing.error ?? null;
  if (closing.charge !== undefined) tables.ledger.book(closing.charge);
  return true;
}

export function cancel(tables: MemoryTables, job: MemoryJob, cancellation: Cancellation): boolean {
  if (job.state !== "scraping") return false;
  for (const page of [...job.leased]) {
    endLease(tables, page);
    page.state = "dropped";
  }
  for (const page of [...job.ready.takeAll(), ...job.waiting.takeAll()]) page.state = "dropped";
  job.queued = 0;
  job.queuedTimes = 0;
  end(tables, job, { ...cancellation, state: "cancelled" });
  return true;
}

/** Forgets documents and URLs of an ended job. */
export function erase(tables: MemoryTables, job: MemoryJob): void {
  if (job.state === "scraping") return;
  job.request = "{}";
  job.memo = null;
  job.result = null;
  job.error = null;
  job.results = [];
  job.failures = [];
  job.leftOut = new Map();
  job.keys = new Map();
  job.pages = [];
  job.ready.takeAll();
  job.waiting.takeAll();
  job.queued = 0;
  job.queuedTimes = 0;
  job.isErased = job.about.zeroDataRetention;
  tables.outbox.forgetFailed(job.about.id);
}

function end(
  tables: MemoryTables,
  job: MemoryJob,
  { state, finishedAt, expiresAt, outbox }: Cancellation & { readonly state: MemoryJob["state"] },
): void {
  job.state = state;
  job.expanding = false;
  job.finishedAt = finishedAt;
  tables.open.delete(job);
  setExpiry(tables, job, expiresAt);
  tables.outbox.insert(outbox, null);
}

export function setExpiry(tables: MemoryTables, job: MemoryJob, expiresAt: number): void {
  tables.expiry.remove(job);
  job.expiresAt = expiresAt;
  tables.expiry.push(job);
}

function result(status: CompletionResult["status"], job: MemoryJob | undefined, position?: number): CompletionResult {
  if (job === undefined) return { status, openPages: 0, expanding: false };
  const result = { status, openPages: openPages(job), expanding: job.expanding };
  return position === undefined ? result : { ...result, position };
}
