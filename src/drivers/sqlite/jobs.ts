/** The job store: each method as one call to the committer. */

import type { JobStore } from "../../ports/job-store.ts";
import { admit, leaveOut } from "./admission.ts";
import type { Committer } from "./committer.ts";
import { cancel, close, complete } from "./completion.ts";
import type { Database } from "./database.ts";
import { type JobRow, jobById, saveJob, toRecord } from "./job-rows.ts";
import { claim, leastDepth, release, retry } from "./leases.ts";
import { insertItems } from "./outbox.ts";
import type { Removal } from "./removal.ts";
import { listFailures, listKeys, listLeftOut, readResults } from "./results.ts";

export function sqliteJobs(committer: Committer, removal: Removal): JobStore {
  return {
    createJob: (job, pages, outbox) =>
      committer.writeInParts(function* (database) {
        const created = database.run(
          "insertJob",
          job.id,
          job.team,
          job.apiKey,
          job.kind,
          job.limit,
          job.zeroDataRetention ? 1 : 0,
          job.createdAt,
          job.expiresAt,
          job.expanding ? 1 : 0,
        );
        if (created === 0) return;
        const row = jobById(database, job.id) as JobRow;
        database.run("insertJobTexts", row.number, job.request);
        yield* admit(database, row, pages, "ignore");
        saveJob(database, row);
        insertItems(database, outbox, null);
      }),

    getJob: (id, now) =>
      committer.read((database) => {
        const job = jobById(database, id);
        return job === undefined || job.expires_at <= now ? null : toRecord(database, job);
      }),

    listOpenJobs: ({ team, now }) =>
      committer.read((database) =>
        database
          .all<JobRow>("openJobs", now)
          .filter((job) => team === undefined || job.team === team)
          .map((job) => toRecord(database, job)),
      ),

    listExpiredJobs: (now) =>
      committer.read((database) => database.all<JobRow>("expiredJobs", now).map((job) => toRecord(database, job))),

    admitPages: (jobId, admission) =>
      committer.writeInParts(function* (database) {
        const job = jobById(database, jobId);
        if (job === undefined || job.state === "cancelled") return { admitted: 0 };
        if (admission.reopen === true) reopen(database, job);
        if (job.state !== "scraping") return { admitted: 0 };
        job.expires_at = admission.expiresAt ?? job.expires_at;
        yield* leaveOut(database, job, admission.leftOut);
        const admitted = yield* admit(database, job, admission.pages, admission.duplicates);
        saveJob(database, job);
        return { admitted };
      }),

    finishExpansion: (jobId) =>
      committer.write((database) => {
        database.run("finishExpansion", jobId);
      }),

    claimPages: (jobId, request) => committer.write((database) => claim(database, jobId, request)),

    leastDepth: (jobId) => committer.read((database) => leastDepth(database, jobId)),

    renewLeases: (worker, leaseUntil) =>
      committer.write((database) => {
        database.run("renewLeases", leaseUntil, worker);
      }),

    releaseLeases: (worker, hasDied = false) => committer.write((database) => release(database, worker, hasDied)),

    listLeaseHolders: () =>
      committer.read((database) => database.all<{ worker: string }>("leaseHolders").map((row) => row.worker)),

    retryPage: (lease, notBefore) => committer.write((database) => retry(database, lease, notBefore)),

    completePage: (lease, completion) => committer.writeInParts((database) => complete(database, lease, completion)),

    closeJob: (jobId, closing) => committer.write((database) => close(database, jobId, closing)),

    cancelJob: (jobId, cancellation) => committer.write((database) => cancel(database, jobId, cancellation)),

    async readResults(jobId, range) {
      return { results: await readResults(committer, jobId, range) };
    },

    listFailures: (jobId) => listFailures(committer, jobId),
    listLeftOut: (jobId) => listLeftOut(committer, jobId),
    listKeys: (jobId) => listKeys(committer, jobId),
    eraseResults: (jobId) => removal.eraseResults(jobId),
  };
}

function reopen(database: Database, job: JobRow): void {
  if (job.state === "scraping") return;
  job.state = "scraping";
  job.finished_at = null;
  database.run("saveOutcome", null, null, job.number);
}
