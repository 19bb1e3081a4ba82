/** Transforms pages in worker threads, so that a host's event loop stays free; the results are those of `transform`. */
import { access } from "node:fs/promises";
import type { Piscina } from "piscina";
import { createTeamTurns, type Waiter } from "../contract/team-turns.ts";
import { RequestError, type RequestErrorCode, ScrapeError, type ScrapeErrorCode } from "../errors.ts";
import { isPdf } from "./media-type.ts";
import { type Taker, withinMemory } from "./thread-memory.ts";
import type { ThreadAnswer, ThreadTask } from "./thread-worker.ts";
import type { TransformInput, TransformResult } from "./transform-shapes.ts";

/** There are no threads: the host forbids them, or their file is not beside this one, as in some bundles. */
export class NoThreads extends Error {}

export interface TransformPool {
  /** Threads at most. */
  readonly size: number;
  /** Those of them that have nothing to do, started or not. */
  readonly free: number;
  /**
   * As `transform`, once a thread has time for it. Rejects with the signal's reason as soon as it is aborted, also in
   * the middle of a page.
   *
   * @throws NoThreads
   * @throws ScrapeError `SCRAPE_UNSUPPORTED_FILE_ERROR` when a PDF takes far more memory than its size explains
   */
  transform(input: TransformInput, signal?: AbortSignal, waiter?: Waiter): Promise<TransformResult>;
  /** Stops the threads; pages that are still at work are rejected with `ENGINE_CLOSED`. Idempotent. */
  close(): Promise<void>;
}

export interface TransformPoolOptions {
  /** Threads at most, one or more. */
  readonly threads: number;
}

/** A thread without work ends after this time, in milliseconds. */
const idleTimeout = 30_000;

/**
 * Makes a pool. Threads start with the first page, and do not keep the process alive.
 *
 * @example
 * const pool = createTransformPool({ threads: 2 });
 * const { markdown } = await pool.transform(input);
 * await pool.close();
 */
export function createTransformPool({ threads }: TransformPoolOptions): TransformPool {
  let piscina: Promise<Threads> | undefined;
  let closed = false;
  // Pages wait here for a thread, not inside Piscina: when a thread ends in the middle of a page, it starts no other for
  // those that wait.
  const turns = createTeamTurns(threads);

  async function inThread(input: TransformInput, signal: AbortSignal | undefined): Promise<TransformResult> {
    if (closed) throw poolClosed();
    piscina ??= startThreads(threads, () => {
      piscina = undefined;
    });
    const pool = await piscina;
    // A copy of just these bytes, which then moves: the caller's stay as they are, and may be part of a larger buffer.
    const body = new Uint8Array(input.body);
    const run = (taker?: Taker, excess?: AbortSignal) => {
      const signals = [signal, excess].filter((one) => one !== undefined);
      const task = { input: { ...input, body }, taker };
      return pool.run(task, { transferList: [body.buffer], signal: AbortSignal.any(signals) });
    };
    try {
      // Other pages take memory by what they say; a PDF by what it can be unpacked to.
      const isBounded = !input.rendered && isPdf(body, input.contentType, input.url);
      const answer = await (isBounded ? withinMemory(() => pool.threads, body.byteLength, run) : run());
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

/** Asked with null, a thread only answers. */
type Threads = Piscina<ThreadTask | null, ThreadAnswer | null>;

/** @param onLost a thread could not be started although others were: all of them are ended */
async function startThreads(threads: number, onLost: () => void): Promise<Threads> {
  try {
    // Beside this file: its source, or what the build makes of it.
    const name = import.meta.url.endsWith(".ts") ? "thread-worker.ts" : "crawlcore-transform-thread.js";
    const file = new URL(name, import.meta.url);
    // Where it was left behind, Piscina's own was too, and what is called as that one is would be the program's.
    await access(file);
    const { Piscina } = await import("piscina");
    const pool: Threads = new Piscina({
      filename: file.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout,
    });
    const failure = Promise.withResolvers<never>();
    // Were nobody listening, it would end the process.
    pool.on("error", failure.reject);
    // When it fails, the pool is left alone: to destroy it would reject a promise that nobody has.
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
