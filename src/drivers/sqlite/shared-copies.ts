/**
 * Memory in which bodies wait for the storage's thread. Both threads see it, and it is used again; nothing is moved from
 * one to the other (see "Time and memory" in `docs/architecture.md`).
 */

/** Bytes of a piece; what does not fit has a piece of its own. */
const pieceBytes = 1024 * 1024;
/** Most pieces that are kept for what comes later. */
const maxSpare = 8;

/** The pieces that a batch of copies lies in. */
type Pieces = readonly SharedArrayBuffer[];

export class SharedCopies {
  #spare: SharedArrayBuffer[] = [];
  #pieces: SharedArrayBuffer[] = [];
  /** Where the last piece is free. */
  #at = pieceBytes;

  /** A copy, which is part of the present batch. */
  copy(body: Uint8Array): Uint8Array {
    const { byteLength } = body;
    if (this.#at + byteLength > pieceBytes) {
      const fits = byteLength <= pieceBytes;
      this.#pieces.push((fits && this.#spare.pop()) || new SharedArrayBuffer(fits ? pieceBytes : byteLength));
      this.#at = 0;
    }
    const copy = new Uint8Array(this.#pieces.at(-1)!, this.#at, byteLength);
    copy.set(body);
    // A multiple of eight: other places are copied to byte by byte.
    this.#at += (byteLength + 7) & ~7;
    return copy;
  }

  /** Begins another batch; what the last one lies in is to be released when it has been written. */
  next(): Pieces {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#at = pieceBytes;
    return pieces;
  }

  release(pieces: Pieces): void {
    for (const piece of pieces) {
      if (piece.byteLength === pieceBytes && this.#spare.length < maxSpare) this.#spare.push(piece);
    }
  }

  /** Gives back the memory that is not in use. */
  trim(): void {
    this.#spare = [];
  }
}
