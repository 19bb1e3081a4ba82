import type { JobKind, JobState } from "../contract/job.ts";
import type { Charge } from "./ledger.ts";
import type { OutboxItem } from "./outbox.ts";
import type { NewPageVersion } from "./page-versions.ts";

export type { JobKind, JobState };

/**
 * Jobs, their pages and their results.
 *
 * A page is `queued`, then `leased` by a worker, then `succeeded`, `failed` or `dropped`. A lease is a fence: what a
 * worker does with a lease that is no longer current (expired and claimed by another, job ended) changes nothing.
 *
 * `limit` counts attempted pages (succeeded and failed). A job may hold more queued pages than that; those beyond it
 * are never handed out and are listed as left out once the job has ended. A dropped page gives its place back, and a
 * page that waits for another attempt holds none.
 *
 * A lease has ended once `leaseUntil <= now`; a job has expired once `expiresAt <= now`.
 */
export interface JobStore {
  /**
   * Stores a new job with its first pages (of equal keys the first) and outbox items. A second call with the same id
   * changes nothing.
   */
  createJob(job: NewJob, pages: readonly NewPage[], outbox: readonly OutboxItem[]): Promise<void>;

  /** The job, or null when there is none (or it has expired at `now`). */
  getJob(id: string, now: number): Promise<JobRecord | null>;

  /** Jobs in state `scraping` that have not expired at `now`, oldest first; of one team when given. */
  listOpenJobs(filter: { team?: string; now: number }): Promise<JobRecord[]>;

  /**
   * Adds pages whose `key` the job does not have yet, in the order given. Ignored when the job is not open,
   * unless `reopen` puts a completed or failed job back to `scraping`.
   * `duplicates`: what happens with a key that is there: `ignore`, or `repeat` the page's result once more (batches);
   * a page that is done lists it at once, a dropped one has none.
   * `admitted` counts the pages added.
   */
  admitPages(
    jobId: string,
    admission: {
      readonly pages: readonly NewPage[];
      readonly leftOut: readonly LeftOutUrl[];
      readonly duplicates: "ignore" | "repeat";
      readonly reopen?: boolean;
      /** The new expiry of a job that is open, or is opened again with `reopen`; one that has ended keeps its own. */
      readonly expiresAt?: number;
    },
  ): Promise<{ admitted: number }>;

  /** Says that the job's seeds (start page, sitemaps, URL list) are all admitted. */
  finishExpansion(jobId: string): Promise<void>;

  /**
   * Hands out up to `count` pages in the order of admission, none before its `notBefore`: queued ones, and leased
   * ones whose lease has ended at `now`. Never more than `limit` leaves room for. Empty when the job is not open.
   */
  claimPages(
    jobId: string,
    claim: { readonly worker: string; readonly count: number; readonly now: number; readonly leaseUntil: number },
  ): Promise<LeasedPage[]>;

  /** Prolongs all leases of a worker, ended ones that nobody has claimed too; never shortens one. */
  renewLeases(worker: string, leaseUntil: number): Promise<void>;

  /** Puts all pages of a worker back into the queue, their attempts uncounted: it stops, or is known to be dead. */
  releaseLeases(worker: string): Promise<void>;

  /** Workers that hold leases at the moment, expired ones included. */
  listLeaseHolders(): Promise<string[]>;

  /** Puts one page back for another attempt, not before `notBefore`. False when the lease is no longer current. */
  retryPage(lease: PageLease, notBefore: number): Promise<boolean>;

  /**
   * The end of a page, in one step: its result, discovered pages, URLs left out, charge and outbox items.
   * - `fenced`: the lease is no longer current; nothing was written.
   * - `stored`: `finalKey` belongs to the page from now on, as its own key does (not with the outcome `dropped`).
   * - `duplicate`: `finalKey` belongs to another page of the job; the page was dropped, nothing else was written
   *   but the discovered pages and the memo.
   */
  completePage(lease: PageLease, completion: PageCompletion): Promise<CompletionResult>;

  /**
   * Ends a job that has no open page and is not expanding; false, and nothing written, when it is not so or the job
   * has ended already. So exactly one caller ends a job, however many try.
   */
  closeJob(
    jobId: string,
    closing: {
      readonly state: "completed" | "failed";
      readonly finishedAt: number;
      readonly expiresAt: number;
      /** Of an extract job: its data and sources as JSON text. */
      readonly result?: string | undefined;
      readonly error?: string | undefined;
      readonly charge?: Charge;
      readonly outbox: readonly OutboxItem[];
    },
  ): Promise<boolean>;

  /** Cancels an open job: queued and leased pages are dropped, leases void. False when it has ended already. */
  cancelJob(
    jobId: string,
    cancellation: { readonly finishedAt: number; readonly expiresAt: number; readonly outbox: readonly OutboxItem[] },
  ): Promise<boolean>;

