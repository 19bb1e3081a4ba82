/** Limits for transforming a page on the event loop, and the error that is thrown beyond them. */

export interface TransformLimits {
  readonly elements: number;
  /** Most nodes that a list of selectors may visit. */
  readonly selectorSteps: number;
}

export const unlimited: TransformLimits = {
  elements: Number.POSITIVE_INFINITY,
  selectorSteps: Number.POSITIVE_INFINITY,
};

/** A page exceeds its limits. */
export class TakesLong extends Error {}
