// Whose turn it is with the processor.

import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Lets the processor's work of pages run one at a time, each beginning in a turn of the event loop of its own, so that a
 * host's other work gets in between: several pages resolved in one turn would hold the loop for their sum.
 */
export function createTurns(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(() => nextTurn()).then(work);
    // Not the result itself: it would be kept until the next page.
    last = result.then(
      () => {},
      () => {},
    );
    return result;
  };
}
