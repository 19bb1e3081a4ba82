import type { FileStore } from "./file-store.ts";
import type { JobStore } from "./job-store.ts";
import type { Ledger } from "./ledger.ts";
import type { Outbox } from "./outbox.ts";
import type { PageCache } from "./page-cache.ts";
import type { PageVersions } from "./page-versions.ts";
import type { SearchIndex } from "./search-index.ts";

/**
 * Where jobs, results, charges, pending events and cached pages live. The storage is the truth: a queue only says
 * where there is work, and may lose or double a message without harm.
 *
 * Contract, for all parts
 * - Each method is one atomic step: after a crash it has happened wholly or not at all.
 * - When a method's promise has resolved, what it wrote survives a kill of the process (memory drivers excepted).
 * - Times are whole milliseconds since 1970 and are given by the caller; a driver never looks at a clock.
 * - Methods may be called concurrently, from several engines and processes. A driver may gather calls into one commit.
 * - Drivers do not retry and do not interpret documents: they keep the JSON text that they are given.
 * - Errors of the underlying store reject as they are; the engine wraps them.
 */
export interface Storage {
  readonly jobs: JobStore;
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly cache: PageCache;
  /** Absent: screenshots and printed pages are data URIs in the documents. */
  readonly files?: FileStore | undefined;
  /** Absent: the engine refuses change tracking. */
  readonly versions?: PageVersions;
  /** Full text of the pages scraped, for searches without another provider. A storage may do without. */
  readonly index?: SearchIndex;
  /**
   * Deletes the jobs that have expired at `now` with all they hold, open ones too, and expired page versions; charges
   * and what waits in the outbox stay. Returns when something next expires, null for nothing. Idempotent.
   */
  sweep(now: number): Promise<{ removedJobs: number; nextExpiry: number | null }>;
  /**
   * Ends pending commits and releases files and connections; a later call opens them again, so that engines which share
   * a storage can be closed one by one. Idempotent.
   */
  close(): Promise<void>;
}
