/** The job queue within one process. */

import { RequestError } from "../errors.ts";
import type { JobQueue, Task } from "../ports/job-queue.ts";
import { endlessWait, givenOptions, readBounds } from "./read-bounds.ts";

/** When the queue delivers a task again. */
export interface MemoryQueueOptions {
  /** Milliseconds until a task whose work rejected is delivered again, at most 2147483647. @default 1000 */
  readonly redeliverAfterMs?: number | undefined;
}

/**
 * A {@link JobQueue} for the engines of one process.
 *
 * @example
 * const queue = memoryQueue();
 * await queue.push({ jobId: "job-1", team: "default" });
 */
export function memoryQueue(options?: MemoryQueueOptions): JobQueue {
  const given = givenOptions("memoryQueue", options);
  const faults = endlessWait("redeliverAfterMs", given.redeliverAfterMs);
  const { redeliverAfterMs } = readBounds("memoryQueue", given, { redeliverAfterMs: 1000 }, [], faults);
  const waiting = new Set<Task>();
  const consumers = new Set<(task: Task) => void>();
  const closing = new AbortController();

  /** Delivers to the consumer that has waited longest, or puts the task into the queue. */
  function deliver(task: Task): void {
    const next = consumers.values().next();
    if (next.done === true) {
      waiting.add(task);
      return;
    }
    consumers.delete(next.value);
    consumers.add(next.value);
    next.value(task);
  }

  return {
    async push(task) {
      if (closing.signal.aborted) throw new RequestError("ENGINE_CLOSED", "The job queue is closed.");
      deliver(task);
    },

    async consume(work, signal) {
      const stop = AbortSignal.any([signal, closing.signal]);
      if (stop.aborted) return;
      const stopped = new Promise<void>((resolve) => {
        stop.addEventListener("abort", () => resolve(), { once: true });
      });
      const running = new Set<Promise<void>>();
      const retries = new Map<NodeJS.Timeout, Task>();

      function start(task: Task): void {
        const run = (async () => work(task))().catch(() => {
          if (stop.aborted) {
            deliver(task);
            return;
          }
          const timer = setTimeout(() => {
            retries.delete(timer);
            deliver(task);
          }, redeliverAfterMs);
          retries.set(timer, task);
        });
        running.add(run);
        void run.finally(() => running.delete(run));
      }

      stop.addEventListener("abort", () => consumers.delete(start), { once: true });
      consumers.add(start);
      for (const task of waiting) {
        if (stop.aborted) break;
        waiting.delete(task);
        start(task);
      }
      await stopped;
      for (const [timer, task] of retries) {
        clearTimeout(timer);
        deliver(task);
      }
      await Promise.all(running);
    },

    async close() {
      closing.abort();
      waiting.clear();
    },
  };
}
