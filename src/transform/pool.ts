/**
 * Transforms pages in worker threads, so that the host's event loop stays free. The results are those of `transform`.
 */
import { access } from "node:fs/promises";
import type { Piscina } from "piscina";
import { RequestError, type RequestErrorCode, ScrapeError, type ScrapeErrorCode } from "../errors.ts";
import { errorText } from "../shared/error-text.ts";
import { createTeamTurns, type Waiter } from "../shared/team-turns.ts";
import { isPdf } from "./media-type.ts";
import { type Taker, withinBounds } from "./thread-bounds.ts";
import type { ThreadAnswer, ThreadTask } from "./thread-worker.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";

/** No thread could be started: the host forbids threads, or their file is not next to this one, as in some bundles. */
export class NoThreads extends Error {}

export interface TransformPool {
  /** Most threads. */
  readonly size: number;
  /** How many of them are idle, or not started. */
  readonly free: number;
  /**
   * Like `transform`, once a thread is free. Rejects with the signal's reason as soon as that is aborted, even in the
   * middle of a page.
   *
   * @throws NoThreads
   * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` if a PDF takes far more memory than its size explains, or, while
   *   others are waiting, far more time
   */
  transform(input: TransformInput, signal?: AbortSignal, waiter?: Waiter): Promise<TransformResult>;
  /** Stops the threads; pages in progress are rejected with `ENGINE_CLOSED`. Idempotent. */
  close(): Promise<void>;
}

export interface TransformPoolOptions {
  /** Most threads, one or more. */
  readonly threads: number;
}

/** A thread without work ends after this time, in milliseconds. */
const idleTimeout = 30_000;

/** Bytes that are copied for a thread; it takes about a millisecond. */
const maxCopied = 4 * 1024 * 1024;

/** If no thread could be started, the next try is made after this time, in milliseconds: memory may be free again. */
const pauseAfterFailure = 60_000;

/**
 * Creates a pool. Threads start with the first page, and do not keep the process alive.
 *
 * @example
 * const pool = createTransformPool({ threads: 2 });
 * const { markdown } = await pool.transform(input);
 * await pool.close();
 */
export function createTransformPool({ threads }: TransformPoolOptions): TransformPool {
  let piscina: Promise<Threads> | undefined;
  let closed = false;
  let nextStart = Number.POSITIVE_INFINITY;
  // Pages wait for a thread here rather than inside Piscina, which starts no new thread for waiting pages when one ends
  // in the middle of a page.
  const turns = createTeamTurns(threads);

  function started(): Promise<Threads> {
    if (closed) throw poolClosed();
    if (piscina !== undefined && performance.now() < nextStart) return piscina;
    nextStart = Number.POSITIVE_INFINITY;
    piscina = startThreads(threads, () => {
      piscina = undefined;
    });
    piscina.catch(() => {
      nextStart = performance.now() + pauseAfterFailure;
    });
    return piscina;
  }

  async function inThread(input: TransformInput, signal: AbortSignal | undefined): Promise<TransformResult> {
    const pool = await started();
    // A copy of just these bytes: the caller's are not touched, and may be part of a larger buffer.
    const body = new Uint8Array(input.body);
    // They are copied again rather than moved, unless that takes long (see "Time and memory" in docs/architecture.md).
    const transferList = body.byteLength > maxCopied ? [body.buffer] : [];
    const run = (taker?: Taker, excess?: AbortSignal) => {
      const signals = [signal, excess].filter((one) => one !== undefined);
      const task = { input: { ...input, body }, taker };
      return pool.run(task, { transferList, signal: AbortSignal.any(signals) });
    };
    try {
      // Other pages take memory and time in proportion to their size; a PDF in proportion to what it unpacks to.
      const isBounded = !input.rendered && isPdf(body, input.contentType, input.url);
      const othersWait = () => turns.waiting > 0;
      const answer = await (isBounded ? withinBounds(() => pool.threads, body.byteLength, othersWait, run) : run());
      return resultOf(answer as ThreadAnswer);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof RequestError || error instanceof ScrapeError) throw error;
      throw closed ? poolClosed() : new ScrapeError("UNKNOWN_ERROR", "The page could not be read", { cause: error });
    }
  }

  return {
    size: threads,
    get free() {
      return turns.free;
    },
    async transform(input, signal, { team, untimed } = { team: "" }) {
      signal?.throwIfAborted();
      const turn = turns.take(team, signal);
      const end = await (untimed?.(turn) ?? turn);
      try {
        return await inThread(input, signal);
      } finally {
        end();
      }
    },
    async close() {
      closed = true;
      await piscina?.then(
        (pool) => pool.destroy(),
        () => {},
      );
    },
  };
}

/** Given null, a thread just answers. */
type Threads = Piscina<ThreadTask | null, ThreadAnswer | null>;

/** @param onLost called if a thread could not be started although others were; all of them are then ended */
async function startThreads(threads: number, onLost: () => void): Promise<Threads> {
  try {
    const file = await threadFile();
    const { Piscina } = await import("piscina");
    const pool: Threads = new Piscina({
      filename: file.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout,
    });
    const failure = Promise.withResolvers<never>();
    // Without a listener, the event would end the process.
    pool.on("error", failure.reject);
    // If it fails, the pool is not destroyed, because that would reject a promise that nobody handles.
    await Promise.race([pool.run(null), failure.promise]);
    failure.promise.catch(() => {
      onLost();
      return pool.destroy();
    });
    return pool;
  } catch (cause) {
    throw new NoThreads("No thread could be started", { cause });
  }
}

/** A file next to this one: its source, or its build. */
async function threadFile(): Promise<URL> {
  // In a program that a bundler makes CommonJS of, modules have no address.
  const here: string | undefined = import.meta.url;
  const name = here?.endsWith(".ts") ? "thread-worker.ts" : "crawlcore-transform-thread.js";
  try {
    const file = new URL(name, here);
    // If this file was left out of a bundle, Piscina's own worker file was too, and a file with its name would be one
    // of the program's.
    await access(file);
    return file;
  } catch (cause) {
    const reason = here === undefined ? "the program does not know its own address" : errorText(cause);
    throw new Error(`${name} was not found (${reason}); bundlers leave it behind unless the package stays outside`);
  }
}

function resultOf(answer: ThreadAnswer): TransformResult {
  if ("result" in answer) return answer.result;
  const { code, message, details, retryable } = answer.error;
  if (answer.kind === "request") {
    throw new RequestError(code as RequestErrorCode, message, {
      ...(details && { details }),
    });
  }
  throw new ScrapeError(code as ScrapeErrorCode, message, {
    retryable,
    ...(details && { details }),
  });
}

const poolClosed = (): RequestError => new RequestError("ENGINE_CLOSED", "The engine is closed");
