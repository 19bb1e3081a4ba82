/** Time limits and aborts: one signal for both, and waiting that a signal can end. */

import { ScrapeError } from "../errors.ts";
import { onAbort } from "../shared/on-abort.ts";
import { orAborted } from "../shared/or-aborted.ts";

/** A longer timer would fire at once. */
const longestTimer = 2 ** 31 - 1;

export interface Deadline {
  /** Fires when the caller's signal does, with its reason, or when the time is up, with `SCRAPE_TIMEOUT`. */
  readonly signal: AbortSignal;
  /** The promise's outcome. The time until it settles does not count. */
  readonly untimed: <Value>(promise: Promise<Value>) => Promise<Value>;
  /** Names what is being waited for from now on; the error of an expired deadline names it too. */
  readonly awaits: (what: string | undefined) => void;
  /** Releases the timer and the listener. Call it when the work is done, however it ended. */
  dispose(): void;
}

/**
 * Combines a caller's signal with a time limit.
 *
 * @param timeoutMs milliseconds from now; absent: no limit
 * @param keepsAlive false: the process may end before the deadline if it has nothing else to do
 * @example
 * const deadline = withDeadline(context.signal, 30_000);
 * try {
 *   return await fetcher.fetch({ ...request, signal: deadline.signal });
 * } finally {
 *   deadline.dispose();
 * }
 */
export function withDeadline(signal: AbortSignal | undefined, timeoutMs?: number, keepsAlive = true): Deadline {
  return new RunningDeadline(signal, timeoutMs, keepsAlive);
}

/** A class: V8 may take objects of a literal for long-lived (see "Time and memory" in `docs/architecture.md`). */
class RunningDeadline implements Deadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number | undefined;
  readonly #keepsAlive: boolean;
  readonly #leave: (() => void) | undefined;
  #left: number | undefined;
  #begun = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #disposed = false;
  #awaited: string | undefined;

  constructor(signal: AbortSignal | undefined, timeoutMs: number | undefined, keepsAlive: boolean) {
    this.#timeoutMs = timeoutMs;
    this.#keepsAlive = keepsAlive;
    this.#leave = signal && onAbort(signal, () => this.#controller.abort(signal.reason));
    this.#left = timeoutMs;
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  // These two are passed on by themselves.
  readonly untimed = async <Value>(promise: Promise<Value>): Promise<Value> => {
    this.#pauses += 1;
    if (this.#pauses === 1) {
      clearTimeout(this.#timer);
      if (this.#left !== undefined) this.#left -= performance.now() - this.#begun;
    }
    try {
      return await promise;
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0 && !this.#disposed) this.#run();
    }
  };

  readonly awaits = (what: string | undefined): void => {
    this.#awaited = what;
  };

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#leave?.();
  }

  #run(): void {
    if (this.#left === undefined) return;
    this.#begun = performance.now();
    // A busy thread may find the time long over, and Node writes a warning about a negative one.
    const wait = Math.min(Math.max(this.#left, 0), longestTimer);
    this.#timer = setTimeout(() => this.#expire(), wait);
    if (!this.#keepsAlive) this.#timer.unref();
  }

  #expire(): void {
    const where = this.#awaited === undefined ? "" : `: waited for ${this.#awaited}`;
    this.#controller.abort(new ScrapeError("SCRAPE_TIMEOUT", `Not finished within ${this.#timeoutMs} ms${where}`));
  }
}

/**
 * Like {@link orAborted} with a signal of {@link withDeadline}, except that the promise has `graceMs` more milliseconds
 * after the deadline. The caller's own signal ends the waiting at once.
 */
export function orOverdue<T>(
  promise: Promise<T>,
  deadline: AbortSignal,
  { caller, graceMs }: { readonly caller: AbortSignal | undefined; readonly graceMs: number },
): Promise<T> {
  return orAborted(promise, deadline).catch(async (failure: unknown) => {
    if (!deadline.aborted) throw failure;
    const grace = withDeadline(caller, graceMs);
    try {
      return await orAborted(promise, grace.signal);
    } catch (error) {
      throw grace.signal.aborted ? deadline.reason : error;
    } finally {
      grace.dispose();
    }
  });
}
