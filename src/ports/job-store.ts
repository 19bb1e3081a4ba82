import type { JobKind, JobState } from "../contract/job.ts";
import type { Charge } from "./ledger.ts";
import type { OutboxItem } from "./outbox.ts";
import type { NewPageVersion } from "./page-versions.ts";

export type { JobKind, JobState };

/**
 * Jobs, their pages and their results.
 *
 * A page is `queued`, then `leased` by a worker, then `succeeded`, `failed` or `dropped`. A lease is a fence: a call
 * with a lease that is no longer current (expired and claimed by another worker, or the job has ended) changes nothing.
 *
 * `limit` counts attempted pages (succeeded and failed). A job may hold more queued pages than that; those beyond the
 * limit are never handed out, and are listed as left out once the job has ended. A dropped page gives its place back,
 * and a page that waits for another attempt holds no place.
 *
 * A lease has ended once `leaseUntil <= now`; a job has expired once `expiresAt <= now`.
 */
export interface JobStore {
  /**
   * Stores a new job with its first pages (of pages with equal keys, only the first) and outbox items. A second call
   * with the same id changes nothing.
   */
  createJob(job: NewJob, pages: readonly NewPage[], outbox: readonly OutboxItem[]): Promise<void>;

  /** The job; null if there is none, or it has expired at `now`. */
  getJob(id: string, now: number): Promise<JobRecord | null>;

  /** Jobs in state `scraping` that have not expired at `now`, oldest first; with `team`, only those of that team. */
  listOpenJobs(filter: { team?: string; now: number }): Promise<JobRecord[]>;

  /** Jobs in state `scraping` that have expired at `now` and have not been deleted. */
  listExpiredJobs(now: number): Promise<JobRecord[]>;

  /**
   * Adds pages whose `key` the job does not have yet, in the order given. Ignored if the job is not open, unless
   * `reopen` puts a completed or failed job back into `scraping`, without `finishedAt`, `result` and `error`.
   * `duplicates` says what happens with a key that the job already has: `ignore` it (a page of that key which is queued
   * or leased gets the depth given, if it is less), or `repeat` the page's result for the URL and its `repeats` (for
   * batches); the result of a finished page is then listed at once, a dropped page has none. `admitted` is the number of
   * pages added.
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

  /** Records that all seeds of the job (start page, sitemaps, URL list) have been admitted. */
  finishExpansion(jobId: string): Promise<void>;

  /**
   * Hands out up to `count` pages in the order of admission, none before its `notBefore`: queued ones, and leased ones
   * whose lease has ended at `now`; with `maxDepth`, none that is deeper. Never hands out more than `limit` leaves room
   * for. Empty if the job is not open.
   */
  claimPages(
    jobId: string,
    claim: {
      readonly worker: string;
      readonly count: number;
      readonly now: number;
      readonly leaseUntil: number;
      readonly maxDepth?: number | undefined;
    },
  ): Promise<LeasedPage[]>;

  /**
   * The least depth of the pages that are queued, waiting for another attempt or leased; null if there are none, or the
   * job is not open. Asked only for crawls, once for each depth and while pages wait for others to end.
   */
  leastDepth(jobId: string): Promise<number | null>;

  /** Extends all leases of a worker, including ended ones that nobody else has claimed; never shortens one. */
  renewLeases(worker: string, leaseUntil: number): Promise<void>;

  /**
   * Puts all pages of a worker back into the queue without counting the attempt: the worker is stopping, or `hasDied`,
   * which is counted for each of the pages.
   */
  releaseLeases(worker: string, hasDied?: boolean): Promise<void>;

  /** Workers that hold leases at the moment, expired ones included. */
  listLeaseHolders(): Promise<string[]>;

  /** Puts one page back for another attempt, not before `notBefore`. False if the lease is no longer current. */
  retryPage(lease: PageLease, notBefore: number): Promise<boolean>;

  /**
   * Completes a page in one step: writes its result, discovered pages, left-out URLs, charge and outbox items.
   * - `fenced`: the lease is no longer current; nothing was written.
   * - `stored`: everything was written; from now on `finalKey` belongs to the page as its own key does (except with the
   *   outcome `dropped`).
   * - `duplicate`: `finalKey` belongs to another page of the job; the page was dropped, nothing else was written but
   *   the discovered pages and the memo.
   *
   * A page that succeeded, and is no error, takes `finalKey` from one that failed or was dropped, or that waits for
   * another attempt and has no repeats, which is dropped then: otherwise its content would be lost with that page.
   */
  completePage(lease: PageLease, completion: PageCompletion): Promise<CompletionResult>;

  /**
   * Ends a job that has no open page and is not expanding; false, and nothing written, when it is not so or the job
   * has ended already. So exactly one caller ends a job, however many try. The same if it has listed other than `listed`
   * results: pages have been added and have ended since the caller judged how the job ends.
   */
  closeJob(
    jobId: string,
    closing: {
      readonly state: "completed" | "failed";
      readonly finishedAt: number;
      readonly expiresAt: number;
      readonly listed?: number;
      /** For an extract job: its data and sources as JSON text. */
      readonly result?: string | undefined;
      readonly error?: string | undefined;
      readonly charge?: Charge;
      readonly outbox: readonly OutboxItem[];
    },
  ): Promise<boolean>;

  /**
   * Cancels an open job: queued and leased pages are dropped, their leases become void, and it is `expanding` no more.
   * False if the job has already ended.
   */
  cancelJob(
    jobId: string,
    cancellation: { readonly finishedAt: number; readonly expiresAt: number; readonly outbox: readonly OutboxItem[] },
  ): Promise<boolean>;

