/** A trained lexicon: ratings by the hash of a word, in open addressing over typed arrays. */
import type { Rate } from "./element-names.ts";

/** Ratings are stored as whole steps of this size. */
export const RATING_STEP = 1 / 24;

/** Makes the look-up for `hashes` and their ratings in steps. */
export function lexicon(hashes: Int32Array, steps: Int8Array): Rate {
  let size = 16;
  while (size < hashes.length * 2.5) size *= 2;
  const mask = size - 1;
  const keys = new Int32Array(size);
  const ratings = new Float32Array(size);
  for (let index = 0; index < hashes.length; index++) {
    let at = slot(hashes[index]!) & mask;
    while (keys[at] !== 0) at = (at + 1) & mask;
    keys[at] = hashes[index]!;
    ratings[at] = steps[index]! * RATING_STEP;
  }
  return (hash) => {
    let at = slot(hash) & mask;
    for (;;) {
      const key = keys[at]!;
      if (key === hash) return ratings[at]!;
      if (key === 0) return 0;
      at = (at + 1) & mask;
    }
  };
}

function slot(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
