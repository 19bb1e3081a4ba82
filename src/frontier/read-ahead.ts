/** Reads a file before its turn comes. */

/** Most pieces that are held for a file; they have some 64 KiB each. */
const mostPieces = 16;

/**
 * The pieces of a body, of which some are read before they are asked for. If they are never asked for, whoever opened
 * the body has to end it.
 */
export function readAhead(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // A generator answers requests that come before it can in their order.
  const pieces = passedOn(body);
  const coming = Array.from({ length: mostPieces }, next);

  function next(): Promise<IteratorResult<Uint8Array>> {
    const piece = pieces.next();
    // Whoever asks for the piece learns of the failure.
    piece.catch(() => {});
    return piece;
  }

  return (async function* () {
    try {
      for (;;) {
        const piece = await coming.shift()!;
        if (piece.done) return;
        coming.push(next());
        yield piece.value;
      }
    } finally {
      // Not waited for: the pieces that were asked for come first, and may never come.
      pieces.return(undefined).catch(() => {});
    }
  })();
}

async function* passedOn(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body;
}
