/** Wakes a worker when only time can bring work: delays, retries, leases of others, pauses of hosts. */
import type { Hosts } from "./hosts.ts";
import type { Lane } from "./lane.ts";

export interface Alarm {
  /** Rings as soon as there may be something to do; once, however often it is set before. */
  set(): void;
  stop(): void;
}

/** How soon a job without work at hand is looked at again: pages may wait for a retry, or be leased elsewhere. */
const idleMs = 250;
/** So much later for each job at work: the storage is asked for all of them, and has pages to complete meanwhile. */
const idleMsPerJob = 1;
/** It rings no sooner than this. */
const leastMs = 5;

export function createAlarm(
  working: ReadonlyMap<string, { readonly lane: Lane }>,
  hosts: Pick<Hosts, "nextBegin">,
  ring: () => void,
): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let ringsAt = 0;
  let lookedAt = 0;

  /** Jobs without work at hand may have some by now. */
  function lookAgain(): void {
    const now = performance.now();
    // Where pages begin at a distance, that is what it rings for, many times a second.
    if (now - lookedAt < Math.max(idleMs / 2, idleMsPerJob * working.size)) return;
    lookedAt = now;
    for (const { lane } of working.values()) lane.dry = false;
  }

  return {
    set() {
      const now = performance.now();
      let wait = Number.POSITIVE_INFINITY;
      for (const { lane } of working.values()) {
        if (lane.dry || lane.waiting.length > 0) wait = Math.min(wait, Math.max(lane.notBefore - now, 0) || idleMs);
      }
      if (wait === Number.POSITIVE_INFINITY) return;
      wait = Math.max(Math.min(wait, hosts.nextBegin(now) - now), leastMs);
      // A job that pauses for long must not let those wait that have come since.
      if (timer !== undefined && ringsAt <= now + wait) return;
      clearTimeout(timer);
      ringsAt = now + wait;
      timer = setTimeout(() => {
        timer = undefined;
        lookAgain();
        ring();
      }, wait);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
