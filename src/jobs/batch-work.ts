/** The work of a batch scrape: its pages are scraped with its options, and nothing else is special about them. */
import type { ParsedBatchScrapeRequest } from "../contract/batch-scrape.ts";
import type { JobRecord } from "../ports/job-store.ts";
import { type EndParts, endJob } from "./end-job.ts";
import type { JobWork } from "./job-work.ts";
import { type PageWorkParts, workPage } from "./work-page.ts";

/** The parts of the request that outlive the call; its URLs are pages of the job by then. */
export type StoredBatchScrape = Pick<
  ParsedBatchScrapeRequest,
  "scrapeOptions" | "webhook" | "maxConcurrency" | "zeroDataRetention"
>;

export function batchWork(parts: PageWorkParts & EndParts, record: JobRecord): JobWork {
  const request = JSON.parse(record.request) as StoredBatchScrape;
  const pageWork = {
    job: { id: record.id, team: record.team, kind: record.kind, webhook: request.webhook ?? null },
    apiKey: record.apiKey,
    options: request.scrapeOptions,
    zeroDataRetention: record.zeroDataRetention,
    discover: false,
    follow: async () => ({ discovered: [], leftOut: [] }),
  };
  return {
    maxConcurrency: request.maxConcurrency,
    prepare: async () => {},
    expand: async () => parts.jobs.finishExpansion(record.id),
    workPage: (lane, page) => workPage(parts, pageWork, lane, page),
    finish: (job) => endJob(parts, pageWork.job, job),
  };
}
