/** The thread's side of the pool: takes one page and returns its fields, or an error, as plain data. */
import { threadId } from "node:worker_threads";
import { type ErrorDetail, RequestError, ScrapeError } from "../errors.ts";
import type { Taker } from "./thread-bounds.ts";
import { transform } from "./transform.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";

export interface ThreadTask {
  readonly input: TransformInput;
  /** Where the thread that takes the task stores its id. */
  readonly taker: Taker | undefined;
}

/** Errors lose their class between threads, so they are passed as data. */
export type ThreadAnswer =
  | { readonly result: TransformResult }
  | {
      readonly kind: "request" | "scrape";
      readonly error: {
        readonly code: string;
        readonly message: string;
        readonly details: readonly ErrorDetail[] | undefined;
        readonly retryable: boolean;
      };
    };

export default async function work(task: ThreadTask | null): Promise<ThreadAnswer | null> {
  // Only asks whether there is a thread.
  if (task === null) return null;
  if (task.taker) Atomics.store(task.taker, 0, threadId);
  try {
    return { result: await transform(task.input) };
  } catch (error) {
    if (error instanceof RequestError) {
      const { code, message, details } = error;
      return { kind: "request", error: { code, message, details, retryable: false } };
    }
    if (error instanceof ScrapeError) {
      const { code, message, details, retryable } = error;
      return { kind: "scrape", error: { code, message, details, retryable } };
    }
    throw error;
  }
}
