/** The thread's side of the pool: one page in, its fields or its error out, as plain data. */
import { type ErrorDetail, RequestError, ScrapeError } from "../errors.ts";
import { transform } from "./transform.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";

/** Errors lose their class on the way between threads, so they go as data. */
export type WorkerAnswer =
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

export default async function work(input: TransformInput | null): Promise<WorkerAnswer | null> {
  // Only whether there is a thread.
  if (input === null) return null;
  try {
    return { result: await transform(input) };
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