  /**
   * Results in the order of completion; the element at `skip: n` never changes. Returns at most `limit` results and
   * `maxBytes` of text (UTF-8: documents and URLs of repeats), yet at least one result if there is one.
   */
  readResults(
    jobId: string,
    range: { readonly skip: number; readonly limit: number; readonly maxBytes: number },
  ): Promise<{ results: ListedResult[] }>;

  /** Failed pages in the order of completion. */
  listFailures(jobId: string): Promise<PageFailure[]>;

  /**
   * URLs that were left out, each with the first reason found or that of a dropped page, in no particular order. For an
   * ended job also the queued pages beyond `limit`, with the reason `LIMIT`, whatever was found on other pages that link
   * to them; a cancelled job has no queued pages.
   */
  listLeftOut(jobId: string): Promise<LeftOutUrl[]>;

  /** Canonical keys of all pages of the job, in chunks, in the order of admission. */
  listKeys(jobId: string): AsyncIterable<readonly string[]>;

  /**
   * Erases the data of an ended job (zero data retention): pages, results, failures, keys, left-out URLs and given-up
   * outbox items are deleted, `request` becomes `{}`, and `memo`, `result` and `error` become null; the counters stay.
   * Items waiting in the outbox keep what they need until they are delivered. Ignored if the job is open.
   */
  eraseResults(jobId: string): Promise<void>;
}

/** A new job. */
export interface NewJob {
  readonly id: string;
  readonly team: string;
  readonly apiKey: string | null;
  readonly kind: JobKind;
  /** The parsed request as JSON text. */
  readonly request: string;
  /** Most pages to attempt; `Number.MAX_SAFE_INTEGER` for no limit. */
  readonly limit: number;
  readonly zeroDataRetention: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** True while seeds are still to be admitted; false if the first pages are all there are. */
  readonly expanding: boolean;
}

/** A job in its present state. */
export interface JobRecord extends NewJob {
  readonly state: JobState;
  readonly finishedAt: number | null;
  /** Results listed so far: succeeded and failed ones, including repeats. */
  readonly listed: number;
  /** Succeeded results among them. */
  readonly succeeded: number;
  /** Results that will be listed by the pages still queued (within `limit`) or leased. */
  readonly open: number;
  /** The same, counted in pages. If this is 0 and the job is not `expanding`, it can be closed. */
  readonly openPages: number;
  /** Sums of the charges booked with the job's id. */
  readonly creditsUsed: number;
  readonly tokensUsed: number;
  /** The memo of the last completion that had one; null before the first. */
  readonly memo: string | null;
  readonly result: string | null;
  readonly error: string | null;
}

/** A page that is to be admitted to a job. */
export interface NewPage {
  readonly url: string;
  /** Canonical identity within the job. */
  readonly key: string;
  /**
   * Links followed from the start, and a thousand million more if a crawl works on the page after all others; -1 if no
   * link led here and the page is known from an earlier crawl (`PageVersions.listUnseen`).
   */
  readonly depth: number;
  /** Other URLs of the same page, or the same again: for each of them the result is listed once more. */
  readonly repeats?: readonly string[];
  /** The page's own options as JSON text, if they differ from the job's. */
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
  /** How many workers are known to have died while they had the page, whether they had begun it or not. */
  readonly deaths: number;
}

/** A result in the list of its job. */
export interface ListedResult {
  /** The document of the page as JSON text. */
  readonly document: string;
  /** Of the URLs that ask for the page the one for which it is listed here; null for the page's own. */
  readonly url: string | null;
}

/** The outcome of a page, and everything that is stored with it in one step. */
export interface PageCompletion {
  readonly outcome: "succeeded" | "failed" | "dropped";
  readonly completedAt: number;
  /** The document as JSON text; absent for a dropped page. A page without one lists nothing. */
  readonly document?: string;
  /**
   * Key of the final URL, if it differs from the page's own. If it belongs to another page, this one is a duplicate
   * (with the exceptions that `completePage` names).
   */
  readonly finalKey?: string | undefined;
  /** The document is the answer of a server that refused or failed, and takes `finalKey` from no other page. */
  readonly isError?: boolean | undefined;
  /** For a failed page. */
  readonly failure?: { readonly id: string; readonly url: string; readonly code: string; readonly error: string };
  readonly discovered: readonly NewPage[];
  /** Those of a dropped page, which may be one of them itself, replace what was found on other pages before. */
  readonly leftOut: readonly LeftOutUrl[];
  readonly charge?: Charge;
  readonly outbox: readonly OutboxItem[];
  /** The page as it will be compared next time. Not written for a dropped page. */
  readonly version?: NewPageVersion | undefined;
  /**
   * Kept with the job (see {@link JobRecord.memo}): what later work on the job needs to know, such as the address the
   * start page led to.
   */
  readonly memo?: string | undefined;
}

/** What became of a completion. */
export interface CompletionResult {
  readonly status: "stored" | "fenced" | "duplicate";
  /** Pages still queued (within `limit`) or leased, and whether seeds are still being admitted. */
  readonly openPages: number;
  readonly expanding: boolean;
  /** The position of the page's first result among those of the job, counted from 0. Absent if it has none. */
  readonly position?: number;
}

/** A URL that a job met and left out. */
export interface LeftOutUrl {
  readonly url: string;
  /** A stable word: `ROBOTS`, `MAX_DEPTH`, `EXCLUDED`, `LIMIT` … */
  readonly reason: string;
}

/** A page that could not be scraped. */
export interface PageFailure {
  readonly id: string;
  readonly timestamp: number;
  readonly url: string;
  readonly code: string;
  readonly error: string;
}
