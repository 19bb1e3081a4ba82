/**
 * Limits how many pages of jobs are in progress to as many as keep the processor busy. More of them would only lie in
 * memory until it has time. If pages arrive more slowly than they are transformed, nothing is held back.
 */
export interface Pace {
  /** A page has been fetched; `waiting` is the number of those fetched before it that are not transformed yet. */
  arrived(waiting: number): void;
  /** Whether one more may begin. */
  mayBegin(): boolean;
  began(): void;
  ended(): void;
}

/**
 * How many pages should be waiting, per processor, when another arrives, averaged over the last pages. With fewer, one
 * more page may run; with more, one less.
 */
const tooFew = 1;
const tooMany = 2.5;
const lastPages = 16;
/** Pages that must have ended crowded before one less may run: too many cost less than too few. */
const patience = 600;
/** So many pages may always run. */
const least = 4;
/** Milliseconds without a page after which more may run. */
const stalledMs = 100;

/** @param processors how many threads transform pages at once */
export function createPace(processors: number): Pace {
  let running = 0;
  let most = Number.POSITIVE_INFINITY;
  /** Most pages in progress at once since the last change. Many end together, so the present number says little. */
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
      // The pages in progress may all be from slow hosts.
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
