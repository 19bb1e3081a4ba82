/** Waits for something in a browser for a limited time. */
import { setTimeout as sleep } from "node:timers/promises";

/** Whether the promise resolves in time. Rejects as it does, or with the signal's reason. */
export async function within(promise: Promise<unknown>, limitMs: number, signal?: AbortSignal): Promise<boolean> {
  const end = new AbortController();
  const until = signal ? AbortSignal.any([end.signal, signal]) : end.signal;
  const late = sleep(Math.max(limitMs, 0), false, { signal: until }).catch(() => {
    signal?.throwIfAborted();
    return false;
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    end.abort();
  }
}
