/** What a page may take where the event loop should not be held. */
export interface TransformLimits {
  readonly elements: number;
  /** Nodes that selectors look at for one element. */
  readonly selectorSteps: number;
}

export const unlimited: TransformLimits = {
  elements: Number.POSITIVE_INFINITY,
  selectorSteps: Number.POSITIVE_INFINITY,
};

/** A page takes more than it may. */
export class TakesLong extends Error {}
