/** A storage's thread, as the others see it: started by the first who asks, and never what keeps a process alive. */

import { Worker } from "node:worker_threads";
import type { ThreadAnswer, ThreadCalls, ThreadData, ThreadRequest } from "./thread-worker.ts";

type Name = keyof ThreadCalls;

export interface Thread {
  /**
   * Rejects with what the work throws; null when there is no thread, since the host may forbid it.
   *
   * @param moved buffers of the argument that the caller does not need any more
   */
  ask<Asked extends Name>(
    name: Asked,
    argument: ThreadCalls[Asked]["argument"],
    moved?: readonly ArrayBuffer[],
  ): Promise<{ readonly value: ThreadCalls[Asked]["value"] } | null>;
  readonly isRunning: boolean;
  /** It ended by itself or could not be started; it is not tried again. */
  readonly hasFailed: boolean;
  /** Ends it; whoever asks next starts another. */
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
    // Beside this file: its source, or what the build makes of it.
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
    if ("error" in answer) asker?.reject(answer.error);
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
    ask: (name, argument, moved = []) =>
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
        worker.postMessage({ id, name, argument } satisfies ThreadRequest, [...moved]);
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
