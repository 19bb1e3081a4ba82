/** The job store: each method that writes is one transaction. */

import type { CompletionResult, JobStore, LeftOutUrl, ListedResult, PageFailure } from "../../ports/job-store.ts";
import { admit, leaveOut } from "./admission.ts";
import { type CompletedPage, cancel, close, complete } from "./completion.ts";
import type { Connection, Query } from "./connection.ts";
import { type JobRow, type JobRowWithTexts, lockJob, saveJob, toRecord } from "./job-rows.ts";
import { claim, release, retry } from "./leases.ts";
import { insertItems, ofNoPage } from "./outbox.ts";
import { eraseResults } from "./removal.ts";
import { writeTogether } from "./write-together.ts";

const rowsPerRead = 1000;

export function postgresJobs(connection: Connection): JobStore {
  const { query, transaction, track } = connection;
  // An engine renews the leases of all its jobs at once, of which there may be thousands.
  const renew = writeTogether<{ worker: string; until: number; bytes: number }>(async (leases) => {
    const workers = leases.map(({ worker }) => worker);
    const untils = leases.map(({ until }) => until);
    await transaction((query) => query("renewLeases", workers, untils));
    return [];
  }, track);
  const completePage = completePages(connection);
  return {
    createJob: (job, pages, outbox) =>
      transaction(async (query) => {
        const { id, team, apiKey, kind, limit, zeroDataRetention, createdAt, expiresAt, expanding } = job;
        const about = [id, team, apiKey, kind, limit, zeroDataRetention, createdAt, expiresAt, expanding];
        const [row] = await query<JobRow>("insertJob", ...about);
        if (row === undefined) return;
        await query("insertJobTexts", row.number, job.request);
        await admit(query, row, pages, "ignore");
        await saveJob(query, row);
        await insertItems(query, outbox.map(ofNoPage));
      }),

    async getJob(id, now) {
      const [job] = await query<JobRowWithTexts>("job", id, now);
      return job === undefined ? null : toRecord(query, job);
    },

    async listOpenJobs({ team, now }) {
      const jobs = await query<JobRowWithTexts>("openJobs", now, team ?? null);
      return Promise.all(jobs.map((job) => toRecord(query, job)));
    },

    async listExpiredJobs(now) {
      const jobs = await query<JobRowWithTexts>("expiredJobs", now);
      return Promise.all(jobs.map((job) => toRecord(query, job)));
    },

    admitPages: (jobId, admission) =>
      transaction(async (query) => {
        const job = await lockJob(query, jobId);
        if (job === undefined || job.state === "cancelled") return { admitted: 0 };
        if (admission.reopen === true) await reopen(query, job);
        if (job.state !== "scraping") return { admitted: 0 };
        job.expires_at = admission.expiresAt ?? job.expires_at;
        await leaveOut(query, job, admission.leftOut);
        const admitted = await admit(query, job, admission.pages, admission.duplicates);
        await saveJob(query, job);
        return { admitted };
      }),

    async finishExpansion(jobId) {
      await transaction((query) => query("finishExpansion", jobId));
    },

    claimPages: (jobId, request) => transaction((query) => claim(query, jobId, request)),

    async leastDepth(jobId) {
      const [least] = await query<{ depth: number | null }>("leastDepth", jobId);
      return least?.depth ?? null;
    },

    renewLeases: (worker, until) => renew({ worker, until, bytes: worker.length }),

    releaseLeases: (worker, hasDied = false) => transaction((query) => release(query, worker, hasDied)),

    async listLeaseHolders() {
      return (await query<{ worker: string }>("leaseHolders")).map((row) => row.worker);
    },

    retryPage: (lease, notBefore) => transaction((query) => retry(query, lease, notBefore)),
    completePage,
    closeJob: (jobId, closing) => transaction((query) => close(query, jobId, closing)),
    cancelJob: (jobId, cancellation) => transaction((query) => cancel(query, jobId, cancellation)),

    readResults: (jobId, range) => track(readResults(query, jobId, range)),

    listFailures: (jobId) => query<PageFailure>("failures", jobId),

    async listLeftOut(jobId) {
      // Queued pages come last.
      const leftOut = new Map<string, LeftOutUrl>();
      for (const { url, reason } of await query<LeftOutUrl>("leftOut", jobId)) leftOut.set(url, { url, reason });
      return [...leftOut.values()];
    },

    async *listKeys(jobId) {
      for (let after = -1; ; ) {
        const rows = await query<{ place: number; key: string }>("pageKeys", jobId, after, rowsPerRead);
        if (rows.length > 0) yield rows.map((row) => row.key);
        if (rows.length < rowsPerRead) return;
        after = rows.at(-1)?.place ?? after;
      }
    },

    eraseResults: (jobId) => track(eraseResults(connection, jobId)),
  };
}

/** Pages of a job that end while others are being completed are completed together: each step locks the job. */
function completePages({ transaction, track }: Connection): JobStore["completePage"] {
  type Item = CompletedPage & { readonly bytes: number };
  const writers = new Map<string, { open: number; readonly write: (item: Item) => Promise<CompletionResult> }>();
  return async (lease, completion) => {
    const { jobId } = lease;
    const writer = writers.get(jobId) ?? {
      open: 0,
      write: writeTogether<Item, CompletionResult>(
        (pages) => transaction((query) => complete(query, jobId, pages)),
        track,
      ),
    };
    writers.set(jobId, writer);
    writer.open += 1;
    try {
      return await writer.write({ lease, completion, bytes: completion.document?.length ?? 0 });
    } finally {
      writer.open -= 1;
      if (writer.open === 0) writers.delete(jobId);
    }
  };
}

async function reopen(query: Query, job: JobRow): Promise<void> {
  if (job.state === "scraping") return;
  job.state = "scraping";
  job.finished_at = null;
  await query("saveOutcome", job.number, null, null);
}

async function readResults(
  query: Query,
  jobId: string,
  range: Parameters<JobStore["readResults"]>[1],
): Promise<{ results: ListedResult[] }> {
  const count = await countResults(query, jobId, range);
  if (count === 0) return { results: [] };
  return { results: await query<ListedResult>("results", jobId, range.skip, range.skip + count) };
}

/** How many results of the range fit into its bytes; their texts are not read for this. */
async function countResults(
  query: Query,
  jobId: string,
  { skip, limit, maxBytes }: Parameters<JobStore["readResults"]>[1],
): Promise<number> {
  let count = 0;
  let total = 0;
  while (count < limit) {
    const most = Math.min(rowsPerRead, limit - count);
    const sizes = await query<{ bytes: number }>("resultSizes", jobId, skip + count, most);
    for (const { bytes } of sizes) {
      total += bytes;
      if (count > 0 && total > maxBytes) return count;
      count += 1;
    }
    if (sizes.length < most) break;
  }
  return count;
}
