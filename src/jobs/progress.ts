/** Wakes everything in this process that waits for news of a job: iterators, `wait()`, calls for its status. */
import { onAbort } from "../shared/on-abort.ts";

export interface Progress {
  /** How many jobs somebody waits for. */
  readonly waiting: number;
  /** A page of the job is listed, or its work here has ended. */
  notify(jobId: string, news: "page" | "end"): void;
  /**
   * Listens for the next news of the job, or only for its end. Call it before reading the state, so that no news is
   * missed.
   */
  next(jobId: string, options: { signal?: AbortSignal; pollMs: number; onlyEnd: boolean }): News;
}

export interface News {
  /**
   * Resolves with the news, or after `pollMs`, because another process may be the one working on the job. Rejects with
   * the signal's reason, and when the engine closes.
   */
  readonly arrival: Promise<void>;
  /** Nobody waits for it any more. */
  forget(): void;
}

interface Waiter {
  readonly onlyEnd: boolean;
  wake(): void;
  end(): void;
}

/** @param closing rejects all waiting promises; with a single listener, because a signal gets slower with each one */
export function createProgress(closing: AbortSignal): Progress {
  const waiters = new Map<string, Set<Waiter>>();

  function add(jobId: string, waiter: Waiter): void {
    const present = waiters.get(jobId);
    if (present === undefined) waiters.set(jobId, new Set([waiter]));
    else present.add(waiter);
  }

  function remove(jobId: string, waiter: Waiter): void {
    const present = waiters.get(jobId);
    if (present?.delete(waiter) && present.size === 0) waiters.delete(jobId);
  }

  closing.addEventListener("abort", () => {
    for (const present of [...waiters.values()]) for (const waiter of [...present]) waiter.end();
  });

  return {
    get waiting() {
      return waiters.size;
    },
    notify(jobId, news) {
      for (const waiter of [...(waiters.get(jobId) ?? [])]) if (news === "end" || !waiter.onlyEnd) waiter.wake();
    },
    next(jobId, { signal, pollMs, onlyEnd }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let unlisten: (() => void) | undefined;
      const settle = (act: () => void) => {
        clearTimeout(timer);
        unlisten?.();
        remove(jobId, waiter);
        act();
      };
      const abort = () => settle(() => reject(signal?.reason));
      const waiter = { onlyEnd, wake: () => settle(resolve), end: () => settle(() => reject(closing.reason)) };
      const timer = setTimeout(waiter.wake, pollMs);
      add(jobId, waiter);
      if (closing.aborted) waiter.end();
      else if (signal !== undefined) unlisten = onAbort(signal, abort);
      return { arrival: promise, forget: waiter.wake };
    },
  };
}
