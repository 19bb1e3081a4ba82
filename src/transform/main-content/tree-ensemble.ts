/** The shape of boosted symmetric trees: every level of a tree asks one question of all rows. */

/** Trees of equal depth; a row's leaf is the binary number of its answers, first question highest. */
export interface TreeEnsemble {
  readonly depth: number;
  readonly trees: number;
  readonly bias: number;
  /** The two halves are two models that were trained separately; their sum is the mean of both. */
  readonly isPair: boolean;
  /** `trees * depth` feature columns and thresholds: the answer is 1 if the value is above the threshold. */
  readonly features: Uint16Array;
  readonly thresholds: Float32Array;
  /** `trees * 2 ** depth` values. */
  readonly leaves: Float32Array;
}
