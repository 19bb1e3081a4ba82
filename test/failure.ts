/** The error that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Error & { code?: string; retryable?: boolean }> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  if ("value" in outcome) throw new Error(`Expected a rejection, got ${JSON.stringify(outcome.value)?.slice(0, 200)}`);
  return outcome.error;
}
