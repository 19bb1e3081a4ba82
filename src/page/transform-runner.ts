/** Where a page is transformed: small ones here, one after the other; what would hold the event loop, in a thread. */

import { isPdf } from "../transform/media-type.ts";
import type { TransformPool } from "../transform/pool.ts";
import { TakesLong, type TransformLimits, unlimited } from "../transform/takes-long.ts";
import type { TransformInput, TransformResult } from "../transform/transform.ts";
import { transform } from "../transform/transform.ts";
import type { MarkdownConverter } from "../transform/turndown-adapter.ts";
import type { Turns } from "./turns.ts";

/** A larger page takes longer than a host's event loop should be held. */
const largestHere = 256 * 1024;

/** Of a small page: each some ten milliseconds of work, in which no other page has its turn. */
const limitsHere: TransformLimits = { elements: 8000, selectorSteps: 200_000 };

/** `pool` null: everything here. So is what a host's own `converter` writes, which cannot go into a thread. */
export function createTransformRunner(
  pool: TransformPool | null,
  inTurn: Turns,
  converter?: MarkdownConverter,
): (input: TransformInput, signal: AbortSignal) => Promise<TransformResult> {
  return async (input, signal) => {
    const pdf = !input.rendered && isPdf(input.body, input.contentType, input.url);
    const threads = pdf || converter === undefined ? pool : null;
    if (threads !== null && (pdf || input.body.byteLength > largestHere)) return threads.transform(input, signal);
    const work = () => transform(input, signal, converter, threads === null ? unlimited : limitsHere);
    // Reading a PDF is mostly waiting: no other page has to.
    if (pdf) return work();
    try {
      return await inTurn(work);
    } catch (error) {
      if (threads === null || !(error instanceof TakesLong)) throw error;
      return threads.transform(input, signal);
    }
  };
}
