/** How much memory this process and its browsers may use together. */
import { totalmem } from "node:os";

/** Bytes: the limit of the control group (container, service) that this process is in, if it is lower than the machine. */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  // 0: the system has no such limits.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
