/** Trained lexicons: ratings of words by their hashes, in open addressing over typed arrays. */

/** Rates the hash of a word: above zero if it is typical of main content, below zero if it is typical of the rest. */
export type Rate = (hash: number) => number;

/** Ratings are stored as whole steps of this size. */
export const RATING_STEP = 1 / 24;

/** The bits of an entry that contain the rating; the others belong to the hash. */
const RATING_BITS = 0xff;

/**
 * Creates the look-up for `hashes` and their ratings in steps. An entry contains a rating and the higher bits of a
 * hash; the lower bits determine its place. So the table has half the size, and stays in the processor's cache.
 */
export function lexicon(hashes: Int32Array, steps: Int8Array): Rate {
  const size = tableSize(hashes.length);
  const mask = size - 1;
  const table = new Int32Array(size);
  const filter = new WordFilter(size);
  for (let index = 0; index < hashes.length; index++) {
    if (steps[index] === 0) continue;
    filter.add(hashes[index]!);
    let at = slot(hashes[index]!) & mask;
    while (table[at] !== 0) at = (at + 1) & mask;
    table[at] = (hashes[index]! & ~RATING_BITS) | (steps[index]! & RATING_BITS);
  }
  const ratings = Float32Array.from({ length: RATING_BITS + 1 }, (_, step) => ((step << 24) >> 24) * RATING_STEP);
  return (hash) => {
    if (!filter.mayHold(hash)) return 0;
    let at = slot(hash) & mask;
    for (;;) {
      const entry = table[at]!;
      if (entry === 0) return 0;
      if (((entry ^ hash) & ~RATING_BITS) === 0) return ratings[entry & RATING_BITS]!;
      at = (at + 1) & mask;
    }
  };
}

/** Creates the search for the index of a hash in `hashes`, each of which occurs once and is not zero; -1 for others. */
export function placesOf(hashes: Int32Array): (hash: number) => number {
  const size = tableSize(hashes.length);
  const mask = size - 1;
  // A hash and its index are adjacent, so that one memory access is enough.
  const table = new Int32Array(size * 2);
  const filter = new WordFilter(size);
  for (let place = 0; place < hashes.length; place++) {
    filter.add(hashes[place]!);
    let at = slot(hashes[place]!) & mask;
    while (table[at * 2] !== 0) at = (at + 1) & mask;
    table[at * 2] = hashes[place]!;
    table[at * 2 + 1] = place;
  }
  return (hash) => {
    if (!filter.mayHold(hash)) return -1;
    let at = slot(hash) & mask;
    for (;;) {
      const key = table[at * 2]!;
      if (key === 0) return -1;
      if (key === hash) return table[at * 2 + 1]!;
      at = (at + 1) & mask;
    }
  };
}

/** Some bits for each hash, small enough for the nearest cache: most words of a page are in no lexicon. */
class WordFilter {
  readonly #bits: Uint32Array;
  readonly #mask: number;

  /** @param size of the table behind it, a power of two */
  constructor(size: number) {
    this.#bits = new Uint32Array(size / 8);
    this.#mask = size * 4 - 1;
  }

  add(hash: number): void {
    const bit = this.#place(hash);
    this.#bits[bit >>> 5]! |= 1 << (bit & 31);
  }

  mayHold(hash: number): boolean {
    const bit = this.#place(hash);
    return ((this.#bits[bit >>> 5]! >>> (bit & 31)) & 1) !== 0;
  }

  #place(hash: number): number {
    return (hash ^ (hash >>> 12)) & this.#mask;
  }
}

function tableSize(entries: number): number {
  let size = 16;
  while (size < entries * 1.5) size *= 2;
  return size;
}

function slot(hash: number): number {
  return hash ^ (hash >>> 15);
}
