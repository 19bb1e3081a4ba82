/** The job store of the memory driver. */

import type { JobStore, ListedResult } from "../../ports/job-store.ts";
import { Turn } from "../../shared/turn.ts";
import { admit, enqueue, leaveOut } from "./admission.ts";
import { cancel, close, complete, erase, setExpiry } from "./completion.ts";
import { createMemoryJob, type MemoryJob, type MemoryResult, type MemoryTables, toRecord } from "./job-table.ts";
import { claim, currentPage, endLease, leastDepth, release, renew } from "./leases.ts";

const keysPerChunk = 1000;
const pagesPerPart = 1000;

export function memoryJobs(tables: MemoryTables): JobStore {
  const { jobs, open } = tables;
  return {
    async createJob(about, pages, outbox) {
      const job = createMemoryJob(about);
      // In parts, between which nobody knows of the job yet.
      const turn = new Turn();
      for (let from = 0; from < pages.length; from += pagesPerPart) {
        if (turn.isOver()) await turn.next();
        admit(job, pages.slice(from, from + pagesPerPart), "ignore");
      }
      if (jobs.has(about.id)) return;
      jobs.set(about.id, job);
      open.add(job);
      tables.expiry.push(job);
      tables.outbox.insert(outbox, null);
    },

    async getJob(id, now) {
      const job = jobs.get(id);
      return job === undefined || job.expiresAt <= now ? null : toRecord(job);
    },

    async listOpenJobs({ team, now }) {
      return [...open]
        .filter((job) => job.expiresAt > now && (team === undefined || job.about.team === team))
        .sort((a, b) => a.about.createdAt - b.about.createdAt)
        .map(toRecord);
    },

    async listExpiredJobs(now) {
      return [...open].filter((job) => job.expiresAt <= now).map(toRecord);
    },

    async admitPages(jobId, admission) {
      const job = jobs.get(jobId);
      if (job === undefined || job.state === "cancelled") return { admitted: 0 };
      if (admission.reopen === true) reopen(tables, job);
      if (job.state !== "scraping") return { admitted: 0 };
      if (admission.expiresAt !== undefined) setExpiry(tables, job, admission.expiresAt);
      leaveOut(job, admission.leftOut);
      return { admitted: admit(job, admission.pages, admission.duplicates) };
    },

    async finishExpansion(jobId) {
      const job = jobs.get(jobId);
      if (job !== undefined) job.expanding = false;
    },

    async claimPages(jobId, request) {
      const job = jobs.get(jobId);
      return job === undefined ? [] : claim(tables, job, request);
    },

    async leastDepth(jobId) {
      const job = jobs.get(jobId);
      return job?.state === "scraping" ? leastDepth(job) : null;
    },

    async renewLeases(worker, leaseUntil) {
      renew(tables, worker, leaseUntil);
    },

    async releaseLeases(worker, hasDied = false) {
      release(tables, worker, hasDied);
    },

    async listLeaseHolders() {
      return [...tables.holders.keys()];
    },

    async retryPage(lease, notBefore) {
      const page = currentPage(tables, lease);
      if (page === null) return false;
      endLease(tables, page);
      enqueue(page.job, page, notBefore);
      return true;
    },

    async completePage(lease, completion) {
      return complete(tables, lease, completion);
    },

    async closeJob(jobId, closing) {
      const job = jobs.get(jobId);
      return job !== undefined && close(tables, job, closing);
    },

    async cancelJob(jobId, cancellation) {
      const job = jobs.get(jobId);
      return job !== undefined && cancel(tables, job, cancellation);
    },

    async readResults(jobId, { skip, limit, maxBytes }) {
      const results: ListedResult[] = [];
      const listed = jobs.get(jobId)?.results ?? [];
      let bytes = 0;
      for (let i = skip; i < listed.length && results.length < limit; i += 1) {
        const { page, url } = listed[i] as MemoryResult;
        bytes += page.documentBytes + Buffer.byteLength(url ?? "");
        if (results.length > 0 && bytes > maxBytes) break;
        results.push({ document: page.document as string, url });
      }
      return { results };
    },

    async listFailures(jobId) {
      return [...(jobs.get(jobId)?.failures ?? [])];
    },

    async listLeftOut(jobId) {
      const job = jobs.get(jobId);
      if (job === undefined) return [];
      const leftOut = new Map(job.leftOut);
      if (job.state !== "scraping" && job.queued > 0) {
        for (const page of job.pages) {
          if (page.state === "queued") leftOut.set(page.url, { url: page.url, reason: "LIMIT" });
        }
      }
      return [...leftOut.values()];
    },

    async *listKeys(jobId) {
      const job = jobs.get(jobId);
      for (let from = 0; job !== undefined && from < job.pages.length; from += keysPerChunk) {
        yield job.pages.slice(from, from + keysPerChunk).map((page) => page.key);
      }
    },

    async eraseResults(jobId) {
      const job = jobs.get(jobId);
      if (job !== undefined) erase(tables, job);
    },
  };
}

function reopen(tables: MemoryTables, job: MemoryJob): void {
  job.state = "scraping";
  job.finishedAt = null;
  job.result = null;
  job.error = null;
  tables.open.add(job);
}
