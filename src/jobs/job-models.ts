/**
 * Language models that callers have lent to their jobs. They exist only in this process: after a restart the engine's
 * own model is used.
 */
export interface JobModels {
  lend(jobId: string, model: unknown): Loan;
  /** The model that was lent last; undefined: the engine's own. */
  of(jobId: string): unknown;
  /** The call that lent the model has failed: it is used only if the job has been lent no other. */
  setBack(jobId: string, loan: Loan): void;
  takeBack(jobId: string, loan: Loan): void;
}

interface Loan {
  readonly model: unknown;
}

export function createJobModels(): JobModels {
  /** The loan that is used comes last. */
  const loans = new Map<string, Loan[]>();

  function remove(jobId: string, loan: Loan): readonly Loan[] | undefined {
    const left = loans.get(jobId)?.filter((present) => present !== loan);
    if (left?.length === 0) loans.delete(jobId);
    else if (left !== undefined) loans.set(jobId, left);
    return left;
  }

  return {
    lend(jobId, model) {
      const loan = { model };
      loans.set(jobId, [...(loans.get(jobId) ?? []), loan]);
      return loan;
    },
    of: (jobId) => loans.get(jobId)?.at(-1)?.model,
    setBack(jobId, loan) {
      loans.set(jobId, [loan, ...(remove(jobId, loan) ?? [])]);
    },
    takeBack: (jobId, loan) => void remove(jobId, loan),
  };
}
