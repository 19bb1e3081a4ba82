/** Chooses the blocks with the highest expected F1 of the page's words: all from some chance on. */
import type { PageArrays } from "./page-arrays.ts";

/** Chances are told apart in so many steps. */
const STEPS = 64;

/**
 * 1 for each block to keep. Where each doubt stands for itself, many doubtful blocks bring about as many right words as
 * their chances say; where one doubt is about them all (a shop's terms, the comments below an article), they bring all of
 * their words or none.
 *
 * @param sizes the blocks' sizes in words
 * @param sharedDoubt how much of the doubt is one and the same, 0 to 1
 */
export function chooseBest(
  chances: Float32Array,
  sizes: Float32Array,
  sharedDoubt: number,
  arrays: PageArrays,
): Uint8Array {
  // By step: first of the blocks at it, then of all from it on.
  const words = arrays.doubles(STEPS + 1);
  const right = arrays.doubles(STEPS + 1);
  for (let block = 0; block < chances.length; block++) {
    const step = stepOf(chances[block]!);
    words[step]! += sizes[block]!;
    right[step]! += sizes[block]! * chances[block]!;
  }
  for (let step = STEPS - 1; step >= 0; step--) {
    words[step]! += words[step + 1]!;
    right[step]! += right[step + 1]!;
  }
  let best = 0;
  let least = STEPS;
  for (let step = STEPS - 1; step >= 0; step--) {
    if (words[step] === words[step + 1]) continue;
    const alone = (2 * right[step]!) / (words[step]! + right[0]!);
    const f1 = alone + (sharedDoubt === 0 ? 0 : sharedDoubt * (meanF1(words, step) - alone));
    if (f1 > best) {
      best = f1;
      least = step;
    }
  }
  const keep = arrays.bytes(chances.length);
  for (let block = 0; block < chances.length; block++) keep[block] = stepOf(chances[block]!) >= least ? 1 : 0;
  return keep;
}

const stepOf = (chance: number): number => Math.min(STEPS - 1, Math.floor(chance * STEPS));

/** The mean F1 of all from a step on, if the content may be with equal chance all from any step on. */
function meanF1(words: Float64Array, chosen: number): number {
  const taken = words[chosen]!;
  let sum = 0;
  for (let step = 0; step < STEPS && words[step]! > 0; step++) {
    sum += (2 * Math.min(taken, words[step]!)) / (taken + words[step]!);
  }
  return sum / STEPS;
}
