/** Lets pages take turns with the processor. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { turnMilliseconds } from "../shared/turn.ts";

export interface Turns {
  /** How many pieces of work have not ended. */
  readonly waiting: number;
  take<Value>(work: () => Promise<Value>): Promise<Value>;
}

/**
 * Runs the processor's work on pages one page at a time. Small ones follow each other for a while, because a processor
 * is faster at what it has just done. A page that may take longer begins in a turn of the event loop of its own, so
 * that the host's other work gets in between.
 *
 * @param onArrival called for each page with the number of pages before it that have not ended
 */
export function createTurns(onArrival: (waiting: number) => void): Turns {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let turnEnds = 0;
  /** How long the last page took; the next one is expected to take as long. */
  let took = 0;

  async function run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (performance.now() + took > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + turnMilliseconds;
    }
    const began = performance.now();
    try {
      return await work();
    } finally {
      took = performance.now() - began;
      waiting--;
    }
  }

  return {
    get waiting() {
      return waiting;
    },
    take(work) {
      onArrival(waiting++);
      const result = last.then(() => run(work));
      // Not the result itself, which would be kept in memory until the next page.
      last = result.then(
        () => {},
        () => {},
      );
      return result;
    },
  };
}
