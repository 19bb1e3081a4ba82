/**
 * Where the start page of a crawl led. The storage knows it from the page's completion on, whichever process had the page:
 * several may work on one crawl, and all of them judge links by it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { orAborted } from "../contract/or-aborted.ts";
import type { JobRecord, JobStore } from "../ports/job-store.ts";
import { readCrawlMemo } from "./crawl-memo.ts";

/** How soon the storage is asked again while nothing has come of the start page here. */
const lookAgainMs = 1000;

export interface CrawlStart {
  readonly isKnown: boolean;
  /** Asks the storage, unless it is known already or `signal` fires. Who waits asks again by itself. */
  look(signal: AbortSignal): Promise<void>;
  /** Where it led, once it is known; null when it could not be had, or `signal` has fired. */
  untilKnown(signal: AbortSignal): Promise<string | null>;
}

/** @param onLanded told once where the start led, if anywhere */
export function createCrawlStart(
  jobs: Pick<JobStore, "getJob">,
  record: JobRecord,
  onLanded: (landedUrl: string) => void,
): CrawlStart {
  const known = Promise.withResolvers<string | null>();
  let isKnown = false;

  function read(job: JobRecord | null): void {
    const memo = job === null ? undefined : readCrawlMemo(job);
    if (memo === undefined || isKnown) return;
    isKnown = true;
    if (memo.landedUrl !== null) onLanded(memo.landedUrl);
    known.resolve(memo.landedUrl);
  }

  async function look(signal: AbortSignal): Promise<void> {
    if (isKnown || signal.aborted) return;
    const job = orAborted(jobs.getJob(record.id, Date.now()), signal);
    read(
      await job.catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      }),
    );
  }

  read(record);
  return {
    get isKnown() {
      return isKnown;
    },
    look,
    async untilKnown(signal) {
      while (!isKnown && !signal.aborted) {
        const pause = delay(lookAgainMs, undefined, { signal, ref: false }).catch(() => {});
        await Promise.race([known.promise, pause]);
        await look(signal);
      }
      return isKnown ? known.promise : null;
    },
  };
}
