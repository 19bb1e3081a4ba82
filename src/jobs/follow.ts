/** Reads a job while it runs, page by page or to its end, whichever process does the work. */
import { setTimeout as delay } from "node:timers/promises";
import type { Document } from "../contract/document.ts";
import { RequestError } from "../errors.ts";
import type { JobRecord } from "../ports/job-store.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { Turn } from "../shared/turn.ts";
import { isNotFound } from "./find-job.ts";
import type { News, Progress } from "./progress.ts";
import { readResult } from "./read-result.ts";
import type { Readers } from "./readers.ts";
import { eraseIfNotRetained } from "./retention.ts";
import { describeJob } from "./status.ts";
import { engineClosed, type ReadableJobs } from "./while-open.ts";

export interface Following {
  readonly jobs: ReadableJobs;
  readonly progress: Progress;
  readonly readers: Readers;
  /** Whether this engine works on the job. */
  readonly isWorking: (jobId: string) => boolean;
  /** Fires when the engine closes. */
  readonly closing: AbortSignal;
}

/**
 * How long to wait for news at most: another process may be doing the work, and cannot wake this one. The longer there
 * has been none, the more rarely the storage is asked, by this share of the time: many may wait for long jobs.
 */
const leastPollMs = 500;
const mostPollMs = 5_000;
const pollShare = 0.05;
/** No more often than this for each job that is waited for; the second if this engine itself works on it. */
const pollMsPerJob = 2;
const ownPollMsPerJob = 20;
/** The same where nobody waits for the end: what is kept for a job a little longer costs less than asking. */
const lazyPollMs = 60_000;

/** How soon a storage that failed is asked again, in milliseconds. */
const againMs = 1000;

/** How much is read at once: little enough to keep memory flat, enough to keep reads rare. */
const chunk = { limit: 50, maxBytes: 4 * 1024 * 1024 };

/**
 * Yields each result once, as soon as it is finished: from the storage, or directly from the worker that has just
 * stored it. A slow reader slows down the job (see `readers.ts`).
 */
export async function* followPages(following: Following, jobId: string): AsyncGenerator<Document, void, undefined> {
  const { jobs, readers } = following;
  const reader = readers.attach(jobId);
  const turn = new Turn();
  let since = performance.now();
  let job: JobRecord;
  let news: News | undefined;
  try {
    while (true) {
      news = nextNews(following, jobId, { pollMs: pollAfter(following, jobId, since), onlyEnd: false });
      job = await currentJob(jobs, jobId);
      if (reader.read < job.listed) since = performance.now();
      while (reader.read < job.listed) {
        const handed = reader.take();
        if (handed !== undefined) {
          yield handed;
          readers.advance(jobId, reader);
          continue;
        }
        const { results } = await jobs.readResults(jobId, { skip: reader.read, ...chunk });
        // Erased meanwhile.
        if (results.length === 0) break;
        // Removed one by one, so that none is kept until the next ones have been read.
        for (let result = results.shift(); result !== undefined; result = results.shift()) {
          // A storage in memory, and the reader, may both answer within the same turn of the event loop.
          if (turn.isOver()) await turn.next();
          yield readResult(result);
          readers.advance(jobId, reader);
        }
      }
      // The job had ended before the results were read: there are no more.
      if (job.state !== "scraping") break;
      await news.arrival;
    }
  } finally {
    news?.forget();
    readers.detach(jobId, reader);
  }
  await eraseIfNotRetained(following, job);
}

