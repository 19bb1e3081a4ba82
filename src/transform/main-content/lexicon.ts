/** Trained lexicons: what is known of a word, by its hash, in open addressing over typed arrays. */
import type { Rate } from "./element-names.ts";

/** Ratings are stored as whole steps of this size. */
export const RATING_STEP = 1 / 24;

/** Makes the look-up for `hashes` and their ratings in steps. */
export function lexicon(hashes: Int32Array, steps: Int8Array): Rate {
  const find = placesOf(hashes);
  const ratings = Float32Array.from(steps, (step) => step * RATING_STEP);
  return (hash) => {
    const place = find(hash);
    return place < 0 ? 0 : ratings[place]!;
  };
}

/** Makes the search for the place of a hash among `hashes`, each of which occurs once; -1 for others. */
export function placesOf(hashes: Int32Array): (hash: number) => number {
  let size = 16;
  while (size < hashes.length * 2.5) size *= 2;
  const mask = size - 1;
  // A hash and its place side by side: one visit to memory answers.
  const table = new Int32Array(size * 2);
  // The hash of nothing, and of a word said twice. Elsewhere zero marks what is free.
  const placeOfZero = hashes.indexOf(0);
  for (let place = 0; place < hashes.length; place++) {
    if (place === placeOfZero) continue;
    let at = slot(hashes[place]!) & mask;
    while (table[at * 2] !== 0) at = (at + 1) & mask;
    table[at * 2] = hashes[place]!;
    table[at * 2 + 1] = place;
  }
  return (hash) => {
    let at = slot(hash) & mask;
    for (;;) {
      const key = table[at * 2]!;
      if (key === 0) return hash === 0 ? placeOfZero : -1;
      if (key === hash) return table[at * 2 + 1]!;
      at = (at + 1) & mask;
    }
  };
}

function slot(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
