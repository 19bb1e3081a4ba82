/**
 * So many at once, and the others wait for their turn. A queue of a package is no choice here: those make their own
 * event targets, which Node refuses where a test environment such as jsdom has put its own in the place of Node's.
 */
import { orAborted } from "./or-aborted.ts";

export interface Places {
  /** Does the work once there is a place for it. Rejects with the signal's reason as soon as it fires. */
  take<Value>(work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value>;
}

/**
 * @example
 * const places = createPlaces(2);
 * await Promise.all(urls.map((url) => places.take(() => fetch(url), undefined))); // two at a time
 */
export function createPlaces(count: number): Places {
  const waiting = new Set<() => void>();
  let free = count;

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else {
      waiting.delete(next);
      next();
    }
  }

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    try {
      await orAborted(promise, signal);
    } catch (error) {
      // It may have been given a place in the same moment.
      if (!waiting.delete(resolve)) leave();
      throw error;
    }
  }

  return {
    async take(work, signal) {
      signal?.throwIfAborted();
      if (free > 0) free--;
      else await turn(signal);
      const working = (async () => work())();
      // What is broken off holds its place until it has ended.
      working.then(leave, leave);
      return orAborted(working, signal);
    },
  };
}
