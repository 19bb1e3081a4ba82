/** Claims pages, keeps their leases alive while they are worked on or wait for it, and gives back the others. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { JobStore, LeasedPage, PageLease } from "../ports/job-store.ts";

/** A lease lasts this long unless it is renewed, so a dead process holds its pages no longer. */
const leaseMs = 15_000;
const heartbeatMs = 4_000;

export interface LeaseKeeper {
  /** Renews the leases from now on. */
  start(): void;
  stop(): void;
  claim(jobId: string, count: number): Promise<LeasedPage[]>;
  /** The work on a page is done; its lease is used up, or void. */
  end(lease: PageLease): void;
  /** The storage failed in the middle of a page's work; it hears of the page again with the next heartbeat. */
  giveBackLater(lease: PageLease): void;
  /** Gives back at once what was claimed together with these, none of which is being worked on. */
  giveBack(leases: readonly PageLease[]): Promise<void>;
  giveBackAll(): Promise<void>;
}

export interface LeaseKeeperParts {
  readonly jobs: JobStore;
  /** The leases of each claim are held under this and a number. */
  readonly worker: string;
  /** Follows what is begun at a heartbeat to its end. */
  readonly track: (task: Promise<void>) => void;
  readonly onHeartbeat: () => void;
}

/** Says which process a lease belongs to, so that a restart on the same machine need not wait for it to run out. */
export function nameWorker(): string {
  return `${hostname()}/${process.pid}/${randomUUID()}`;
}

export function createLeaseKeeper({ jobs, worker, track, onHeartbeat }: LeaseKeeperParts): LeaseKeeper {
  /**
   * Each claim has a name of its own, and only what is known to be held is renewed: a lease whose claim was never
   * answered runs out, instead of being kept alive for nobody.
   */
  const holders = new Map<PageLease, string>();
  const brokenOff = new Set<PageLease>();
  let claims = 0;
  let heartbeat: NodeJS.Timeout | undefined;

  function end(lease: PageLease): void {
    holders.delete(lease);
    brokenOff.delete(lease);
  }

  async function giveBackBroken(lease: PageLease): Promise<void> {
    await jobs.retryPage(lease, Date.now());
    end(lease);
  }

  async function giveBack(leases: readonly PageLease[]): Promise<void> {
    const held = new Set(leases.map((lease) => holders.get(lease)).filter((holder) => holder !== undefined));
    for (const lease of leases) end(lease);
    for (const holder of held) await jobs.releaseLeases(holder);
  }

  return {
    start() {
      heartbeat ??= setInterval(() => {
        for (const holder of new Set(holders.values())) track(jobs.renewLeases(holder, Date.now() + leaseMs));
        for (const lease of brokenOff) track(giveBackBroken(lease));
        onHeartbeat();
      }, heartbeatMs);
    },
    stop() {
      clearInterval(heartbeat);
      heartbeat = undefined;
    },
    async claim(jobId, count) {
      const holder = `${worker}/${++claims}`;
      const now = Date.now();
      const pages = await jobs.claimPages(jobId, { worker: holder, count, now, leaseUntil: now + leaseMs });
      for (const { lease } of pages) holders.set(lease, holder);
      return pages;
    },
    end,
    giveBackLater: (lease) => void brokenOff.add(lease),
    giveBack,
    giveBackAll: () => giveBack([...holders.keys()]),
  };
}
