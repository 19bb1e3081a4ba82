/**
 * The `model` of the call context: it is used for the features that need one, and lent to the job that the call starts.
 */
import type { ParsedCallContext } from "../contract/call-context.ts";
import type { Feature } from "../contract/features.ts";
import { untilEnded } from "../jobs/follow.ts";
import type { CallParts } from "./call-parts.ts";

/** The features that the engine has for this call, including the caller's model. */
export function featuresOf(parts: Pick<CallParts, "has">, { model }: ParsedCallContext): (feature: Feature) => boolean {
  return (feature) => (feature === "model" && model !== undefined) || parts.has(feature);
}

/**
 * Lends the caller's model to a job while `start` starts it or adds to it, and until it has ended.
 *
 * If `start` fails, the job may be there all the same: then it is the storage's answer that was lost.
 */
export async function lendingModel(
  { jobModels, following }: Pick<CallParts, "jobModels" | "following">,
  jobId: string,
  { model }: ParsedCallContext,
  start: () => Promise<void>,
): Promise<void> {
  if (model === undefined) return start();
  // Before a worker can take the job up.
  const loan = jobModels.lend(jobId, model);
  try {
    await start();
  } catch (error) {
    jobModels.setBack(jobId, loan);
    throw error;
  } finally {
    void untilEnded(following, jobId).then(() => jobModels.takeBack(jobId, loan));
  }
}
