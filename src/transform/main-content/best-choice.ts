/** Chooses the blocks with the highest expected F1 of the page's words: all blocks from a certain chance on. */
import type { PageArrays } from "./page-arrays.ts";

/** Number of steps into which chances are divided. */
const STEPS = 64;

/**
 * 1 for each block to keep. If blocks are doubtful independently of each other, many of them contain about as many
 * right words as their chances predict; if they share one doubt (a shop's terms, the comments below an article), either
 * all of their words are right or none.
 *
 * @param sizes the blocks' sizes in words
 * @param sharedDoubt how much of the doubt is shared, 0 to 1
 */
export function chooseBest(
  chances: Float32Array,
  sizes: Float32Array,
  sharedDoubt: number,
  arrays: PageArrays,
): Uint8Array {
  // For each step: first the sum for the blocks at it, then for all blocks from it on.
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

/** The mean F1 of choosing all blocks from a step on, if the content equally likely begins at any step. */
function meanF1(words: Float64Array, chosen: number): number {
  const taken = words[chosen]!;
  let sum = 0;
  for (let step = 0; step < STEPS && words[step]! > 0; step++) {
    sum += (2 * Math.min(taken, words[step]!)) / (taken + words[step]!);
  }
  return sum / STEPS;
}
