import { CrawlcoreError, ScrapeError } from "../errors.ts";

/**
 * The promise of a call, as its caller sees it: it rejects with an error of this package or with the reason of the
 * caller's own signal, never with whatever a storage or another seam threw.
 */
export async function sealErrors<Value>(signal: AbortSignal | undefined, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    if (CrawlcoreError.isInstance(error) || (signal?.aborted && error === signal.reason)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ScrapeError("UNKNOWN_ERROR", `(Internal error) ${message}`, { cause: error });
  }
}
