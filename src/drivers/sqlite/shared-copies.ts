/**
 * Memory in which bodies wait for the storage's thread. Both threads see it, and it is used again; nothing is moved from
 * one to the other (see "Time and memory" in `docs/architecture.md`).
 */

/** Bytes of a piece. */
const pieceBytes = 1024 * 1024;
/**
 * Most pieces that there are. None is ever thrown away while the thread lives: it would be kept alive by the thread,
 * which allocates so little that its garbage is seldom collected, and gigabytes would gather.
 */
const maxPieces = 16;

/** The pieces that a batch of copies lies in. */
type Pieces = readonly SharedArrayBuffer[];

export class SharedCopies {
  #made = 0;
  #spare: SharedArrayBuffer[] = [];
  #pieces: SharedArrayBuffer[] = [];
  /** Where the last piece is free. */
  #at = pieceBytes;

  /**
   * A copy, which is part of the present batch. What is larger than a piece, or comes when all pieces are in use, gets
   * memory of its own, which is copied once more on its way to the thread.
   */
  copy(body: Uint8Array): Uint8Array {
    const { byteLength } = body;
    const piece = this.#pieceFor(byteLength);
    if (piece === undefined) return new Uint8Array(body);
    const copy = new Uint8Array(piece, this.#at, byteLength);
    copy.set(body);
    // A multiple of eight: other places are copied to byte by byte.
    this.#at += (byteLength + 7) & ~7;
    return copy;
  }

  /** Begins another batch; what the last one lies in is to be released or forgotten. */
  next(): Pieces {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#at = pieceBytes;
    return pieces;
  }

  /** Nobody reads them any more. */
  release(pieces: Pieces): void {
    this.#spare.push(...pieces);
  }

  /** A thread that is ending may still read them, so they are not used again. */
  forget(pieces: Pieces): void {
    this.#made -= pieces.length;
  }

  /** Gives back the memory that is not in use, because the thread is about to end. */
  trim(): void {
    this.forget(this.#spare);
    this.#spare = [];
  }

  #pieceFor(byteLength: number): SharedArrayBuffer | undefined {
    if (this.#at + byteLength <= pieceBytes) return this.#pieces.at(-1);
    if (byteLength > pieceBytes) return undefined;
    const piece = this.#spare.pop() ?? this.#make();
    if (piece === undefined) return undefined;
    this.#pieces.push(piece);
    this.#at = 0;
    return piece;
  }

  #make(): SharedArrayBuffer | undefined {
    if (this.#made === maxPieces) return undefined;
    this.#made += 1;
    return new SharedArrayBuffer(pieceBytes);
  }
}
