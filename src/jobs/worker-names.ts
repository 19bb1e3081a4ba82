/** Names of workers, which say whose process a lease belongs to: after a restart, nobody need wait for it to run out. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { performance } from "node:perf_hooks";

/** When the process began, to the microsecond; the same for all its threads, and for all copies of this package. */
const began = String(performance.timeOrigin);

/** Begins with the host, the process's id and when it began. */
export function nameWorker(): string {
  return [hostname(), process.pid, began, randomUUID()].join("/");
}

/**
 * Whether the process of the worker of that name is known to be over; of those on other machines nothing is known. In a
 * container each process has the id of the one before it, which began at another time.
 */
export function isDead(worker: string): boolean {
  const [host, processId, itsBegin] = worker.split("/");
  if (host !== hostname()) return false;
  if (Number(processId) === process.pid) return itsBegin !== began;
  try {
    process.kill(Number(processId), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
