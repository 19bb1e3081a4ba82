import type { JobRecord } from "../ports/job-store.ts";

/** Kept with a crawl once its start page is done: the address that it led to, null if it could not be scraped. */
export interface CrawlMemo {
  readonly landedUrl: string | null;
}

export function readCrawlMemo({ memo }: Pick<JobRecord, "memo">): CrawlMemo | undefined {
  return memo === null ? undefined : (JSON.parse(memo) as CrawlMemo);
}
