/**
 * Language models that callers have lent to their jobs. They exist only in this process: after a restart the engine's
 * own model is used.
 */
export interface JobModels {
  /** An undefined model changes nothing. */
  lend(jobId: string, model: unknown): void;
  /** Undefined: the engine's own. */
  of(jobId: string): unknown;
  takeBack(jobId: string): void;
}

export function createJobModels(): JobModels {
  const models = new Map<string, unknown>();
  return {
    lend(jobId, model) {
      if (model !== undefined) models.set(jobId, model);
    },
    of: (jobId) => models.get(jobId),
    takeBack: (jobId) => void models.delete(jobId),
  };
}
