/** The `model` of the call context: it serves the features that need one, and goes with the job that the call starts. */
import type { ParsedCallContext } from "../contract/call-context.ts";
import type { Feature } from "../contract/features.ts";
import { untilEnded } from "../jobs/follow.ts";
import type { CallParts } from "./call-parts.ts";

/** What the engine has, the caller's model included. */
export function featuresOf(parts: Pick<CallParts, "has">, { model }: ParsedCallContext): (feature: Feature) => boolean {
  return (feature) => (feature === "model" && model !== undefined) || parts.has(feature);
}

/** Gives the caller's model back once the job that works with it has ended. */
export function returnModel(parts: CallParts, jobId: string, { model }: ParsedCallContext): void {
  if (model === undefined) return;
  void untilEnded(parts.following, jobId).then(() => parts.jobModels.takeBack(jobId));
}
