/** Lets a bounded number of requests at their tabs; the others wait in order. */
import { orAborted } from "../../contract/or-aborted.ts";

export interface TabTurns {
  /** Turns that nobody has. */
  readonly free: number;
  /** Resolves when it is the caller's turn; rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void>;
  end(): void;
  /** Lets all who wait go on at once: there is nothing to wait for any more. */
  dismiss(): void;
}

export function createTabTurns(count: number): TabTurns {
  const waiting: (() => void)[] = [];
  let free = count;

  function end(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return {
    get free() {
      return free;
    },
    async take(signal) {
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      try {
        await orAborted(promise, signal);
      } catch (error) {
        const index = waiting.indexOf(resolve);
        if (index >= 0) waiting.splice(index, 1);
        else end(); // The turn came together with the abort.
        throw error;
      }
    },
    end,
    dismiss() {
      for (const turn of waiting.splice(0)) turn();
    },
  };
}
