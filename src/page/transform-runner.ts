/** Where a page is transformed: small ones here, one after the other; what would hold the event loop, in a thread. */

import type { TransformPool } from "../transform/pool.ts";
import type { TransformInput, TransformResult } from "../transform/transform.ts";
import { transform } from "../transform/transform.ts";
import type { MarkdownConverter } from "../transform/turndown-adapter.ts";
import type { Turns } from "./turns.ts";

/** A larger page takes longer than a host's event loop should be held. */
const largestHere = 256 * 1024;

/** `pool` null: everything here. So is what a host's own `converter` writes, which cannot go into a thread. */
export function createTransformRunner(
  pool: TransformPool | null,
  inTurn: Turns,
  converter?: MarkdownConverter,
): (input: TransformInput, signal: AbortSignal) => Promise<TransformResult> {
  return async (input, signal) => {
    const isLarge = converter === undefined && input.body.byteLength > largestHere;
    const pdf = isPdf(input.body);
    if (pool !== null && (isLarge || pdf)) return pool.transform(input, signal);
    const work = () => transform(input, signal, converter);
    // Reading a PDF is mostly waiting: no other page has to.
    return pdf ? work() : inTurn(work);
  };
}

function isPdf(body: Uint8Array): boolean {
  return body[0] === 0x25 && body[1] === 0x50 && body[2] === 0x44 && body[3] === 0x46;
}
