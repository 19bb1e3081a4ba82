/** Where the event loop should not be held: what a page may take there, and how it says that it takes more. */

export interface TransformLimits {
  readonly elements: number;
  /** Nodes that a list of selectors looks at. */
  readonly selectorSteps: number;
}

export const unlimited: TransformLimits = {
  elements: Number.POSITIVE_INFINITY,
  selectorSteps: Number.POSITIVE_INFINITY,
};

/** A page takes more than it may. */
export class TakesLong extends Error {}
