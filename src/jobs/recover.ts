/** Frees and queues again what a stopped or killed process left unfinished. */
import type { JobQueue } from "../ports/job-queue.ts";
import type { JobStore } from "../ports/job-store.ts";
import type { Outbox } from "../ports/outbox.ts";
import { isDead } from "./worker-names.ts";

/** Frees the outbox lanes of workers that are known to be dead. */
export async function recoverOutbox(outbox: Outbox): Promise<void> {
  for (const worker of await outbox.listHolders()) if (isDead(worker)) await outbox.releaseLanes(worker);
}

/**
 * Frees the pages of workers that are known to be dead, and queues all open jobs that this engine is not working on.
 * Leases of workers that may be alive are left to expire.
 */
export async function recoverJobs(
  jobs: JobStore,
  queue: JobQueue,
  isWorking: (jobId: string) => boolean,
): Promise<string[]> {
  for (const worker of await jobs.listLeaseHolders()) if (isDead(worker)) await jobs.releaseLeases(worker, true);
  const open = await jobs.listOpenJobs({ now: Date.now() });
  const resumed = open.filter((job) => !isWorking(job.id));
  for (const { id, team } of resumed) await queue.push({ jobId: id, team });
  return resumed.map(({ id }) => id);
}
