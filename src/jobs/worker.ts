/**
 * Works on jobs: takes them up when their tasks come, lets them begin pages as fairness, hosts and delays allow, and
 * keeps their leases. Everything that must last is in the storage; the state here can be lost.
 */

import { createBackground } from "../shared/background.ts";
import { errorText } from "../shared/error-text.ts";
import { createExpiryKeeper } from "./expiry-keeper.ts";
import { createLeaseKeeper } from "./lease-keeper.ts";
import { createRounds } from "./rounds.ts";
import { type TakenJob, type TakenJobParts, takeUp } from "./taken-job.ts";

interface WorkerParts extends TakenJobParts {
  /** The time by which leases end. */
  readonly clock: () => number;
  readonly jobTtlMs: number;
}

export interface Worker {
  /**
   * Takes up a job, unless it is already in progress here; resolves when it has ended. Rejects if the worker stops
   * before that, so that whoever delivered the task delivers it to another.
   */
  take(jobId: string): Promise<void>;
  /** Stops this worker's work on the job, which was cancelled. */
  abandon(jobId: string, reason: unknown): void;
  /** Call it when something that was held back may continue. */
  wake(): void;
  isWorking(jobId: string): boolean;
  /** Stops all work and gives the pages back. Idempotent. */
  stop(reason: unknown): Promise<void>;
}

/**
 * How many jobs are looked at in a heartbeat, to see whether they have ended elsewhere. Usually the next page, or the
 * next time that pages are asked for, says so.
 */
const mostLooks = 250;

export function createWorker(name: string, parts: WorkerParts): Worker {
  const { jobs, logger, lanes } = parts;
  const working = new Map<string, TakenJob>();
  // A defect is logged, and the job stays resumable.
  const { track, drain } = createBackground((error) => {
    if (!isStopping) logger.error("work on a job failed", { error: errorText(error) });
  });
  const leases = createLeaseKeeper({
    jobs,
    clock: parts.clock,
    worker: name,
    track,
    onHeartbeat() {
      for (const [jobId, job] of [...working].slice(0, mostLooks)) {
        // The others' turn is at the next heartbeats.
        working.delete(jobId);
        working.set(jobId, job);
        track(job.look());
      }
      rounds.soon();
    },
  });
  const rounds = createRounds({ working, lanes, hosts: parts.hosts, track, isStopping: () => isStopping });
  const expiry = createExpiryKeeper({ jobs, jobTtlMs: parts.jobTtlMs, track });
  const duties = {
    leases,
    track,
    pump: rounds.soon,
    isStopping: () => isStopping,
    count: () => working.size,
    letGo,
  };
  let isStopping = false;
  let stopping: Promise<void> | undefined;

  function letGo(jobId: string): void {
    working.delete(jobId);
    expiry.letGo(jobId);
    if (working.size > 0) return;
    leases.stop();
    rounds.stop();
  }

  return {
    async take(jobId) {
      const present = working.get(jobId);
      if (present !== undefined) {
        present.call();
        return present.ended;
      }
      const record = await jobs.getJob(jobId, Date.now());
      if (record === null || record.state !== "scraping") return;
      if (isStopping) throw new Error("The worker has stopped");
      const raced = working.get(jobId);
      if (raced !== undefined) return raced.ended;
      const job = takeUp(record, parts, duties);
      working.set(jobId, job);
      expiry.keep(record);
      leases.start();
      track(job.open());
      return job.ended;
    },
    abandon: (jobId, reason) => working.get(jobId)?.stop(reason),
    wake: rounds.soon,
    isWorking: (jobId) => working.has(jobId),
    stop(reason) {
      isStopping = true;
      stopping ??= (async () => {
        rounds.stop();
        for (const job of [...working.values()]) job.stop(reason, { error: reason });
        await drain();
        await leases.giveBackAll();
      })();
      return stopping;
    },
  };
}
