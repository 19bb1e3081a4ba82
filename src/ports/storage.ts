import type { FileStore } from "./file-store.ts";
import type { JobStore } from "./job-store.ts";
import type { Ledger } from "./ledger.ts";
import type { Outbox } from "./outbox.ts";
import type { PageCache } from "./page-cache.ts";
import type { PageVersions } from "./page-versions.ts";
import type { SearchIndex } from "./search-index.ts";

/**
 * Keeps jobs, results, charges, pending events and cached pages. The storage is the truth: a queue only says where
 * there is work, and may lose or double a message without harm.
 *
 * Contract, for all parts
 * - Each method is one atomic step: after a crash it has happened completely or not at all.
 * - Once a method's promise has resolved, what it wrote survives a kill of the process (except in memory drivers).
 * - Times are whole milliseconds since 1970, given by the caller; a driver never looks at a clock.
 * - Methods may be called concurrently, from several engines and processes. A driver may combine calls in one commit.
 * - A step that the database undid because of others at the same time (a deadlock, a serialization failure, a lock that
 *   was waited for too long) is repeated by the driver. It repeats nothing else, and interprets no documents: it keeps
 *   the JSON text that it is given.
 * - Texts may contain any character of Unicode, also those of four bytes in UTF-8. Only the `error` of pages, jobs and
 *   items, and the texts of versions and of the index, may contain a NUL or half a surrogate pair; a database that cannot
 *   keep them may have U+FFFD instead.
 * - A call that work on jobs or deliveries depends on should settle within two minutes: after that it counts as failed,
 *   whatever it does later.
 * - A method rejects with the error of the underlying store as it is; the engine wraps it.
 */
export interface Storage {
  readonly jobs: JobStore;
  readonly ledger: Ledger;
  readonly outbox: Outbox;
  readonly cache: PageCache;
  /** Absent: screenshots and printed pages are data URIs in the documents. */
  readonly files?: FileStore | undefined;
  /** Absent: the engine refuses change tracking. */
  readonly versions?: PageVersions | undefined;
  /** Full text of the scraped pages, for searches without another provider. Absent: there are no such searches. */
  readonly index?: SearchIndex | undefined;
  /**
   * Deletes the jobs that have expired at `now`, open ones too, with everything they hold, and expired page versions;
   * charges and items waiting in the outbox stay. `nextExpiry` is when something next expires, null for never.
   * Idempotent.
   */
  sweep(now: number): Promise<{ removedJobs: number; nextExpiry: number | null }>;
  /**
   * Completes pending commits and releases files and connections. A later call opens them again, so that engines which
   * share a storage can be closed one by one. Idempotent.
   */
  close(): Promise<void>;
}
