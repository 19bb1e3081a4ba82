/**
 * The storage, for reading jobs while the engine is open. After that, a read would open the storage again, and nobody
 * would close it.
 */
import { RequestError } from "../errors.ts";
import type { JobStore } from "../ports/job-store.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { pause } from "../shared/pause.ts";

export type ReadableJobs = Pick<JobStore, "getJob" | "readResults" | "eraseResults">;

/** How long to wait before a read that failed is tried again. */
const pausesMs = [250, 1000, 3000];
/** A storage that takes longer than this to fail is not asked again. */
const patienceMs = 10_000;

/**
 * A read ends with the engine, even if the storage hangs. One that fails is tried again a few times: the job itself
 * goes on after such a failure, and so should those who read it.
 *
 * @param track follows each read, so that the storage is not closed in the middle of it
 */
export function whileOpen(
  jobs: ReadableJobs,
  closing: AbortSignal,
  track: (asked: Promise<unknown>) => void,
): ReadableJobs {
  async function askOnce<Value>(read: () => Promise<Value>): Promise<Value> {
    if (closing.aborted) throw engineClosed();
    const asked = read();
    track(asked);
    return orAborted(asked, closing).catch((error: unknown) => {
      throw closing.aborted ? engineClosed() : error;
    });
  }

  async function ask<Value>(read: () => Promise<Value>): Promise<Value> {
    const begunAt = performance.now();
    for (const pauseMs of pausesMs) {
      try {
        return await askOnce(read);
      } catch (error) {
        if (closing.aborted || performance.now() - begunAt > patienceMs) throw error;
        await pause(pauseMs, closing);
      }
    }
    return askOnce(read);
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
