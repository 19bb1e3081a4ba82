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

/** Returns the caller's model once the job that uses it has ended. */
export function returnModel(parts: CallParts, jobId: string, { model }: ParsedCallContext): void {
  const loan = parts.jobModels.lastLoan(jobId);
  if (model === undefined || loan === undefined) return;
  void untilEnded(parts.following, jobId).then(() => parts.jobModels.takeBack(jobId, loan));
}
