/** Wakes a worker when only time can bring work: delays, retries, leases of others, pauses of hosts. */
import type { Hosts } from "./hosts.ts";
import type { Lane } from "./lane.ts";

interface Alarm {
  /** Rings as soon as there may be something to do. Setting it several times makes it ring once. */
  set(): void;
  stop(): void;
}

/** How soon a job is looked at again whose pages are held back by more than its own pause. */
const heldBackMs = 250;
/** Earliest time after which it rings. */
const leastMs = 5;

/** When the job may have something to do, as far as it knows itself. */
function timeOf({ asking, claiming, notBefore, waiting }: Lane, now: number): number {
  const begins = waiting.length === 0 ? Number.POSITIVE_INFINITY : notBefore > now ? notBefore : now + heldBackMs;
  // If it could ask already, it has enough pages at hand.
  return claiming || asking.next <= now ? begins : Math.min(begins, asking.next);
}

export function createAlarm(
  working: ReadonlyMap<string, { readonly lane: Lane }>,
  hosts: Pick<Hosts, "nextBegin">,
  ring: () => void,
): Alarm {
  let timer: NodeJS.Timeout | undefined;
  let ringsAt = 0;

  return {
    set() {
      const now = performance.now();
      let at = Number.POSITIVE_INFINITY;
      for (const { lane } of working.values()) at = Math.min(at, timeOf(lane, now));
      if (at === Number.POSITIVE_INFINITY) return;
      const wait = Math.max(Math.min(at, hosts.nextBegin(now)) - now, leastMs);
      // A job with a long pause must not keep jobs waiting that have come since.
      if (timer !== undefined && ringsAt <= now + wait) return;
      clearTimeout(timer);
      ringsAt = now + wait;
      timer = setTimeout(() => {
        timer = undefined;
        ring();
      }, wait);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
