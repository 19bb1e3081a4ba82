/** How much memory this process and its browsers may use together. */
import { totalmem } from "node:os";

/**
 * In bytes: the limit of the control group (container, service) of this process, if that is less than the memory of the
 * machine.
 */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  // 0 if the system has no such limits.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
