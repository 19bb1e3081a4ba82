/** The memory driver's data about jobs, and figures derived from it. */

import type { JobRecord, JobState, LeftOutUrl, NewJob, PageFailure } from "../../ports/job-store.ts";
import { Heap, type HeapItem } from "./heap.ts";
import type { MemoryLedger } from "./ledger.ts";
import type { MemoryOutbox } from "./outbox.ts";
import type { MemoryVersions } from "./versions.ts";

export interface MemoryPage extends HeapItem {
  readonly job: MemoryJob;
  /** Position in the order of admission. */
  readonly id: number;
  readonly url: string;
  readonly key: string;
  depth: number;
  readonly options: string | null;
  repeats: readonly string[];
  state: "queued" | "leased" | "succeeded" | "failed" | "dropped";
  notBefore: number;
  attempts: number;
  deaths: number;
  /** Grows with every claim, so that an old lease differs from the current one. */
  token: number;
  worker: string | null;
  leaseUntil: number;
  document: string | null;
  documentBytes: number;
}

/** A page as it is listed: for its own URL (null), or for one of its repeats. */
export interface MemoryResult {
  readonly page: MemoryPage;
  readonly url: string | null;
}

export interface MemoryJob extends HeapItem {
  readonly about: NewJob;
  request: string;
  state: JobState;
  expanding: boolean;
  expiresAt: number;
  finishedAt: number | null;
  memo: string | null;
  /** Zero data retention: documents and URLs have been erased. */
  isErased: boolean;
  result: string | null;
  error: string | null;
  pages: MemoryPage[];
  /** Own keys and keys of final URLs. */
  keys: Map<string, MemoryPage>;
  /** Queued pages that may be claimed, by admission. */
  ready: Heap<MemoryPage>;
  /** Queued pages that wait for their `notBefore`. */
  waiting: Heap<MemoryPage>;
  readonly leased: Set<MemoryPage>;
  /** No lease of the job ends before this. */
  leaseFloor: number;
  results: MemoryResult[];
  failures: PageFailure[];
  leftOut: Map<string, LeftOutUrl>;
  queued: number;
  queuedTimes: number;
  leasedTimes: number;
  attempted: number;
  listed: number;
  succeeded: number;
  creditsUsed: number;
  tokensUsed: number;
}

export interface MemoryTables {
  readonly jobs: Map<string, MemoryJob>;
  readonly open: Set<MemoryJob>;
  readonly expiry: Heap<MemoryJob>;
  /** Leased pages by worker. */
  readonly holders: Map<string, Set<MemoryPage>>;
  readonly ledger: MemoryLedger;
  readonly outbox: MemoryOutbox;
  readonly versions: MemoryVersions;
}

export function createTables(parts: Pick<MemoryTables, "ledger" | "outbox" | "versions">): MemoryTables {
  return {
    jobs: new Map(),
    open: new Set(),
    expiry: new Heap((a, b) => a.expiresAt < b.expiresAt),
    holders: new Map(),
    ...parts,
  };
}

export function createMemoryJob(about: NewJob): MemoryJob {
  return {
    about,
    request: about.request,
    state: "scraping",
    expanding: about.expanding,
    expiresAt: about.expiresAt,
    finishedAt: null,
    memo: null,
    isErased: false,
    result: null,
    error: null,
    heapIndex: -1,
    pages: [],
    keys: new Map(),
    ready: new Heap((a, b) => a.id < b.id),
    waiting: new Heap((a, b) => a.notBefore < b.notBefore),
    leased: new Set(),
    leaseFloor: Number.POSITIVE_INFINITY,
    results: [],
    failures: [],
    leftOut: new Map(),
    queued: 0,
    queuedTimes: 0,
    leasedTimes: 0,
    attempted: 0,
    listed: 0,
    succeeded: 0,
    creditsUsed: 0,
    tokensUsed: 0,
  };
}

/** How often the page's result is listed. */
export function timesOf(page: MemoryPage): number {
  return 1 + page.repeats.length;
}

/** How many queued pages may still be handed out. */
export function room(job: MemoryJob): number {
  return Math.max(0, job.about.limit - job.attempted - job.leased.size);
}

export function openPages(job: MemoryJob): number {
  return Math.min(job.queued, room(job)) + job.leased.size;
}

function openResults(job: MemoryJob): number {
  const places = room(job);
  if (job.queued <= places) return job.leasedTimes + job.queuedTimes;
  if (job.queued === job.queuedTimes) return job.leasedTimes + places;
  // With repeated pages and a limit, and only then, the pages must be examined.
  const inOrder = [...job.ready.values(), ...job.waiting.values()].sort((a, b) => a.id - b.id);
  return inOrder.slice(0, places).reduce((sum, page) => sum + timesOf(page), job.leasedTimes);
}

export function toRecord(job: MemoryJob): JobRecord {
  return {
    ...job.about,
    request: job.request,
    expanding: job.expanding,
    expiresAt: job.expiresAt,
    state: job.state,
    finishedAt: job.finishedAt,
    listed: job.listed,
    succeeded: job.succeeded,
    open: openResults(job),
    openPages: openPages(job),
    creditsUsed: job.creditsUsed,
    tokensUsed: job.tokensUsed,
    memo: job.memo,
    result: job.result,
    error: job.error,
  };
}
