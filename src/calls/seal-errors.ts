import { ownSignal } from "../contract/call-context.ts";
import { CrawlcoreError, ScrapeError } from "../errors.ts";
import { shownErrorText } from "../shared/error-text.ts";

/**
 * Makes the promise of a call reject only with an error of this package or with the reason of the caller's own signal,
 * never with whatever a storage or another part of the host threw.
 */
export async function sealErrors<Value>(
  context: { readonly signal?: AbortSignal } | undefined,
  call: () => Promise<Value>,
): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw sealed(error, context);
  }
}

/** The error that a caller gets to see. */
export function sealed(error: unknown, context?: { readonly signal?: AbortSignal }): unknown {
  if (CrawlcoreError.isInstance(error)) return error;
  // Not read before this point: a context that cannot be read has already been refused with an error of ours.
  const signal = context?.signal;
  if (signal?.aborted && error === ownSignal(signal).reason) return error;
  const message = shownErrorText(error);
  return new ScrapeError("UNKNOWN_ERROR", `(Internal error) ${message}`, { cause: error });
}
