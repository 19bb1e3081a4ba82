/** Keeps the leases of this process alive while it works, and gives back those of pages whose work broke off. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { JobStore, PageLease } from "../ports/job-store.ts";

/** A lease lasts this long unless it is renewed, so a dead process holds its pages no longer. */
export const leaseMs = 15_000;
const heartbeatMs = 4_000;

export interface LeaseKeeper {
  /** Renews the leases from now on. */
  start(): void;
  stop(): void;
  /** The storage failed in the middle of a page's work; it hears of the page again with the next heartbeat. */
  giveBackLater(lease: PageLease): void;
}

export interface LeaseKeeperParts {
  readonly jobs: JobStore;
  /** The name the leases are held under. */
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
  const brokenOff = new Set<PageLease>();
  let heartbeat: NodeJS.Timeout | undefined;

  async function giveBack(lease: PageLease): Promise<void> {
    await jobs.retryPage(lease, Date.now());
    brokenOff.delete(lease);
  }

  return {
    start() {
      heartbeat ??= setInterval(() => {
        track(jobs.renewLeases(worker, Date.now() + leaseMs));
        for (const lease of brokenOff) track(giveBack(lease));
        onHeartbeat();
      }, heartbeatMs);
    },
    stop() {
      clearInterval(heartbeat);
      heartbeat = undefined;
    },
    giveBackLater: (lease) => void brokenOff.add(lease),
  };
}
