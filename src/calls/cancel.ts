import type { ParsedCallContext } from "../contract/call-context.ts";
import type { Cancelled } from "../contract/job.ts";
import { RequestError } from "../errors.ts";
import { releaseItems } from "../jobs/announce.ts";
import { findJob, isNotFound } from "../jobs/find-job.ts";
import { untilEnded } from "../jobs/follow.ts";
import { surely } from "../jobs/surely.ts";
import type { JobKind } from "../ports/job-store.ts";
import { onAbort } from "../shared/on-abort.ts";
import type { CallParts } from "./call-parts.ts";
import { requireOpen } from "./open-call.ts";

/** Cancels a job of the team. A job that has ended stays as it is; the answer is the same. */
export function cancelJob(parts: CallParts, kind: JobKind, id: string, team: string): Promise<Cancelled> {
  const cancelling = cancelNow(parts, kind, id, team);
  // A handle or a signal may ask for it as the engine closes.
  parts.track(cancelling);
  return cancelling;
}

async function cancelNow(parts: CallParts, kind: JobKind, id: string, team: string): Promise<Cancelled> {
  const { jobs } = parts.start;
  requireOpen(parts);
  await findJob(jobs, kind, id, team);
  const finishedAt = Date.now();
  const outbox = releaseItems(parts.start.sinks, { id, team });
  const ending = { finishedAt, expiresAt: finishedAt + parts.limits.jobTtlMs, outbox };
  if (await jobs.cancelJob(id, ending)) parts.telemetry.count("crawlcore.jobs", 1, { kind, state: "cancelled" });
  if (outbox.length > 0) parts.start.wakeOutbox();
  parts.abandon(id, new RequestError("CONFLICT", "The job was cancelled"));
  parts.following.progress.notify(id, "end");
  return { success: true, status: "cancelled" };
}

/**
 * Has the caller's signal cancel the job from now on, until the job has ended; if the storage fails, it is asked again.
 */
export function cancelOnAbort(
  parts: CallParts,
  kind: JobKind,
  id: string,
  { team, signal }: Pick<ParsedCallContext, "team" | "signal">,
): void {
  if (signal === undefined) return;
  const cancel = () => void surely(() => cancelIfThere(parts, kind, id, team), parts.closing);
  if (signal.aborted) return cancel();
  void untilEnded(parts.following, id).then(onAbort(signal, cancel));
}

async function cancelIfThere(parts: CallParts, kind: JobKind, id: string, team: string): Promise<void> {
  try {
    await cancelJob(parts, kind, id, team);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
