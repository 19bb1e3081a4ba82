/** Wakes those in this process who wait for news of a job: iterators, `wait()`, the outbox. */
export interface Progress {
  /** Something about the job changed. */
  notify(jobId: string): void;
  /**
   * Resolves at the next news of the job, or after `pollMs`, since another process may be the one that works on it.
   * Call it before reading the state, so that no news falls between.
   */
  next(jobId: string, options: { signal?: AbortSignal; pollMs: number }): Promise<void>;
}

export function createProgress(): Progress {
  const waiting = new Map<string, Set<() => void>>();

  return {
    notify(jobId) {
      const wakers = waiting.get(jobId);
      if (wakers === undefined) return;
      waiting.delete(jobId);
      for (const wake of wakers) wake();
    },
    next(jobId, { signal, pollMs }) {
      return new Promise((resolve, reject) => {
        const wakers = waiting.get(jobId) ?? new Set();
        waiting.set(jobId, wakers);
        const settle = (act: () => void) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          wakers.delete(wake);
          if (wakers.size === 0 && waiting.get(jobId) === wakers) waiting.delete(jobId);
          act();
        };
        const wake = () => settle(resolve);
        const abort = () => settle(() => reject(signal?.reason));
        const timer = setTimeout(wake, pollMs);
        wakers.add(wake);
        if (signal?.aborted) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      });
    },
  };
}
