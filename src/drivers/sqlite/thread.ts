/**
 * The other side of a storage's thread: it is started by the first request, and does not keep the process alive while
 * idle.
 */

import { Worker } from "node:worker_threads";
import type { ThreadAnswer, ThreadCalls, ThreadData, ThreadRequest } from "./thread-worker.ts";

type Name = keyof ThreadCalls;

export interface Thread {
  /** Rejects with what the work throws; resolves with null if there is no thread, because the host may forbid threads. */
  ask<Asked extends Name>(
    name: Asked,
    argument: ThreadCalls[Asked]["argument"],
  ): Promise<{ readonly value: ThreadCalls[Asked]["value"] } | null>;
  readonly isRunning: boolean;
  /** It ended by itself, or could not be started; no other is started. */
  readonly hasFailed: boolean;
  /** Ends the thread; the next request starts another. */
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: (answer: { readonly value: never } | null) => void;
  readonly reject: (error: unknown) => void;
}

export function createThread(data: ThreadData): Thread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let hasFailed = false;
  let asked = 0;

  function start(): Worker {
    // A file beside this one: its source, or its build.
    const file = import.meta.url.endsWith(".ts") ? "thread-worker.ts" : "crawlcore-storage-thread.js";
    const started = new Worker(new URL(file, import.meta.url), {
      workerData: data,
      execArgv: [],
      name: "crawlcore storage",
    });
    started.on("message", receive).on("error", fail).on("exit", fail).unref();
    return started;
  }

  function receive(answer: ThreadAnswer): void {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker?.unref();
    if ("error" in answer) asker?.reject(Object.assign(answer.error as Error, answer.codes));
    else asker?.resolve({ value: answer.value as never });
  }

  function fail(): void {
    hasFailed = true;
    leave();
  }

  function leave(): void {
    worker = null;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { resolve } of left) resolve(null);
  }

  return {
    ask: (name, argument) =>
      new Promise((resolve, reject) => {
        if (!hasFailed) {
          try {
            worker ??= start();
          } catch {
            hasFailed = true;
          }
        }
        if (worker === null) {
          resolve(null);
          return;
        }
        const id = asked++;
        worker.postMessage({ id, name, argument } satisfies ThreadRequest);
        waiting.set(id, { resolve, reject });
        // Referenced only while it works.
        if (waiting.size === 1) worker.ref();
      }),
    get isRunning() {
      return worker !== null;
    },
    get hasFailed() {
      return hasFailed;
    },
    async end() {
      const ending = worker;
      if (ending === null) return;
      ending.removeAllListeners();
      leave();
      await ending.terminate();
    },
  };
}
