/**
 * Language models that callers have lent to their jobs. They exist only in this process: after a restart the engine's
 * own model is used.
 */
export interface JobModels {
  /** An undefined model changes nothing. */
  lend(jobId: string, model: unknown): void;
  /** Undefined: the engine's own. */
  of(jobId: string): unknown;
  /** What was lent last, for `takeBack`. */
  lastLoan(jobId: string): Loan | undefined;
  /**
   * @param loan only this one: a batch may have ended, been opened again and been lent another model since. Default:
   * the last
   */
  takeBack(jobId: string, loan?: Loan): void;
}

interface Loan {
  readonly model: unknown;
}

export function createJobModels(): JobModels {
  const loans = new Map<string, Loan>();
  return {
    lend(jobId, model) {
      if (model !== undefined) loans.set(jobId, { model });
    },
    of: (jobId) => loans.get(jobId)?.model,
    lastLoan: (jobId) => loans.get(jobId),
    takeBack(jobId, loan = loans.get(jobId)) {
      if (loans.get(jobId) === loan) loans.delete(jobId);
    },
  };
}
