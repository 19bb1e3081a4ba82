/**
 * Works on jobs: takes them up when their tasks come, lets them begin pages as fairness, hosts and delays allow, and
 * keeps their leases. Everything that must last is in the storage; the state here can be lost.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { errorText } from "../shared/error-text.ts";
import { Turn } from "../shared/turn.ts";
import { createAlarm } from "./alarm.ts";
import { createBackground } from "./background.ts";
import { createExpiryKeeper } from "./expiry-keeper.ts";
import { createLeaseKeeper } from "./lease-keeper.ts";
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

export function createWorker(name: string, parts: WorkerParts): Worker {
  const { jobs, hosts, logger, lanes } = parts;
  const working = new Map<string, TakenJob>();
  // A defect is logged, and the job stays resumable.
  const { track, drain } = createBackground((error) => {
    if (stopping === undefined) logger.error("work on a job failed", { error: errorText(error) });
  });
  const leases = createLeaseKeeper({
    jobs,
    clock: parts.clock,
    worker: name,
    track,
    onHeartbeat() {
      for (const job of working.values()) track(job.look());
      pump();
    },
  });
  const alarm = createAlarm(working, hosts, pump);
  const expiry = createExpiryKeeper({ jobs, jobTtlMs: parts.jobTtlMs, track });
  const duties = { leases, track, pump, isStopping: () => stopping !== undefined, letGo };
  let pumping = false;
  let stopping: Promise<void> | undefined;

  /**
   * It is asked for whenever a page or a claim ends, often many times at once, and goes over all jobs; so it runs once
   * for all of these. In the next turn of the event loop: pages that end without waiting for anything, because their
   * addresses are refused, would otherwise follow each other without giving way to the host.
   */
  function pump(): void {
    if (pumping || stopping !== undefined) return;
    pumping = true;
    track(nextTurn().then(beginPages));
  }

  function beginPages(): void {
    pumping = false;
    if (stopping !== undefined) return;
    const turn = new Turn();
    if (lanes.begin(performance.now(), () => turn.isOver())) return pump();
    for (const job of working.values()) job.refill();
    alarm.set();
  }

  function letGo(jobId: string): void {
    working.delete(jobId);
    expiry.letGo(jobId);
    if (working.size > 0) return;
    leases.stop();
    alarm.stop();
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
      if (stopping !== undefined) throw new Error("The worker has stopped");
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
    wake: pump,
    isWorking: (jobId) => working.has(jobId),
    stop(reason) {
      stopping ??= (async () => {
        for (const job of [...working.values()]) job.stop(reason, { error: reason });
        await drain();
        await leases.giveBackAll();
      })();
      return stopping;
    },
  };
}
