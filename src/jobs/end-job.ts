import type { JobRecord, JobStore } from "../ports/job-store.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { type AnnouncedJob, announce, releaseItems, type Sinks } from "./announce.ts";
import { readCrawlMemo } from "./crawl-memo.ts";
import { robotsReason } from "./left-out-reasons.ts";

export interface EndParts {
  readonly jobs: JobStore;
  readonly sinks: Sinks;
  readonly wakeOutbox: () => void;
  readonly telemetry: Telemetry;
  /** How long the job stays readable. */
  readonly jobTtlMs: number;
}

/**
 * Ends a crawl or batch whose last page is complete. It has failed if its start page, or every URL of the batch, could
 * not be scraped.
 *
 * @param failure why it has failed, whatever became of its pages
 */
export async function endJob(
  parts: EndParts,
  announced: AnnouncedJob,
  job: JobRecord,
  failure?: string,
): Promise<void> {
  const finishedAt = Date.now();
  const error = failure ?? (job.succeeded > 0 ? undefined : await whyItFailed(parts.jobs, job));
  const state = error === undefined ? "completed" : "failed";
  const outbox = [
    ...announce(announced, state, parts.sinks.events, finishedAt, { error }),
    ...releaseItems(parts.sinks, job),
  ];
  await closeWith(parts, job, { state, finishedAt, error, outbox });
}

type JobClosing = Parameters<JobStore["closeJob"]>[1];

/**
 * Of several that close a job, one does; the outbox items of the others are never seen. None does if the job has listed
 * more results since it was read: then it may end in another way.
 */
export async function closeWith(
  parts: EndParts,
  { id, kind, listed }: JobRecord,
  closing: Omit<JobClosing, "expiresAt" | "listed">,
): Promise<void> {
  const { state, finishedAt, outbox } = closing;
  try {
    const hasClosed = await parts.jobs.closeJob(id, { ...closing, listed, expiresAt: finishedAt + parts.jobTtlMs });
    if (hasClosed) parts.telemetry.count("crawlcore.jobs", 1, { kind, state });
  } finally {
    // If only the storage's answer was lost, they are there.
    if (outbox.length > 0) parts.wakeOutbox();
  }
}

async function whyItFailed(jobs: JobStore, job: JobRecord): Promise<string | undefined> {
  // The start was scraped, and only the filters left it out: whatever failed was another page.
  if (job.kind === "crawl" && readCrawlMemo(job)?.landedUrl !== null) return undefined;
  const [failure] = await jobs.listFailures(job.id);
  if (failure !== undefined) {
    return job.kind === "crawl"
      ? `The start could not be fetched: ${failure.error}`
      : `No URL could be fetched: ${failure.error}`;
  }
  const blocked =
    job.kind === "crawl" && (await jobs.listLeftOut(job.id)).some(({ reason }) => reason === robotsReason);
  return blocked ? "The start is blocked by robots.txt" : undefined;
}
