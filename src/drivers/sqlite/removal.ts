/**
 * Deletes expired jobs and erased results. A job is marked in one step, and from then on no reader sees it; its rows
 * are deleted in parts, so that a large job does not hold up the event loop. After a crash, the next sweep deletes the
 * rest.
 */

import type { Storage } from "../../ports/storage.ts";
import type { Checkpointer } from "./checkpointer.ts";
import type { Committer } from "./committer.ts";
import type { Database } from "./database.ts";
import { jobById, pageRange } from "./job-rows.ts";

export interface Removal {
  readonly sweep: Storage["sweep"];
  eraseResults(jobId: string): Promise<void>;
}

const jobsPerStep = 100;
const rowsPerStep = 200;
const documentBytesPerStep = 1_000_000;
/** Free pages of the file that are kept for later use: a quarter of it, and at least this many. */
const freePagesKept = 512;
const pagesPerVacuum = 128;

export function createRemoval(committer: Committer, checkpointer: Checkpointer): Removal {
  async function removeMarked(): Promise<void> {
    while (await committer.write(removeSome));
    while (await committer.write(vacuumSome));
    // The log still contains what was deleted.
    await checkpointer.truncate();
  }

  return {
    async sweep(now) {
      const { due, marked, nextExpiry } = await committer.read((database) => lookAhead(database, now));
      if (!due && !marked) return { removedJobs: 0, nextExpiry };
      let removedJobs = 0;
      for (;;) {
        const removed = await committer.write((database) => markDueJobs(database, now));
        if (removed === 0) break;
        removedJobs += removed;
      }
      await removeMarked();
      const after = await committer.read((database) => lookAhead(database, now));
      return { removedJobs, nextExpiry: after.nextExpiry };
    },

    async eraseResults(jobId) {
      const marked = await committer.write((database) => {
        const job = jobById(database, jobId);
        if (job === undefined || job.state === "scraping") return false;
        database.run("markResultsRemoved", job.number);
        database.run("forgetJobTexts", job.number);
        database.run("deleteFailedItems", jobId);
        return true;
      });
      if (marked) await removeMarked();
    },
  };
}

function lookAhead(database: Database, now: number) {
  const nextExpiry = database.get<{ at: number | null }>("nextExpiry")?.at ?? null;
  return {
    due: nextExpiry !== null && nextExpiry <= now,
    marked: database.get("jobToRemove") !== undefined,
    nextExpiry,
  };
}

function markDueJobs(database: Database, now: number): number {
  const jobs = database.all<{ number: number; id: string }>("dueJobs", now, jobsPerStep);
  for (const { number, id } of jobs) {
    database.run("dropLeasedPages", number);
    database.run("deleteFailedItems", id);
    database.run("deleteJobTexts", number);
    database.run("markJobRemoved", number);
  }
  return jobs.length;
}

/** Deletes some rows of one marked job; false if there is no marked job. */
function removeSome(database: Database): boolean {
  const job = database.get<{ number: number; removal: "results" | "job" }>("jobToRemove");
  if (job === undefined) return false;
  const { number } = job;
  const removed =
    removeDocuments(database, number) ||
    database.run("deletePages", ...pageRange(number), rowsPerStep) ||
    database.run("deleteFinalKeys", number, rowsPerStep) ||
    database.run("deleteFailures", number, rowsPerStep) ||
    database.run("deleteLeftOut", number, rowsPerStep);
  if (removed === 0) database.run(job.removal === "job" ? "deleteJob" : "markRemovalDone", number);
  return true;
}

function removeDocuments(database: Database, job: number): number {
  const results = database.all<{ position: number; document: number; bytes: number }>(
    "resultsToRemove",
    job,
    rowsPerStep,
  );
  let removed = 0;
  let bytes = 0;
  for (const { position, document, bytes: size } of results) {
    if (bytes > documentBytesPerStep) break;
    database.run("detachDocument", document);
    database.run("deleteDocument", document);
    database.run("deleteResult", job, position);
    removed += 1;
    bytes += size;
  }
  return removed;
}

/** Returns some free pages to the file system; false if few enough are left. */
function vacuumSome(database: Database): boolean {
  const { free, total } = freePages(database);
  if (free <= Math.max(freePagesKept, total / 4)) return false;
  database.execute(`PRAGMA incremental_vacuum(${pagesPerVacuum})`);
  return freePages(database).free < free;
}

function freePages(database: Database): { free: number; total: number } {
  return database.get("freePages") as { free: number; total: number };
}
