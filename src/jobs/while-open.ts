/**
 * The storage, for reading jobs while the engine is open. After that, a read would open the storage again, and nobody
 * would close it.
 */
import { RequestError } from "../errors.ts";
import type { JobStore } from "../ports/job-store.ts";
import { orAborted } from "../shared/or-aborted.ts";

export type ReadableJobs = Pick<JobStore, "getJob" | "readResults" | "eraseResults">;

/**
 * A read ends with the engine, even if the storage hangs.
 *
 * @param track follows each read, so that the storage is not closed in the middle of it
 */
export function whileOpen(
  jobs: ReadableJobs,
  closing: AbortSignal,
  track: (asked: Promise<unknown>) => void,
): ReadableJobs {
  async function ask<Value>(read: () => Promise<Value>): Promise<Value> {
    if (closing.aborted) throw engineClosed();
    const asked = read();
    track(asked);
    return orAborted(asked, closing).catch((error: unknown) => {
      throw closing.aborted ? engineClosed() : error;
    });
  }
  return {
    getJob: (...call) => ask(() => jobs.getJob(...call)),
    readResults: (...call) => ask(() => jobs.readResults(...call)),
    eraseResults: (...call) => ask(() => jobs.eraseResults(...call)),
  };
}

export function engineClosed(): RequestError {
  return new RequestError("ENGINE_CLOSED", "The engine was closed; the job goes on after resume()");
}
