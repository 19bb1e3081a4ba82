/**
 * The address that the start page of a crawl led to. The storage has it from the page's completion on, whichever
 * process worked on the page: several may work on one crawl, and all of them judge links by it.
 */

import type { JobRecord, JobStore } from "../ports/job-store.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { readCrawlMemo } from "./crawl-memo.ts";

/** How soon the storage is asked again while this process does not know the address yet. */
const lookAgainMs = 1000;

interface CrawlStart {
  readonly isKnown: boolean;
  /**
   * Asks the storage, unless the address is already known or `signal` fires. Callers of `untilKnown` need not call it.
   */
  look(signal: AbortSignal): Promise<void>;
  /** The address, once it is known; null if the page could not be scraped, or `signal` has fired. */
  untilKnown(signal: AbortSignal): Promise<string | null>;
}

/** @param onLanded called once with the address, if there is one */
export function createCrawlStart(
  jobs: Pick<JobStore, "getJob">,
  record: JobRecord,
  onLanded: (landedUrl: string) => void,
): CrawlStart {
  let isKnown = false;
  let landedUrl: string | null = null;
  /** Ends the pause between two looks at the storage. */
  let wake = () => {};

  function read(job: JobRecord | null): void {
    const memo = job === null ? undefined : readCrawlMemo(job);
    if (memo === undefined || isKnown) return;
    isKnown = true;
    landedUrl = memo.landedUrl;
    if (landedUrl !== null) onLanded(landedUrl);
    wake();
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
        let timer: NodeJS.Timeout | undefined;
        const pause = new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, lookAgainMs).unref();
        });
        await orAborted(pause, signal).catch(() => {});
        // Otherwise it would keep a closed engine in memory.
        clearTimeout(timer);
        await look(signal);
      }
      return landedUrl;
    },
  };
}
