/**
 * Ends a thread that takes far more memory than its file should need.
 *
 * A PDF of a kilobyte may inflate to gigabytes, and the parser has no limit for that. The thread keeps the event loop
 * free and a timeout ends it, but by then the whole process may have been killed for its memory. A thread's
 * `resourceLimits` do not include buffers, and exhausting its heap can end the whole process. So its memory is queried
 * from outside, which works even while it is busy.
 */
import type { HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";
import { ScrapeError } from "../errors.ts";

/** Milliseconds between two queries, in which a few megabytes may be inflated. */
const pause = 25;

const mebibyte = 1024 * 1024;

/** The id of the thread that has taken the work, in shared memory; 0 before that. */
export type Taker = Int32Array<SharedArrayBuffer>;

/**
 * Does the work in one of the threads, which stores its id in `taker`. If it takes too much memory for a file of this
 * size, the signal passed to `work` is aborted, and has to end the thread.
 *
 * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` if it took too much
 */
export async function withinMemory<Result>(
  threads: () => readonly Worker[],
  fileSize: number,
  work: (taker: Taker, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const taker: Taker = new Int32Array(new SharedArrayBuffer(4));
  const excess = new AbortController();
  const isTooMuch = boundOf(fileSize);
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;

  async function look(): Promise<void> {
    const number = Atomics.load(taker, 0);
    const thread = threads().find(({ threadId }) => threadId === number);
    // The thread may be about to end. Deno's threads do not tell.
    const memory = await (thread as Partial<Worker> | undefined)?.getHeapStatistics?.().catch(() => undefined);
    if (isDone) return;
    if (memory !== undefined && isTooMuch(memory)) excess.abort();
    else schedule();
  }
  function schedule(): void {
    timer = setTimeout(look, pause).unref();
  }

  schedule();
  try {
    return await work(taker, excess.signal);
  } catch (error) {
    if (excess.signal.aborted || isOutOfMemory(error)) throw tooLarge(error);
    throw error;
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}

/**
 * Tells whether the memory that was added since the first query is too much. Memory of earlier pages may not have been
 * freed yet, so only what exceeds the smallest value seen counts.
 *
 * The heap grows with the words of a file: a thousand pages of running text need 200 MiB, and of nothing but scattered
 * words 900. The buffers grow with the longest page and the file itself. An array that outgrows its place briefly needs
 * two and a half times as much; if that were more than the heap has, the process would end.
 */
function boundOf(fileSize: number): (memory: HeapInfo) => boolean {
  let leastHeap = Number.POSITIVE_INFINITY;
  let leastBuffers = Number.POSITIVE_INFINITY;
  return ({ used_heap_size: heap, external_memory: buffers, heap_size_limit: heapLimit }) => {
    leastHeap = Math.min(leastHeap, heap);
    leastBuffers = Math.min(leastBuffers, buffers);
    return (
      heap - leastHeap > Math.min(384 * mebibyte + 256 * fileSize, heapLimit / 2.5) ||
      buffers - leastBuffers > 256 * mebibyte + 8 * fileSize
    );
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function tooLarge(cause: unknown): ScrapeError {
  const message = "The PDF is too large: reading it takes more memory than there is for a file of its size";
  return new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", message, { cause });
}
