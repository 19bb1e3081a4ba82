/**
 * Works on jobs: leases pages in batches, starts them as fairness, hosts and delays allow, and ends a job when its last
 * page is done. Everything that must last is in the storage; the state here can be lost.
 */

import { setTimeout as delay } from "node:timers/promises";
import type { JobRecord, JobStore } from "../ports/job-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { errorText } from "../shared/error-text.ts";
import { createAlarm } from "./alarm.ts";
import { createBackground } from "./background.ts";
import { createExpiryKeeper } from "./expiry-keeper.ts";
import { type Hosts, hostOf } from "./hosts.ts";
import type { JobWork } from "./job-work.ts";
import { createLane, type Lane, pagesAtHand, takePage, type WaitingPage } from "./lane.ts";
import type { Entrant, Lanes } from "./lanes.ts";
import { createLeaseKeeper } from "./lease-keeper.ts";
import type { Pace } from "./pace.ts";
import type { Progress } from "./progress.ts";
import type { Readers } from "./readers.ts";

interface WorkerParts {
  readonly jobs: JobStore;
  readonly hosts: Hosts;
  readonly readers: Readers;
  readonly progress: Progress;
  readonly pace: Pace;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly lanes: Lanes;
  readonly maxConcurrency: number;
  readonly jobTtlMs: number;
  /** Reads the job's request and makes its work. */
  open(job: JobRecord): JobWork;
}

/** How long to wait before the seeds of a job are admitted once more. */
const expandAgainMs = 1000;

interface Job extends Entrant {
  readonly lane: Lane;
  readonly work: JobWork;
  readonly ended: PromiseWithResolvers<void>;
  closing: boolean;
  /** How many tasks came for the job while it was in progress: with each, pages may have been added. */
  calls: number;
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
  const { jobs, hosts, readers, progress, pace, logger, lanes } = parts;
  const working = new Map<string, Job>();
  // A defect is logged, and the job stays resumable.
  const { track, drain } = createBackground((error) => {
    if (stopping === undefined) logger.error("work on a job failed", { error: errorText(error) });
  });
  const leases = createLeaseKeeper({
    jobs,
    worker: name,
    track,
    onHeartbeat() {
      for (const jobId of working.keys()) track(lookAt(jobId));
      pump();
    },
  });
  const alarm = createAlarm(working, hosts, pump);
  const expiry = createExpiryKeeper({ jobs, jobTtlMs: parts.jobTtlMs, track });
  let pumping = false;
  let stopping: Promise<void> | undefined;

  /**
   * It is asked for whenever a page or a claim ends, often many times at once, and goes over all jobs; so it runs once
   * for all of these.
   */
  function pump(): void {
    if (pumping || stopping !== undefined) return;
    pumping = true;
    track(Promise.resolve().then(beginPages));
  }

  function beginPages(): void {
    pumping = false;
    if (stopping !== undefined) return;
    const now = performance.now();
    while (lanes.beginNext(now));
    for (const { lane } of working.values()) if (wantsPages(lane)) track(claim(lane));
    alarm.set();
  }

  function wantsPages(lane: Lane): boolean {
    if (lane.dry || lane.claiming || lane.stop.signal.aborted) return false;
    return pagesAtHand(lane, hosts, performance.now()) < lane.maxConcurrency;
  }

  async function claim(lane: Lane): Promise<void> {
    lane.claiming = true;
    try {
      const count = Math.max(1, 2 * lane.maxConcurrency - pagesAtHand(lane, hosts, performance.now()));
      const claim = await leases.claim(lane.jobId, count);
      // The job has meanwhile ended here and been opened again.
      if (working.get(lane.jobId)?.lane !== lane) return void (await leases.giveBack(claim));
      for (const page of claim.pages) lane.waiting.push({ page, host: hostOf(page.url), claim });
      lane.dry = claim.pages.length < count;
    } finally {
      lane.claiming = false;
    }
    if (lane.dry && lane.waiting.length === 0 && lane.running === 0) await closeIfDone(lane);
    pump();
  }

  function start(lane: Lane, begun: WaitingPage): void {
    lane.running++;
    pace.began();
    hosts.enter(begun.host);
    lane.hostDelays?.began(begun.host);
    if (lane.delayMs > 0) lane.notBefore = Number.POSITIVE_INFINITY;
    track(run(lane, begun));
  }

  async function run(lane: Lane, { page, host, claim }: WaitingPage): Promise<void> {
    try {
      const end = await working.get(lane.jobId)?.work.workPage(lane, page);
      // Once the engine stops, pages that were broken off are given back together.
      if (stopping === undefined) leases.end(claim);
      if (end === undefined) return;
      if (end.listed) lane.listed++;
      if (end.more) lane.dry = false;
      if (end.fenced) await lookAt(lane.jobId);
      if (end.listed) progress.notify(lane.jobId);
    } catch (error) {
      if (stopping === undefined) leases.giveBackLater(claim, page.lease);
      throw error;
    } finally {
      lane.running--;
      pace.ended();
      hosts.leave(host);
      lane.hostDelays?.ended(host, performance.now());
      lane.notBefore = lane.delayMs > 0 ? performance.now() + lane.delayMs : 0;
      // Not earlier: pages that end in one commit would each find the other still running.
      if (lane.running === 0 && lane.waiting.length === 0) track(closeIfDone(lane));
      pump();
    }
  }

