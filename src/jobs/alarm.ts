/** Wakes a worker when only time can bring work: delays, retries, leases of others, pauses of hosts. */
import type { Hosts } from "./hosts.ts";
import type { Lane } from "./lane.ts";

interface Alarm {
  /** Rings as soon as there may be something to do. Setting it several times makes it ring once. */
  set(): void;
  stop(): void;
}

/**
 * How soon a job without pages at hand is looked at again: pages may be waiting for a retry, or be leased elsewhere.
 */
const idleMs = 250;
/**
 * For each job in progress it is that much later: the storage is asked about all of them, and has pages to complete
 * meanwhile.
 */
const idleMsPerJob = 1;
/** Earliest time after which it rings. */
const leastMs = 5;

export function createAlarm(
  working: ReadonlyMap<string, { readonly lane: Lane }>,
  hosts: Pick<Hosts, "nextBegin">,
  ring: () => void,
): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let ringsAt = 0;
  let lookedAt = 0;

  /** Jobs that had no pages at hand may have some by now. */
  function lookAgain(): void {
    const now = performance.now();
    // If pages are spaced out, it rings for each of them, many times a second.
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
      // A job with a long pause must not keep jobs waiting that have come since.
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
