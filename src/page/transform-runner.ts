/**
 * Decides where a page is transformed: small ones here, one after the other; those that would hold up the event loop,
 * in a thread. If the host allows more than one thread, they also take pages that arrive faster than they are
 * transformed here.
 */

import type { Logger } from "../ports/logger.ts";
import { errorText } from "../shared/error-text.ts";
import type { Waiter } from "../shared/team-turns.ts";
import type { MarkdownConverter } from "../transform/markdown/turndown-adapter.ts";
import { isPdf } from "../transform/media-type.ts";
import { NoThreads, type TransformPool } from "../transform/pool.ts";
import { TakesLong, type TransformLimits, unlimited } from "../transform/takes-long.ts";
import type { TransformInput, TransformResult } from "../transform/transform.ts";
import { transform } from "../transform/transform.ts";
import type { Turns } from "./turns.ts";

/**
 * A larger page takes longer than the host's event loop should be held up. Others are not sent to a thread for their
 * size: while it works, both are slower, and it compiles the same code once more.
 */
const largestHere = 512 * 1024;

/** For a smaller page, sending it to a thread and back costs too much compared with its work. */
const smallestShared = 48 * 1024;
/** With fewer waiting pages, this thread would soon have nothing to do until the next one arrives. */
const manyWaiting = 3;

/** Limits of a small page: each is some ten milliseconds of work, during which no other page has its turn. */
const limitsHere: TransformLimits = { elements: 8000, selectorSteps: 200_000 };

/**
 * `pool` null: everything here. So is what a host's own `converter` writes, which cannot go into a thread, and everything
 * where no thread can be started.
 */
export function createTransformRunner(
  pool: TransformPool | null,
  turns: Turns,
  logger: Logger,
  converter: MarkdownConverter | undefined,
): (input: TransformInput, signal: AbortSignal, waiter: Waiter) => Promise<TransformResult> {
  let isTold = false;

  function tell({ cause }: NoThreads): void {
    if (isTold) return;
    isTold = true;
    const error = errorText(cause);
    logger.warn("no thread could be started; large pages and PDFs are transformed on the event loop", { error });
  }

  return async (input, signal, waiter) => {
    const pdf = !input.rendered && isPdf(input.body, input.contentType, input.url);
    const threads = pdf || converter === undefined ? pool : null;
    const here = (limits: TransformLimits) => {
      const work = () => transform(input, signal, converter, limits);
      // Reading a PDF is mostly waiting, so other pages need not wait for it.
      return pdf ? work() : turns.take(work);
    };
    if (threads === null) return here(unlimited);
    const bytes = input.body.byteLength;
    const isShared = threads.size > 1 && bytes >= smallestShared && turns.waiting >= manyWaiting && threads.free > 0;
    try {
      if (!pdf && bytes <= largestHere && !isShared) return await here(limitsHere);
    } catch (error) {
      if (!(error instanceof TakesLong)) throw error;
    }
    try {
      return await threads.transform(input, signal, waiter);
    } catch (error) {
      if (!(error instanceof NoThreads)) throw error;
      tell(error);
      return here(unlimited);
    }
  };
}
