/** The storage that keeps everything in memory. */

import type { Storage } from "../../ports/storage.ts";
import { earliest } from "../earliest.ts";
import { givenOptions, readBounds } from "../read-bounds.ts";
import { memoryCache } from "./cache.ts";
import { createTables, type MemoryTables } from "./job-table.ts";
import { memoryJobs } from "./jobs.ts";
import { endLease } from "./leases.ts";
import { memoryLedger } from "./ledger.ts";
import { memoryOutbox } from "./outbox.ts";
import { memorySearchIndex } from "./search-index.ts";
import { memoryVersions } from "./versions.ts";

/** How much a storage in memory keeps. */
export interface MemoryStorageOptions {
  /** Most bytes of cached pages. @default 67108864 (64 MiB) */
  readonly maxCacheBytes?: number | undefined;
  /**
   * Milliseconds after which a cached page is dropped, even if a request's `maxAge` is longer.
   * @default 2592000000 (30 days)
   */
  readonly maxCacheAgeMs?: number | undefined;
  /** Most bytes of page versions for change tracking. @default 67108864 (64 MiB) */
  readonly maxVersionBytes?: number | undefined;
  /** Most bytes of searchable text, approximately. @default 67108864 (64 MiB) */
  readonly maxIndexBytes?: number | undefined;
}

const defaultBounds = {
  maxCacheBytes: 64 * 1024 * 1024,
  maxCacheAgeMs: 30 * 24 * 60 * 60 * 1000,
  maxVersionBytes: 64 * 1024 * 1024,
  maxIndexBytes: 64 * 1024 * 1024,
};

/**
 * A {@link Storage} in memory. Everything is lost when the process ends.
 *
 * @example
 * const storage = memoryStorage({ maxCacheBytes: 16 * 1024 * 1024 });
 */
export function memoryStorage(options?: MemoryStorageOptions): Storage {
  const bounds = readBounds("memoryStorage", givenOptions("memoryStorage", options), defaultBounds);
  const outbox = memoryOutbox((jobId) => tables.jobs.get(jobId)?.isErased === false);
  const ledger = memoryLedger((charge) => {
    const job = charge.jobId === null ? undefined : tables.jobs.get(charge.jobId);
    if (job === undefined) return;
    job.creditsUsed += charge.credits;
    job.tokensUsed += charge.tokens;
  }, outbox);
  const versions = memoryVersions(bounds.maxVersionBytes);
  const cache = memoryCache(bounds.maxCacheBytes, bounds.maxCacheAgeMs);
  const tables = createTables({ ledger, outbox, versions });
  return {
    jobs: memoryJobs(tables),
    ledger,
    outbox,
    cache,
    versions,
    index: memorySearchIndex(bounds.maxIndexBytes),
    async sweep(now) {
      const removedJobs = removeExpired(tables, now);
      versions.removeExpired(now);
      cache.removeOld(now);
      return { removedJobs, nextExpiry: earliest(tables.expiry.peek()?.expiresAt ?? null, versions.nextExpiry()) };
    },
    async close() {},
  };
}

function removeExpired(tables: MemoryTables, now: number): number {
  let removed = 0;
  for (let job = tables.expiry.peek(); job !== undefined && job.expiresAt <= now; job = tables.expiry.peek()) {
    tables.expiry.remove(job);
    for (const page of [...job.leased]) endLease(tables, page);
    tables.open.delete(job);
    tables.jobs.delete(job.about.id);
    tables.outbox.forgetFailed(job.about.id);
    removed += 1;
  }
  return removed;
}
