/**
 * Ends a thread that takes far more memory or time than its file should need.
 *
 * A PDF of a kilobyte may inflate to gigabytes, or to a drawing that holds the parser for minutes; the parser has no
 * limit for either. The thread keeps the event loop free and a timeout ends it, but by then the whole process may have
 * been killed for its memory, or the pages that wait for the thread may have timed out. A thread's `resourceLimits` do
 * not include buffers, and exhausting its heap can end the whole process. So its memory and its time are queried from
 * outside, which works even while it is busy.
 */
import type { HeapInfo } from "node:v8";
import type { Worker } from "node:worker_threads";
import { ScrapeError } from "../errors.ts";

/** Milliseconds between two queries, in which a few megabytes may be inflated. */
const pause = 25;

const mebibyte = 1024 * 1024;

/** The id of the thread that has taken the work, in shared memory; 0 before that. */
export type Taker = Int32Array<SharedArrayBuffer>;

/** What is asked of a thread. Bun and Deno do not tell all of it, nor does Node before 24.6. */
type Measured = Pick<Worker, "threadId"> & Partial<Pick<Worker, "getHeapStatistics" | "cpuUsage">>;

/**
 * Does the work in one of the threads, which stores its id in `taker`. If it takes too much memory for a file of this
 * size, or too much time while others are waiting, the signal passed to `work` is aborted, and has to end the thread.
 *
 * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` if it took too much
 */
export async function withinBounds<Result>(
  threads: () => readonly Measured[],
  fileSize: number,
  othersWait: () => boolean,
  work: (taker: Taker, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const taker: Taker = new Int32Array(new SharedArrayBuffer(4));
  const excess = new AbortController();
  const isTooLarge = memoryBound(fileSize);
  const isTooLong = timeBound(fileSize);
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;

  async function look(): Promise<void> {
    const number = Atomics.load(taker, 0);
    const thread = threads().find(({ threadId }) => threadId === number);
    // The thread may be about to end.
    const [memory, time] = await Promise.all([
      thread?.getHeapStatistics?.().catch(() => undefined),
      thread && timeOf(thread).catch(() => undefined),
    ]);
    if (isDone) return;
    // The time is followed from the start, also while nobody is waiting.
    const long = time !== undefined && isTooLong(time);
    if (memory !== undefined && isTooLarge(memory)) excess.abort(tooMuch("memory"));
    else if (long && othersWait()) excess.abort(tooMuch("time"));
    else schedule();
  }
  function schedule(): void {
    timer = setTimeout(look, pause).unref();
  }

  schedule();
  try {
    return await work(taker, excess.signal);
  } catch (error) {
    if (excess.signal.aborted) throw excess.signal.reason;
    throw isOutOfMemory(error) ? tooMuch("memory", error) : error;
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
function memoryBound(fileSize: number): (memory: HeapInfo) => boolean {
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

/**
 * Tells whether the time that has passed since the first query is too much, in milliseconds. Pages of running text take
 * three milliseconds for each kilobyte of the file, and those full of small tables five.
 */
function timeBound(fileSize: number): (time: number) => boolean {
  const most = 4_000 + (10 * fileSize) / 1024;
  let start = Number.POSITIVE_INFINITY;
  return (time) => {
    start = Math.min(start, time);
    return time - start > most;
  };
}

/** The processor's time, which is fair to a thread on a busy machine; the time of day where the thread does not tell. */
async function timeOf(thread: Measured): Promise<number> {
  const used = await thread.cpuUsage?.();
  return used === undefined ? performance.now() : (used.user + used.system) / 1_000;
}

const excesses = {
  memory: "The PDF is too large: reading it takes more memory than there is for a file of its size",
  time: "The PDF takes too long: others are waiting, and reading it takes more time than there is for a file of its size",
};

function tooMuch(of: keyof typeof excesses, cause?: unknown): ScrapeError {
  return new ScrapeError("SCRAPE_UNSUPPORTED_FILE_ERROR", excesses[of], { cause });
}
