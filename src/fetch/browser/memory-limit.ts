/** How much memory this process and its browsers may use together. */
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

/** Where Linux keeps the limit of a container: control groups of the second and first version. */
const limitFiles = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/** Bytes: the limit of the container, if it is lower than what the machine has. */
export function usableMemory(): number {
  const limits = limitFiles.map((file) => {
    try {
      return Number(readFileSync(file, "latin1"));
    } catch {
      return Number.NaN;
    }
  });
  return Math.min(totalmem(), ...limits.filter((limit) => limit > 0));
}
