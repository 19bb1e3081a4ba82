/**
 * Where the start page of a crawl led. The storage knows it from the page's completion on, whichever process had the page:
 * several may work on one crawl, and all of them judge links by it.
 */
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
  let isKnown = false;
  let landedUrl: string | null = null;
  /** Ends the pause of whoever waits. */
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
        // Left alone it would hold a closed engine.
        clearTimeout(timer);
        await look(signal);
      }
      return landedUrl;
    },
  };
}