/** Waits for the job's end. If `onProgress` throws or rejects, the waiting ends with its error. */
export async function waitForJob(
  following: Following,
  jobId: string,
  {
    signal,
    onProgress,
    pollMs,
  }: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: (job: JobRecord) => unknown;
    readonly pollMs?: number;
  } = {},
): Promise<JobRecord> {
  const onlyEnd = onProgress === undefined;
  let told = "";
  let since = performance.now();
  while (true) {
    signal?.throwIfAborted();
    const news = nextNews(following, jobId, {
      signal,
      pollMs: pollMs ?? pollAfter(following, jobId, since),
      onlyEnd,
    });
    try {
      const job = await until(following, signal, () => currentJob(following.jobs, jobId));
      const { status, total, completed } = describeJob(job);
      const telling = `${status} ${total} ${completed}`;
      if (telling !== told && onProgress !== undefined) {
        await until(following, signal, async () => onProgress(job));
        since = performance.now();
      }
      told = telling;
      if (job.state !== "scraping") return job;
      await news.arrival;
    } finally {
      news.forget();
    }
  }
}

/**
 * Resolves when the job has ended, or the engine closes; up to a minute later if another process works on it. If the
 * storage fails, it is asked again. Never rejects.
 */
export async function untilEnded(following: Following, jobId: string): Promise<void> {
  const { closing } = following;
  while (!closing.aborted) {
    try {
      return void (await waitForJob(following, jobId, { pollMs: lazyPollMs }));
    } catch (error) {
      if (isNotFound(error)) return;
      await delay(againMs, undefined, { signal: closing, ref: false }).catch(() => {});
    }
  }
}

/**
 * All results of an ended job, each converted by `convert`. A batch may have been opened again since it was read: what
 * is listed from then on belongs to its next end.
 */
export async function readAll(
  jobs: ReadableJobs,
  { id, listed }: Pick<JobRecord, "id" | "listed">,
  {
    convert = async (document) => document,
    signal,
  }: { readonly convert?: (document: Document) => Promise<Document>; readonly signal?: AbortSignal | undefined } = {},
): Promise<Document[]> {
  const data: Document[] = [];
  const turn = new Turn();
  while (data.length < listed) {
    const limit = Math.min(chunk.limit, listed - data.length);
    const range = { skip: data.length, limit, maxBytes: chunk.maxBytes };
    const { results } = await orAborted(jobs.readResults(id, range), signal);
    // Erased meanwhile.
    if (results.length === 0) break;
    for (const result of results) {
      if (turn.isOver()) await turn.next();
      data.push(await convert(readResult(result)));
    }
  }
  return data;
}

/** The outcome of a promise of a host's part, unless the caller's signal or the closing of the engine comes first. */
function until<Value>(
  following: Following,
  signal: AbortSignal | undefined,
  act: () => Promise<Value>,
): Promise<Value> {
  return orAborted(orAborted(act(), signal), following.closing);
}

/** Starts listening for news before the state is read, so that none is missed. */
export function nextNews(
  { closing, progress }: Following,
  jobId: string,
  {
    signal,
    ...options
  }: { readonly signal?: AbortSignal | undefined; readonly pollMs: number; readonly onlyEnd: boolean },
): News {
  if (closing.aborted) throw engineClosed();
  const { arrival, forget } = progress.next(jobId, { ...(signal !== undefined && { signal }), ...options });
  const sealed = arrival.catch((reason: unknown) => {
    throw closing.aborted ? engineClosed() : reason;
  });
  // Nobody may be waiting for it yet.
  sealed.catch(() => {});
  return { arrival: sealed, forget };
}

/** @param since when there were news, or the waiting began */
function pollAfter({ isWorking, progress }: Following, jobId: string, since: number): number {
  // Most news of a job in progress here are its own, and those wake whoever waits.
  if (isWorking(jobId)) return Math.max(mostPollMs, progress.waiting * ownPollMsPerJob);
  const least = Math.max(leastPollMs, progress.waiting * pollMsPerJob);
  return Math.max(least, Math.min(mostPollMs, (performance.now() - since) * pollShare));
}

async function currentJob(jobs: ReadableJobs, jobId: string): Promise<JobRecord> {
  const job = await jobs.getJob(jobId, Date.now());
  if (job === null) throw new RequestError("NOT_FOUND", "Job not found");
  return job;
}
