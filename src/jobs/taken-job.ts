/**
 * One job that this engine has taken up: opens it, leases its pages in batches and works on them, ends it when its last
 * page is done, and lets go of it when it has ended.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { JobRecord, JobStore } from "../ports/job-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { errorText } from "../shared/error-text.ts";
import { admitSeeds } from "./admit-seeds.ts";
import { createEnding } from "./ending.ts";
import { type Hosts, hostOf } from "./hosts.ts";
import type { JobWork } from "./job-work.ts";
import { countIn, countOut, createLane, type Lane, pagesToLease, takePage, type WaitingPage } from "./lane.ts";
import type { Entrant, Lanes } from "./lanes.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import type { Pace } from "./pace.ts";
import type { Progress } from "./progress.ts";
import type { Readers } from "./readers.ts";
import { Caution } from "./suspects.ts";

export interface TakenJobParts {
  readonly jobs: JobStore;
  readonly hosts: Hosts;
  readonly readers: Readers;
  readonly progress: Progress;
  readonly pace: Pace;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly lanes: Lanes;
  readonly maxConcurrency: number;
  /** Called when the job is not there any more; it may have expired, and should be ended. */
  onGone(): void;
  /** Reads the job's request and makes its work. */
  open(job: JobRecord): JobWork;
}

/** What the worker does for all its jobs. */
interface WorkerDuties {
  readonly leases: Omit<LeaseKeeper, "start" | "stop" | "giveBackAll">;
  /** Follows work in the background to its end. */
  track(work: Promise<void>): void;
  /** Begins what may begin, and has jobs lease pages, a moment later. */
  pump(): void;
  isStopping(): boolean;
  /** How many jobs there are. */
  count(): number;
  /** Forgets the job. */
  letGo(jobId: string): void;
}

export interface TakenJob {
  readonly lane: Lane;
  /** Resolves when the job has ended; rejects if the work on it stops before that. */
  readonly ended: Promise<void>;
  /** Prepares the job; then it takes part in the turns. Called once. */
  open(): Promise<void>;
  /** A task came for the job: pages may have been added to it. */
  call(): void;
  /** Leases pages if few are at hand. */
  refill(): void;
  /** Lets go of the job if it has ended elsewhere. Called at each heartbeat. */
  look(): Promise<void>;
  /** Stops the work and lets go of the job. */
  stop(reason: unknown, failure?: Failure): void;
}

/** What `ended` rejects with. */
interface Failure {
  readonly error: unknown;
}