  /** Whoever finds that nothing is open ends the job; the storage lets exactly one caller do so. */
  async function closeIfDone(lane: Lane): Promise<void> {
    const job = working.get(lane.jobId);
    if (job === undefined || job.closing || lane.stop.signal.aborted) return;
    const record = await jobs.getJob(lane.jobId, Date.now());
    if (record !== null && record.state === "scraping" && (record.openPages > 0 || record.expanding)) return;
    job.closing = true;
    try {
      if (record?.state === "scraping") await job.work.finish(record);
    } finally {
      job.closing = false;
    }
    if (await retireIfEnded(job)) return;
    // There are more pages after all.
    lane.dry = false;
    pump();
  }

  /** Has the job ended elsewhere? */
  async function lookAt(jobId: string): Promise<void> {
    const job = working.get(jobId);
    if (job !== undefined) await retireIfEnded(job);
  }

  /**
   * Lets go of a job that has ended. A batch may be opened again at any time, which brings a task for it: then the
   * storage is asked again. Nothing happens between its answer and letting go, so no task is lost.
   */
  async function retireIfEnded(job: Job): Promise<boolean> {
    let record: JobRecord | null;
    let calls: number;
    do {
      calls = job.calls;
      record = await jobs.getJob(job.lane.jobId, Date.now());
    } while (job.calls !== calls);
    if (record?.state === "scraping") return false;
    retire(job);
    return true;
  }

  function retire(job: Job, failure?: { readonly error: unknown }): void {
    // It may already have been let go of, and taken up again since.
    if (working.get(job.lane.jobId) !== job) return;
    working.delete(job.lane.jobId);
    expiry.letGo(job.lane.jobId);
    // Work still in progress for it, such as reading sitemaps, would hold up a closing engine.
    job.lane.stop.abort(new Error("the job has ended"));
    lanes.remove(job);
    job.lane.span.end();
    progress.notify(job.lane.jobId);
    const left = new Set(job.lane.waiting.splice(0).map(({ claim }) => claim));
    for (const claim of left) track(leases.giveBack(claim));
    if (failure === undefined) job.ended.resolve();
    else job.ended.reject(failure.error);
    if (working.size > 0) return;
    leases.stop();
    alarm.stop();
  }

  /** Repeats until the seeds are admitted: a storage that fails now may soon work again. */
  async function expand(job: Job): Promise<void> {
    const { lane, work } = job;
    try {
      await work.expand(lane);
    } catch (error) {
      if (lane.stop.signal.aborted) return;
      logger.error("the seeds of a job could not be admitted", { jobId: lane.jobId, error: errorText(error) });
      await delay(expandAgainMs, undefined, { signal: lane.stop.signal }).catch(() => {});
      if (!lane.stop.signal.aborted) track(expand(job));
    } finally {
      lane.dry = false;
      pump();
    }
  }

  async function begin(job: Job): Promise<void> {
    const { lane, work } = job;
    try {
      await work.prepare(lane);
    } catch (error) {
      // Cancelled meanwhile.
      if (lane.stop.signal.aborted) return;
      // Whoever delivered the task delivers it again.
      retire(job, { error });
      throw error;
    }
    if (lane.stop.signal.aborted) return;
    lanes.add(job);
    if (lane.job.expanding) track(expand(job));
    pump();
  }

  return {
    async take(jobId) {
      const present = working.get(jobId);
      if (present !== undefined) {
        // Pages may have been added to it.
        present.calls++;
        present.lane.dry = false;
        pump();
        return present.ended.promise;
      }
      const record = await jobs.getJob(jobId, Date.now());
      if (record === null || record.state !== "scraping") return;
      if (stopping !== undefined) throw new Error("The worker has stopped");
      const raced = working.get(jobId);
      if (raced !== undefined) return raced.ended.promise;
      const work = parts.open(record);
      const lane = createLane(
        record,
        Math.min(work.maxConcurrency ?? parts.maxConcurrency, parts.maxConcurrency),
        parts.telemetry.begin("crawlcore.job", { kind: record.kind, team: record.team, jobId }),
      );
      const job: Job = {
        lane,
        work,
        ended: Promise.withResolvers(),
        closing: false,
        calls: 0,
        team: record.team,
        get running() {
          return lane.running;
        },
        begin(now) {
          const next = pace.mayBegin() ? takePage(lane, hosts, readers, now) : null;
          if (next !== null) start(lane, next);
          return next !== null;
        },
      };
      working.set(jobId, job);
      expiry.keep(record);
      leases.start();
      track(begin(job));
      return job.ended.promise;
    },
    abandon(jobId, reason) {
      const job = working.get(jobId);
      if (job === undefined) return;
      job.lane.stop.abort(reason);
      retire(job);
    },
    wake: pump,
    isWorking: (jobId) => working.has(jobId),
    stop(reason) {
      stopping ??= (async () => {
        for (const job of [...working.values()]) {
          job.lane.stop.abort(reason);
          retire(job, { error: reason });
        }
        await drain();
        await leases.giveBackAll();
      })();
      return stopping;
    },
  };
}
