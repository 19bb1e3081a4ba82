/** Lets long work give way to the rest of the process. */

// Not the global one, which a host's tests may stop: all who wait in this thread would wait for ever.
import { setImmediate } from "node:timers";
import { outside } from "./outside.ts";

/** Longest uninterrupted stay on the event loop, in milliseconds, not counting the last step. */
export const turnMilliseconds = 2;

/** Those who wait for their next stay, in this thread. */
const waiting: (() => void)[] = [];

/** Each turn of the event loop is the stay of one of them: many at once would hold it up together. */
function nextStay(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) outside(setImmediate, beginStay);
  });
}

function beginStay(): void {
  const first = waiting.shift();
  if (waiting.length > 0) setImmediate(beginStay);
  first?.();
}

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
  #ends = performance.now() + turnMilliseconds;

  isOver(): boolean {
    return performance.now() > this.#ends;
  }

  async next(): Promise<void> {
    await nextStay();
    this.#ends = performance.now() + turnMilliseconds;
  }
}

/** Work that may be interrupted wherever it yields, and returns its result. */
export type Steps<Result> = Generator<void, Result, void>;

/**
 * Does the work, giving way between two steps whenever a stay on the event loop has been long enough.
 *
 * @throws the signal's reason if it is aborted meanwhile; the work then ends where it is, and its `finally` blocks run
 */
export async function runSteps<Result>(steps: Steps<Result>, signal: AbortSignal | undefined): Promise<Result> {
  const turn = new Turn();
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      // Not suspended without need: that costs time, and keeps what the work holds alive through garbage collections.
      if (!turn.isOver()) continue;
      await turn.next();
      signal?.throwIfAborted();
    }
  } finally {
    steps.return(undefined as Result);
  }
}

/** Does the work without giving way. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
