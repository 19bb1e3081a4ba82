/** Processor time of this process and its descendants, including those that have ended. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds. */
export function treeCpu(): number {
  const processes = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap(readStat);
  let ticks = 0;
  for (const open = [process.pid]; open.length > 0; ) {
    const parent = open.pop();
    for (const { pid, of, used } of processes) {
      if (pid === parent) ticks += used;
      if (of === parent) open.push(pid);
    }
  }
  return ticks * 10;
}

function readStat(entry: string): { pid: number; of: number; used: number }[] {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    // User and system time of the process itself, and of its children that have ended.
    const used = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
    return [{ pid: Number(entry), of: fields[1] ?? 0, used }];
  } catch {
    return [];
  }
}
