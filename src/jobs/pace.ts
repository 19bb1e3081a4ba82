/**
 * How many pages of jobs are at work: as many as the processor needs so that it seldom waits for one. More would only lie
 * in memory until it has time for them. Where pages come slower than they are worked, this holds nothing back.
 */
export interface Pace {
  /** A page has come, and so many that came before it have not been worked yet. */
  arrived(waiting: number): void;
  /** Whether one more may begin. */
  mayBegin(): boolean;
  began(): void;
  ended(): void;
}

/**
 * How many should wait for a processor when one comes, over the last pages: with fewer one more may run, with more one
 * less.
 */
const tooFew = 1;
const tooMany = 2.5;
const lastPages = 16;
/** Pages that end before there is one less: too many cost less than too few. */
const patience = 600;
/** So many may always run. */
const least = 4;
/** Milliseconds without a page after which more may run. */
const stalledMs = 100;

/** @param processors so many threads work on pages at once */
export function createPace(processors: number): Pace {
  let running = 0;
  let most = Number.POSITIVE_INFINITY;
  /** Most at work at once since the last change: many end together, so that how many are left says little. */
  let highest = 0;
  let waitingWhenOneComes = 0;
  let lastCame = 0;
  let crowded = 0;
  return {
    arrived(waiting) {
      waitingWhenOneComes += (waiting - waitingWhenOneComes) / lastPages;
      lastCame = performance.now();
    },
    mayBegin() {
      // Those that run may all be of slow hosts.
      if (running >= most && performance.now() - lastCame > stalledMs) most = running + 1;
      return running < most;
    },
    began() {
      highest = Math.max(highest, ++running);
    },
    ended() {
      running--;
      if (waitingWhenOneComes < tooFew * processors) most++;
      if (waitingWhenOneComes <= tooMany * processors || ++crowded < patience) return;
      most = Math.max(least, Math.min(most, highest) - 1);
      crowded = 0;
      highest = 0;
    },
  };
}