export function takeUp(record: JobRecord, parts: TakenJobParts, duties: WorkerDuties): TakenJob {
  const { jobs, hosts, readers, progress, pace, logger, lanes } = parts;
  const { leases, track, pump } = duties;
  const { id: jobId, team, kind } = record;
  /**
   * The async context in which the job was taken up: in this process, that of the call that started it. A page begins,
   * and further ones are leased, whenever something has happened, which may be in the context of another caller.
   */
  const inContext = AsyncLocalStorage.snapshot();
  const work = parts.open(record);
  const lane = createLane(
    record,
    Math.min(work.maxConcurrency ?? parts.maxConcurrency, parts.maxConcurrency),
    parts.telemetry.begin("crawlcore.job", { kind, team, jobId }),
  );
  /** Fires when the job is let go of. */
  const { signal } = lane.stop;
  const entrant: Entrant = {
    team,
    kind: "job",
    get running() {
      return lane.running;
    },
    begin(now) {
      const next = pace.mayBegin() ? takePage(lane, hosts, readers, now) : null;
      if (next === null) return false;
      pace.began();
      track(inContext(run, next, countIn(lane, hosts, next.host)));
      return true;
    },
  };
  const ended = Promise.withResolvers<void>();
  const caution = new Caution();
  const ending = createEnding({
    jobs,
    jobId,
    signal,
    finish: (job) => work.finish(job),
    onMore: expectMore,
    onEnd(isGone) {
      if (isGone) parts.onGone();
      letGo();
    },
  });

  /** The storage may have more pages than it had when it was last asked. */
  function expectMore(): void {
    lane.asking.soon();
    pump();
  }

  const isIdle = (): boolean => lane.running === 0 && lane.waiting.length === 0;

  async function open(): Promise<void> {
    try {
      await work.prepare(lane);
    } catch (error) {
      // Cancelled meanwhile.
      if (signal.aborted) return;
      // Whoever delivered the task delivers it again.
      letGo(undefined, { error });
      throw error;
    }
    if (signal.aborted) return;
    lanes.add(entrant);
    if (record.expanding) track(expand());
    pump();
  }

  async function expand(): Promise<void> {
    lane.asking.isExpecting = true;
    await admitSeeds(
      {
        admit: () => work.expand(lane),
        goWithout: () => jobs.finishExpansion(jobId),
        onTried: expectMore,
        onFailure: (error) =>
          logger.error("the seeds of a job could not be admitted", { jobId, error: errorText(error) }),
      },
      signal,
    );
    lane.asking.isExpecting = false;
  }

  async function claim(count: number): Promise<void> {
    lane.claiming = true;
    lane.asking.begin(performance.now());
    let found = 0;
    try {
      const claim = await leases.claim(jobId, count, work.depths?.most);
      found = claim.pages.length;
      // The job has meanwhile ended.
      if (signal.aborted) return void (await leases.giveBack(claim));
      if (caution.admits(claim.pages, isIdle())) {
        for (const page of claim.pages) lane.waiting.push({ page, host: hostOf(page.url), claim });
      } else {
        found = 0;
        await leases.giveBack(claim);
      }
    } finally {
      lane.claiming = false;
      lane.asking.end(performance.now(), { found, wanted: count, jobs: duties.count() });
    }
    if (found < count && isIdle()) {
      if (caution.isOn) lane.asking.soon();
      await ending.closeIfDone();
      if (!signal.aborted && (await work.depths?.advance())) lane.asking.soon();
    }
  }

  async function run({ page, host, claim }: WaitingPage, begunAt: number): Promise<void> {
    let isAsked = true;
    try {
      const end = await work.workPage(lane, page);
      isAsked = end.unasked !== true;
      if (end.listed) lane.listed++;
      if (end.moreInMs !== undefined) lane.asking.after(end.moreInMs);
      if (end.fenced) await ending.look();
      // Once the engine stops, pages that were broken off are given back together.
      if (!duties.isStopping()) leases.end(claim);
      if (end.listed) progress.notify(jobId, "page");
    } catch (error) {
      // The job has been let go of, and the page with it.
      const isBrokenOff = signal.aborted && error === signal.reason;
      if (!duties.isStopping()) {
        if (isBrokenOff) leases.end(claim);
        else leases.giveBackLater(claim, page.lease, expectMore);
      }
      if (!isBrokenOff) throw error;
    } finally {
      pace.ended();
      countOut(lane, hosts, host, { begunAt, isAsked });
      lanes.ended(entrant);
      // Not earlier: pages that end in one commit would each find the other still running.
      if (isIdle()) {
        // The next one, or the pages of the next depth, have waited for that.
        if (caution.isOn || work.depths?.isOrdered) lane.asking.soon();
        track(ending.closeIfDone());
      }
      pump();
    }
  }

  function letGo(reason: unknown = new Error("the job has ended"), failure?: Failure): void {
    if (signal.aborted) return;
    duties.letGo(jobId);
    // Work still in progress for it, such as reading sitemaps, would hold up a closing engine.
    lane.stop.abort(reason);
    lanes.remove(entrant);
    // Others of the team may have waited for its places.
    pump();
    lane.span.end();
    progress.notify(jobId, "end");
    const left = new Set(lane.waiting.splice(0).map(({ claim }) => claim));
    // Once the engine stops, all are given back together: others of their pages may be just about to be stored.
    if (!duties.isStopping()) for (const claim of left) track(leases.giveBack(claim));
    if (failure === undefined) ended.resolve();
    else ended.reject(failure.error);
  }

  return {
    lane,
    ended: ended.promise,
    open,
    call() {
      ending.call();
      expectMore();
    },
    refill() {
      const count = pagesToLease(lane, lanes.countJobs(team), hosts, performance.now());
      if (count === 0 || (caution.isOn && !isIdle())) return;
      // Whether the storage has answered or failed, it may have to be asked again.
      track(inContext(claim, caution.isOn ? 1 : count).finally(pump));
    },
    look: () => inContext(ending.look),
    stop: letGo,
  };
}
