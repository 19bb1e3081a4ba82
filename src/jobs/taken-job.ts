/**
 * One job that this engine has taken up: opens it, leases its pages in batches and works on them, ends it when its last
 * page is done, and lets go of it when it has ended.
 */
import type { JobRecord, JobStore } from "../ports/job-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { errorText } from "../shared/error-text.ts";
import { type Hosts, hostOf } from "./hosts.ts";
import type { JobWork } from "./job-work.ts";
import { countIn, countOut, createLane, type Lane, pagesToLease, takePage, type WaitingPage } from "./lane.ts";
import type { Entrant, Lanes } from "./lanes.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import type { Pace } from "./pace.ts";
import type { Progress } from "./progress.ts";
import type { Readers } from "./readers.ts";
import { isSuspect } from "./suspects.ts";

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

/**
 * How long to wait before the seeds of a job are admitted once more; longer each time, because their site is asked for
 * them again, too.
 */
const expandAgainMs = { first: 1000, most: 10_000 };
/** How often it is tried to admit the seeds: a storage that is away has a minute and a half to come back. */
const mostExpansions = 13;

export function takeUp(record: JobRecord, parts: TakenJobParts, duties: WorkerDuties): TakenJob {
  const { jobs, hosts, readers, progress, pace, logger, lanes } = parts;
  const { leases, track, pump } = duties;
  const { id: jobId, team, kind } = record;
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
      track(run(next, countIn(lane, hosts, next.host)));
      return true;
    },
  };
  const ended = Promise.withResolvers<void>();
  let closing = false;
  /** The storage did not accept the end of the job; it is asked again after a heartbeat. */
  let isEndRefused = false;
  /** How many pages are still to be leased one by one, because one among them may kill the process. */
  let careful = 0;
  /** How many tasks came for the job while it was in progress: with each, pages may have been added. */
  let calls = 0;

  /** The storage may have more pages than it had when it was last asked. */
  function expectMore(): void {
    lane.asking.soon();
    pump();
  }

  const isIdle = (): boolean => lane.running === 0 && lane.waiting.length === 0;

  function askIn(milliseconds: number): void {
    if (milliseconds === 0) lane.asking.soon();
    else lane.asking.at(performance.now() + milliseconds);
  }

  async function open(): Promise<void> {
    try {
      await work.prepare(lane);
    } catch (error) {
      // Cancelled meanwhile.
      if (signal.aborted) return;
      // Whoever delivered the task delivers it again.
      letGo(jobEnded(), { error });
      throw error;
    }
    if (signal.aborted) return;
    lanes.add(entrant);
    if (record.expanding) track(expand());
    pump();
  }

  /**
   * Repeats until the seeds are admitted: a storage that fails now may soon work again. After the last try, the job goes
   * on with the pages that it has.
   */
  async function expand(count = 1): Promise<void> {
    lane.asking.isExpecting = true;
    try {
      if (count > mostExpansions) await jobs.finishExpansion(jobId);
      else await work.expand(lane);
      lane.asking.isExpecting = false;
    } catch (error) {
      if (signal.aborted) return;
      logger.error("the seeds of a job could not be admitted", { jobId, error: errorText(error) });
      const waitMs = Math.min(expandAgainMs.first * 2 ** (count - 1), expandAgainMs.most);
      const timer = setTimeout(() => track(expand(count + 1)), waitMs);
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    } finally {
      expectMore();
    }
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
      if (careful > 0) careful--;
      const isAlone = found === 1 && isIdle();
      const hasSuspect = claim.pages.some(isSuspect);
      if (hasSuspect) careful = Math.max(careful, found);
      if (hasSuspect && !isAlone) {
        found = 0;
        await leases.giveBack(claim);
      } else {
        for (const page of claim.pages) lane.waiting.push({ page, host: hostOf(page.url), claim });
      }
    } finally {
      lane.claiming = false;
      lane.asking.end(performance.now(), { found, wanted: count, jobs: duties.count() });
    }
    if (found < count && isIdle()) {
      if (careful > 0) lane.asking.soon();
      await closeIfDone();
      if (!signal.aborted && (await work.depths?.advance())) lane.asking.soon();
    }
    pump();
  }

  async function run({ page, host, claim }: WaitingPage, begunAt: number): Promise<void> {
    let isAsked = true;
    try {
      const end = await work.workPage(lane, page);
      isAsked = end.unasked !== true;
      if (end.listed) lane.listed++;
      if (end.moreInMs !== undefined) askIn(end.moreInMs);
      if (end.fenced) await look();
      // Once the engine stops, pages that were broken off are given back together.
      if (!duties.isStopping()) leases.end(claim);
      if (end.listed) progress.notify(jobId, "page");
    } catch (error) {
      if (!duties.isStopping()) leases.giveBackLater(claim, page.lease, expectMore);
      throw error;
    } finally {
      pace.ended();
      countOut(lane, hosts, host, { begunAt, isAsked });
      lanes.ended(entrant);
      // Not earlier: pages that end in one commit would each find the other still running.
      if (isIdle()) {
        // The next one, or the pages of the next depth, have waited for that.
        if (careful > 0 || work.depths !== undefined) lane.asking.soon();
        track(closeIfDone());
      }
      pump();
    }
  }

  /** Whoever finds that nothing is open ends the job; the storage lets exactly one caller do so. */
  async function closeIfDone(): Promise<void> {
    if (closing || isEndRefused || signal.aborted) return;
    const found = await jobs.getJob(jobId, Date.now());
    if (found !== null && found.state === "scraping" && (found.openPages > 0 || found.expanding)) return;
    closing = true;
    try {
      if (found?.state === "scraping") await work.finish(found);
    } catch (error) {
      isEndRefused = true;
      throw error;
    } finally {
      closing = false;
    }
    // If it has not ended, there are more pages after all.
    if (!(await letGoIfEnded())) expectMore();
  }

  /** Has the job ended elsewhere? */
  async function look(): Promise<void> {
    isEndRefused = false;
    if (!signal.aborted) await letGoIfEnded();
  }

  /**
   * A batch may be opened again at any time, which brings a task for it: then the storage is asked again. Nothing
   * happens between its answer and letting go, so no task is lost.
   */
  async function letGoIfEnded(): Promise<boolean> {
    let found: JobRecord | null;
    let known: number;
    do {
      known = calls;
      found = await jobs.getJob(jobId, Date.now());
    } while (calls !== known);
    if (found?.state === "scraping") return false;
    if (found === null) parts.onGone();
    letGo(jobEnded());
    return true;
  }

  function letGo(reason: unknown, failure?: Failure): void {
    if (signal.aborted) return;
    duties.letGo(jobId);
    // Work still in progress for it, such as reading sitemaps, would hold up a closing engine.
    lane.stop.abort(reason);
    lanes.remove(entrant);
    lane.span.end();
    progress.notify(jobId, "end");
    const left = new Set(lane.waiting.splice(0).map(({ claim }) => claim));
    for (const claim of left) track(leases.giveBack(claim));
    if (failure === undefined) ended.resolve();
    else ended.reject(failure.error);
  }

  return {
    lane,
    ended: ended.promise,
    open,
    call() {
      calls++;
      expectMore();
    },
    refill() {
      const count = pagesToLease(lane, lanes.countJobs(team), hosts, performance.now());
      if (count > 0 && (careful === 0 || isIdle())) track(claim(careful > 0 ? 1 : count));
    },
    look,
    stop: letGo,
  };
}

function jobEnded(): Error {
  return new Error("the job has ended");
}
