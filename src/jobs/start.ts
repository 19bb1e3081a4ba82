/** Accepts a job: it is stored with its first pages before anybody hears of it, then put into the queue. */
import type { ParsedBatchScrapeRequest } from "../contract/batch-scrape.ts";
import type { ParsedCallContext } from "../contract/call-context.ts";
import type { ParsedCrawlRequest } from "../contract/crawl.ts";
import type { ParsedWebhook } from "../contract/webhook.ts";
import { CrawlcoreError } from "../errors.ts";
import { urlKey } from "../frontier/url-key.ts";
import type { JobQueue, Task } from "../ports/job-queue.ts";
import type { JobKind, JobStore, NewPage } from "../ports/job-store.ts";
import { type AnnouncedJob, announce, type Sinks } from "./announce.ts";
import type { StoredBatchScrape } from "./batch-work.ts";
import { namedPages, pageLimit, type StoredExtract } from "./extract-request.ts";
import { surely } from "./surely.ts";
import type { Sweeper } from "./sweep.ts";

export interface StartParts {
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  /** Repeats until the queue has taken the task, or the engine closes and the job waits for `resume`. Never rejects. */
  readonly pushSurely: (task: Task) => Promise<void>;
  readonly sinks: Sinks;
  readonly wakeOutbox: () => void;
  readonly sweeper: Pick<Sweeper, "expect">;
  readonly jobTtlMs: number;
  /** Fires when the engine closes. */
  readonly closing: AbortSignal;
}

/** Who starts a job. */
type Caller = Pick<ParsedCallContext, "team" | "apiKey">;

/** `id` is that of the new job, here and below. */
export async function startCrawl(
  parts: StartParts,
  request: ParsedCrawlRequest,
  caller: Caller,
  id: string,
): Promise<void> {
  return start(parts, caller, {
    id,
    kind: "crawl",
    request,
    limit: request.limit,
    expanding: true,
    pages: [{ url: request.url, key: urlKey(request.url, request), depth: 0 }],
    webhook: request.webhook,
    zeroDataRetention: request.zeroDataRetention,
  });
}

export async function startBatchScrape(
  parts: StartParts,
  { scrapeOptions, webhook, maxConcurrency, zeroDataRetention }: ParsedBatchScrapeRequest,
  pages: readonly NewPage[],
  caller: Caller,
  id: string,
): Promise<void> {
  const request: StoredBatchScrape = { scrapeOptions, webhook, maxConcurrency, zeroDataRetention };
  return start(parts, caller, {
    id,
    kind: "batch_scrape",
    request,
    limit: Number.MAX_SAFE_INTEGER,
    expanding: false,
    pages,
    webhook,
    zeroDataRetention,
  });
}

export async function startExtract(
  parts: StartParts,
  request: StoredExtract,
  caller: Caller,
  id: string,
): Promise<void> {
  return start(parts, caller, {
    id,
    kind: "extract",
    request,
    limit: pageLimit(request),
    expanding: true,
    pages: namedPages(request),
    webhook: request.webhook,
    zeroDataRetention: false,
  });
}

async function start(
  parts: StartParts,
  { team, apiKey }: Caller,
  job: {
    readonly id: string;
    readonly kind: JobKind;
    readonly request: unknown;
    readonly limit: number;
    readonly expanding: boolean;
    readonly pages: readonly NewPage[];
    readonly webhook: ParsedWebhook | undefined;
    readonly zeroDataRetention: boolean;
  },
): Promise<void> {
  const createdAt = Date.now();
  const { id, kind, limit, expanding, pages, zeroDataRetention } = job;
  const announced = { id, team, kind, webhook: job.webhook ?? null };
  const outbox = announce(announced, "started", parts.sinks.events, createdAt);
  try {
    await parts.jobs.createJob(
      {
        id,
        team,
        apiKey: apiKey ?? null,
        kind,
        request: JSON.stringify(job.request),
        limit,
        zeroDataRetention,
        createdAt,
        expiresAt: createdAt + parts.jobTtlMs,
        expanding,
      },
      pages,
      outbox,
    );
    parts.sweeper.expect(createdAt + parts.jobTtlMs);
    if (outbox.length > 0) parts.wakeOutbox();
    await push(parts.queue, { jobId: id, team });
  } catch (error) {
    // A caller who gets an error must not find the job running later. It may be stored even if the storage failed.
    await surely(() => drop(parts, announced), parts.closing);
    throw error;
  }
}

/** If the engine closes in between, the job waits for `resume`. */
async function push(queue: JobQueue, task: Task): Promise<void> {
  try {
    await queue.push(task);
  } catch (error) {
    if (!CrawlcoreError.isInstance(error) || error.code !== "ENGINE_CLOSED") throw error;
  }
}

/** Whoever hears that the job has started hears that it has failed, too. */
async function drop({ jobs, sinks, wakeOutbox }: StartParts, job: AnnouncedJob): Promise<void> {
  const now = Date.now();
  const outbox = announce(job, "failed", sinks.events, now, { error: "The job could not be started" });
  const isDropped = await jobs.cancelJob(job.id, { finishedAt: now, expiresAt: now, outbox });
  if (isDropped && outbox.length > 0) wakeOutbox();
}
