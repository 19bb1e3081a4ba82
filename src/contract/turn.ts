/** Lets a long loop give way to the rest of the process. */

import { setImmediate as nextTurn } from "node:timers/promises";

const milliseconds = 4;

/**
 * One stay on the event loop.
 *
 * @example
 * const turn = new Turn();
 * for (const item of items) {
 *   if (turn.isOver()) await turn.next();
 *   work(item);
 * }
 */
export class Turn {
  #ends = performance.now() + milliseconds;

  isOver(): boolean {
    return performance.now() > this.#ends;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#ends = performance.now() + milliseconds;
  }
}
