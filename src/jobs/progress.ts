/** Wakes those in this process who wait for news of a job: iterators and `wait()`. */
export interface Progress {
  /** Something about the job changed. */
  notify(jobId: string): void;
  /**
   * Resolves at the next news of the job, or after `pollMs`, since another process may be the one that works on it.
   * Call it before reading the state, so that no news falls between.
   */
  next(jobId: string, options: { signal: AbortSignal; pollMs: number }): Promise<void>;
}

interface Waiter {
  readonly jobId: string;
  readonly wake: () => void;
}

export function createProgress(): Progress {
  const waiters: Waiter[] = [];

  return {
    notify(jobId) {
      for (const { wake } of waiters.filter((waiter) => waiter.jobId === jobId)) wake();
    },
    next(jobId, { signal, pollMs }) {
      return new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer);
          signal.removeEventListener("abort", abort);
          const place = waiters.indexOf(waiter);
          if (place !== -1) waiters.splice(place, 1);
          act();
        };
        const waiter = { jobId, wake: () => settle(resolve) };
        const abort = () => settle(() => reject(signal.reason));
        const timer = setTimeout(waiter.wake, pollMs);
        waiters.push(waiter);
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
      });
    },
  };
}
