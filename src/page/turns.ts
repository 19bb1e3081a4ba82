/** Pages take turns with the processor. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { turnMilliseconds } from "../contract/turn.ts";

export interface Turns {
  /** Those that have not ended. */
  readonly waiting: number;
  take<Value>(work: () => Promise<Value>): Promise<Value>;
}

/**
 * Lets the processor's work of pages run one at a time. Small ones follow each other for a while: what the processor has
 * just done it does faster again. A page that may take longer begins in a turn of the event loop of its own, so that a
 * host's other work gets in between.
 *
 * @param onArrival told for each page how many of those before it have not ended
 */
export function createTurns(onArrival: (waiting: number) => void): Turns {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let turnEnds = 0;
  /** By the last page, the next one takes as long. */
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
      // Not the result itself: it would be kept until the next page.
      last = result.then(
        () => {},
        () => {},
      );
      return result;
    },
  };
}
