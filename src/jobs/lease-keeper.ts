/** Claims pages, renews their leases while they are waiting or worked on, and gives back the others. */
import type { JobStore, LeasedPage, PageLease } from "../ports/job-store.ts";
import { outside } from "../shared/outside.ts";

/** Milliseconds that a lease lasts unless it is renewed; a dead process holds its pages no longer than that. */
const leaseMs = 15_000;
const heartbeatMs = 4_000;

/**
 * Pages that were leased together, under a name of their own. Only claims that are known here are renewed: a lease
 * whose claim was never answered expires, instead of being kept alive for nobody.
 */
export interface Claim {
  readonly holder: string;
  readonly pages: readonly LeasedPage[];
  /** How many of the pages are not finished. */
  open: number;
}

export interface LeaseKeeper {
  /** Renews the leases from now on. */
  start(): void;
  stop(): void;
  claim(jobId: string, count: number, maxDepth: number | undefined): Promise<Claim>;
  /** The work on one of its pages is done; the lease is used up, or void. */
  end(claim: Claim): void;
  /**
   * The storage failed in the middle of a page's work; the page is given back with the next heartbeat.
   *
   * @param onBack called when it has been
   */
  giveBackLater(claim: Claim, lease: PageLease, onBack: () => void): void;
  /** Gives back at once the pages still leased; those in progress can no longer be completed. */
  giveBack(claim: Claim): Promise<void>;
  /** Gives back all, and rejects if that failed for some. */
  giveBackAll(): Promise<void>;
}

interface LeaseKeeperParts {
  readonly jobs: JobStore;
  /** The time by which leases end. */
  readonly clock: () => number;
  /** The name of a claim is this and a number. */
  readonly worker: string;
  /** Follows work that begins at a heartbeat to its end. */
  readonly track: (work: Promise<void>) => void;
  readonly onHeartbeat: () => void;
}

export function createLeaseKeeper({ jobs, clock, worker, track, onHeartbeat }: LeaseKeeperParts): LeaseKeeper {
  // A list rather than a map, whose old tables would keep entries alive (see "Time and memory" in
  // `docs/architecture.md`).
  const claims: Claim[] = [];
  const brokenOff = new Map<PageLease, { readonly claim: Claim; readonly onBack: () => void }>();
  let count = 0;
  let heartbeat: NodeJS.Timeout | undefined;

  function forget(claim: Claim): void {
    const place = claims.indexOf(claim);
    if (place !== -1) claims.splice(place, 1);
  }

  function end(claim: Claim): void {
    if (--claim.open === 0) forget(claim);
  }

  // Async, so that a storage which throws does not throw into a timer.
  async function renew({ holder }: Claim): Promise<void> {
    await jobs.renewLeases(holder, clock() + leaseMs);
  }

  async function giveBackBroken(lease: PageLease): Promise<void> {
    await jobs.retryPage(lease, clock());
    const broken = brokenOff.get(lease);
    if (broken === undefined) return;
    brokenOff.delete(lease);
    end(broken.claim);
    broken.onBack();
  }

  async function giveBack(claim: Claim): Promise<void> {
    forget(claim);
    await jobs.releaseLeases(claim.holder);
  }

  function beat(): void {
    for (const claim of claims) track(renew(claim));
    for (const lease of brokenOff.keys()) track(giveBackBroken(lease));
    onHeartbeat();
  }

  return {
    start() {
      heartbeat ??= outside(setInterval, beat, heartbeatMs);
    },
    stop() {
      clearInterval(heartbeat);
      heartbeat = undefined;
    },
    async claim(jobId, most, maxDepth) {
      const holder = `${worker}/${++count}`;
      const now = clock();
      const request = { worker: holder, count: most, now, leaseUntil: now + leaseMs, maxDepth };
      const pages = await jobs.claimPages(jobId, request);
      const claim = { holder, pages, open: pages.length };
      if (pages.length > 0) claims.push(claim);
      return claim;
    },
    end,
    giveBackLater: (claim, lease, onBack) => void brokenOff.set(lease, { claim, onBack }),
    giveBack,
    async giveBackAll() {
      const failures: unknown[] = [];
      for (const claim of [...claims]) await giveBack(claim).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}