  /**
   * Results in the order of completion; the element at `skip: n` never changes. Stops at `limit` documents or before
   * `maxBytes` of JSON text (UTF-8), whichever comes first, yet returns at least one document when there is one.
   */
  readResults(
    jobId: string,
    range: { readonly skip: number; readonly limit: number; readonly maxBytes: number },
  ): Promise<{ documents: string[] }>;

  /** Failed pages in the order of completion. */
  listFailures(jobId: string): Promise<PageFailure[]>;

  /**
   * URLs that were left out, each with the first reason met, in no order; for an ended job also the queued pages
   * beyond `limit`, with the reason `LIMIT`. A cancelled job has no queued pages.
   */
  listLeftOut(jobId: string): Promise<LeftOutUrl[]>;

  /** Canonical keys of all pages of the job, in chunks, in the order of admission. */
  listKeys(jobId: string): AsyncIterable<readonly string[]>;

  /**
   * Erases documents, URLs and left-out URLs of an ended job (zero data retention): pages, results, failures, keys and
   * given-up outbox items go, `request` becomes `{}`, `memo`, `result` and `error` null; its counters stay. Items that
   * wait in the outbox keep what they need until they are delivered. Ignored when the job is open.
   */
  eraseResults(jobId: string): Promise<void>;
}

/** A job that begins. */
export interface NewJob {
  readonly id: string;
  readonly team: string;
  readonly apiKey: string | null;
  readonly kind: JobKind;
  /** The parsed request as JSON text. */
  readonly request: string;
  /** Most pages that may be attempted; `Number.MAX_SAFE_INTEGER` for no limit. */
  readonly limit: number;
  readonly zeroDataRetention: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** False when the first pages are all there are. */
  readonly expanding: boolean;
}

/** A job as it stands. */
export interface JobRecord extends NewJob {
  readonly state: JobState;
  readonly finishedAt: number | null;
  /** Results listed so far: succeeded and failed, repeats counted. */
  readonly listed: number;
  /** Succeeded results among them. */
  readonly succeeded: number;
  /** Results that will be listed by the pages still queued (within `limit`) or leased. */
  readonly open: number;
  /** The same as pages: 0 and not `expanding` means that the job can be closed. */
  readonly openPages: number;
  /** Sums of the charges booked with the job's id. */
  readonly creditsUsed: number;
  readonly tokensUsed: number;
  /** What the last completion that brought a memo wanted to be remembered; null before the first. */
  readonly memo: string | null;
  readonly result: string | null;
  readonly error: string | null;
}

/** A page that is to be admitted to a job. */
export interface NewPage {
  readonly url: string;
  /** Canonical identity within the job. */
  readonly key: string;
  /** Links followed from the start; -1: no link led here, it was met in an earlier crawl (`PageVersions.listUnseen`). */
  readonly depth: number;
  /** How often the result is listed; 1 when absent. */
  readonly times?: number;
  /** Options of its own, as JSON text, where they differ from the job's. */
  readonly options?: string;
}

/** Identifies a claim. `token` differs for every claim of a page. */
export interface PageLease {
  readonly jobId: string;
  readonly pageId: number;
  readonly token: number;
}

/** A page that was claimed. */
export interface LeasedPage {
  readonly lease: PageLease;
  readonly url: string;
  readonly key: string;
  readonly depth: number;
  readonly options: string | null;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** What a page has come to, and all that is stored with it in one step. */
export interface PageCompletion {
  readonly outcome: "succeeded" | "failed" | "dropped";
  readonly completedAt: number;
  /** The document as JSON text; absent for a dropped page. A page without one lists nothing. */
  readonly document?: string;
  /** Key of the final URL when it differs from the page's own; taken by another page: the page is a duplicate. */
  readonly finalKey?: string | undefined;
  /** Of a failed page. */
  readonly failure?: { readonly id: string; readonly url: string; readonly code: string; readonly error: string };
  readonly discovered: readonly NewPage[];
  readonly leftOut: readonly LeftOutUrl[];
  readonly charge?: Charge;
  readonly outbox: readonly OutboxItem[];
  /** The page as it will be compared the next time. Not written of a dropped page. */
  readonly version?: NewPageVersion | undefined;
  /** Kept with the job (see {@link JobRecord.memo}): what the rest of the work must know, such as where the start led. */
  readonly memo?: string | undefined;
}

/** What became of a completion. */
export interface CompletionResult {
  readonly status: "stored" | "fenced" | "duplicate";
  /** Pages still queued (within `limit`) or leased, and whether seeds are still being admitted. */
  readonly openPages: number;
  readonly expanding: boolean;
  /** The place of the page's first result among those of the job, from 0. Absent when it has none. */
  readonly position?: number;
}

/** A URL that a job has met and left out. */
export interface LeftOutUrl {
  readonly url: string;
  /** A stable word: `ROBOTS`, `MAX_DEPTH`, `EXCLUDED`, `LIMIT` … */
  readonly reason: string;
}

/** A page that could not be had. */
export interface PageFailure {
  readonly id: string;
  readonly timestamp: number;
  readonly url: string;
  readonly code: string;
  readonly error: string;
}
