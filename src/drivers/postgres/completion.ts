/** Completes pages, and ends jobs. */

import type { CompletionResult, JobState, JobStore, PageCompletion, PageLease } from "../../ports/job-store.ts";
import type { OutboxItem } from "../../ports/outbox.ts";
import { givesKey, isTriedAgain, type KeyOwner } from "../gives-key.ts";
import { dropOpen, dropQueued, endLease, openPages } from "../job-counters.ts";
import { completionResult } from "../stored-job.ts";
import type { Query } from "./connection.ts";
import { hashOf } from "./hash.ts";
import { type JobRow, lockJob, saveJob } from "./job-rows.ts";
import { currentPages } from "./leases.ts";
import { bookForJob } from "./ledger.ts";
import { insertItems, ofNoPage } from "./outbox.ts";
import { PageWrites } from "./page-writes.ts";

export interface CompletedPage {
  readonly lease: PageLease;
  readonly completion: PageCompletion;
}

/** Completes pages of one job, in their order. */
export async function complete(
  query: Query,
  jobId: string,
  pages: readonly CompletedPage[],
): Promise<CompletionResult[]> {
  const job = await lockJob(query, jobId);
  if (job === undefined || job.state !== "scraping") return pages.map(() => completionResult("fenced", job));
  const leases = pages.map(({ lease }) => lease);
  const current = await currentPages(query, job, leases);
  const owners = await ownersOfFinalKeys(query, job, pages);
  const writes = new PageWrites();
  const outcomes = pages.map(({ lease, completion }): Pick<CompletionResult, "status" | "position"> => {
    const page = current.get(lease);
    if (page === undefined) return { status: "fenced" };
    // Another completion with the same lease comes too late.
    for (const other of leases) if (other.pageId === lease.pageId) current.delete(other);
    endLease(job, page.times);
    const place = lease.pageId;
    const isDuplicate = owners.isDuplicate(place, completion, writes);
    owners.ended(place, isDuplicate ? "dropped" : completion.outcome);
    writes.always(completion);
    for (const { key } of completion.discovered) owners.discover(key);
    if (isDuplicate) {
      writes.drop(place);
      return { status: "duplicate" };
    }
    const position = writes.page(job, place, page.repeats, completion);
    return { status: "stored", ...(position !== undefined && { position }) };
  });
  if (outcomes.every(({ status }) => status === "fenced")) return pages.map(() => completionResult("fenced", job));
  await writes.write(query, job);
  await saveJob(query, job);
  return outcomes.map(({ status, position }) => completionResult(status, job, position));
}

export async function close(
  query: Query,
  jobId: string,
  closing: Parameters<JobStore["closeJob"]>[1],
): Promise<boolean> {
  const job = await lockJob(query, jobId);
  if (job === undefined || job.state !== "scraping" || job.expanding || openPages(job) > 0) return false;
  if (closing.listed !== undefined && closing.listed !== job.listed) return false;
  await query("saveOutcome", job.number, closing.result ?? null, closing.error ?? null);
  if (closing.charge !== undefined) await bookForJob(query, [closing.charge], job);
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
  await insertItems(query, ending.outbox.map(ofNoPage));
}

/** The pages to which the final keys of others belong, or will when those before them have been completed. */
interface Owners {
  /** Whether the final key belongs to another page. If it belongs to none, or to one that gives it, this one gets it. */
  isDuplicate(place: number, completion: PageCompletion, writes: PageWrites): boolean;
  /** What has become of one of the pages. */
  ended(place: number, outcome: PageCompletion["outcome"]): void;
  /** A page of this key is admitted, if there is none. */
  discover(key: string): void;
}

async function ownersOfFinalKeys(query: Query, job: JobRow, pages: readonly CompletedPage[]): Promise<Owners> {
  const hashes = pages.flatMap(({ completion }) => finalHash(completion) ?? []);
  const rows =
    hashes.length === 0
      ? []
      : await query<KeyOwner & { key_hash: string; place: number }>("pagesOfKeys", job.number, hashes);
  const owners = new Map<string, number | "new">(rows.map(({ key_hash, place }) => [key_hash, place]));
  const pagesOfOwners = new Map<number, KeyOwner>(rows.map((row) => [row.place, row]));

  /** Whether the owner of a final key gives it to a page that succeeded. */
  function gives(owner: number | "new", writes: PageWrites): boolean {
    const page = owner === "new" ? undefined : pagesOfOwners.get(owner);
    if (owner === "new" || page === undefined || !givesKey(page)) return false;
    if (isTriedAgain(page)) {
      dropQueued(job, page.times);
      writes.drop(owner);
      pagesOfOwners.set(owner, { ...page, state: "dropped" });
    }
    return true;
  }

  return {
    isDuplicate(place, completion, writes) {
      const hash = finalHash(completion);
      if (hash === undefined) return false;
      const owner = owners.get(hash);
      if (owner === place) return false;
      const takes = completion.outcome === "succeeded" && completion.isError !== true;
      if (owner !== undefined && !(takes && gives(owner, writes))) return true;
      owners.set(hash, place);
      writes.finalKey(hash, place);
      return false;
    },
    ended(place, outcome) {
      // From now on, a final key may belong to it.
      pagesOfOwners.set(place, { attempts: 0, times: 0, ...pagesOfOwners.get(place), state: outcome });
    },
    discover(key) {
      if (hashes.length === 0) return;
      const hash = hashOf(key);
      if (!owners.has(hash)) owners.set(hash, "new");
    },
  };
}

function finalHash({ finalKey, outcome }: PageCompletion): string | undefined {
  return finalKey === undefined || outcome === "dropped" ? undefined : hashOf(finalKey);
}
