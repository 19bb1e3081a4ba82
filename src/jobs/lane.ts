import type { JobRecord, LeasedPage } from "../ports/job-store.ts";
import type { TelemetrySpan } from "../ports/telemetry.ts";
import { type Asking, createAsking } from "./asking.ts";
import type { HostDelays } from "./host-delays.ts";
import type { Hosts } from "./hosts.ts";
import type { Claim } from "./lease-keeper.ts";
import type { Readers } from "./readers.ts";

/**
 * One job on which this engine is working: the pages it has leased but not begun, how many are running, and when the
 * next may start. `lanes.ts` decides which lane goes next.
 */
export interface Lane {
  readonly jobId: string;
  /** Most pages of this job at once. */
  readonly maxConcurrency: number;
  /** Milliseconds between the end of a page and the start of the next; more than 0 means one page at a time. */
  delayMs: number;
  /** The delays of single hosts, in addition. Absent: none. */
  hostDelays: HostDelays | undefined;
  /** Leased pages that have not begun. */
  readonly waiting: WaitingPage[];
  running: number;
  /** No page starts before this time, as `performance.now()` gives it. */
  notBefore: number;
  /** When the storage is asked for further pages. */
  readonly asking: Asking;
  claiming: boolean;
  /** Results so far. */
  listed: number;
  /** The span of the job, whose children are its pages. */
  readonly span: TelemetrySpan;
  /** Fires when the job has ended, here or elsewhere, or the engine closes. */
  readonly stop: AbortController;
}

export interface WaitingPage {
  readonly page: LeasedPage;
  readonly host: string;
  readonly claim: Claim;
}

export function createLane(job: JobRecord, maxConcurrency: number, span: TelemetrySpan): Lane {
  return {
    jobId: job.id,
    maxConcurrency,
    delayMs: 0,
    hostDelays: undefined,
    waiting: [],
    running: 0,
    notBefore: 0,
    asking: createAsking(),
    claiming: false,
    listed: job.listed,
    span,
    stop: new AbortController(),
  };
}

/** Most leased pages of hosts that want to be left alone. */
const mostHeldBack = 1000;

/**
 * Number of leased pages that may start soon. Pages of a host that wants to be left alone do not count, so that they do
 * not keep others from being leased.
 */
function pagesAtHand({ waiting, hostDelays }: Lane, enough: number, hosts: Hosts, now: number): number {
  const mayBeHeldBack = hosts.arePaused || hostDelays?.areAny === true;
  if (!mayBeHeldBack || waiting.length < enough || waiting.length >= mostHeldBack) return waiting.length;
  return waiting.filter(({ host }) => !hosts.isPaused(host, now) && hostDelays?.isFree(host, now) !== false).length;
}

/**
 * How many pages to lease for the lane now: none while those at hand suffice, otherwise some in advance. The more jobs
 * share the room of a team, the fewer are enough for each.
 *
 * @param jobs how many jobs of the team are in progress, at least this one
 */
export function pagesToLease(lane: Lane, jobs: number, hosts: Hosts, now: number): number {
  if (lane.asking.next > now || lane.claiming || lane.stop.signal.aborted) return 0;
  const enough = lane.delayMs > 0 ? 1 : Math.ceil(lane.maxConcurrency / Math.max(1, jobs / 2));
  const atHand = pagesAtHand(lane, enough, hosts, now);
  return atHand < enough ? 2 * enough - atHand : 0;
}

/** Takes the next page that may start now, or null. */
export function takePage(lane: Lane, hosts: Hosts, readers: Readers, now: number): WaitingPage | null {
  if (lane.stop.signal.aborted || lane.waiting.length === 0) return null;
  const most = lane.delayMs > 0 ? 1 : lane.maxConcurrency;
  if (lane.running >= most || lane.notBefore > now) return null;
  // Most jobs concern one host: if that is busy, its hundred waiting pages are skipped quickly.
  let busyHost = "";
  const index = lane.waiting.findIndex(({ host }) => {
    if (host === busyHost) return false;
    if (hosts.isFree(host, now) && lane.hostDelays?.isFree(host, now) !== false) return true;
    busyHost = host;
    return false;
  });
  if (index === -1) return null;
  if (readers.isBehind(lane.jobId, lane.listed + lane.running, 2 * lane.maxConcurrency)) return null;
  return lane.waiting.splice(index, 1)[0] ?? null;
}

/** A page begins that was taken; when it does. */
export function countIn(lane: Lane, hosts: Hosts, host: string): number {
  lane.running++;
  lane.hostDelays?.began(host);
  if (lane.delayMs > 0) lane.notBefore = Number.POSITIVE_INFINITY;
  return hosts.enter(host);
}

interface EndedPage {
  /** As {@link countIn} returned it. */
  readonly begunAt: number;
  /** False if it did not come from its host. */
  readonly isAsked: boolean;
}

/** A page has ended. */
export function countOut(lane: Lane, hosts: Hosts, host: string, { begunAt, isAsked }: EndedPage): void {
  const now = performance.now();
  lane.running--;
  hosts.leave(host, begunAt);
  lane.hostDelays?.ended(host, now, isAsked);
  lane.notBefore = lane.delayMs > 0 && isAsked ? now + lane.delayMs : 0;
}
