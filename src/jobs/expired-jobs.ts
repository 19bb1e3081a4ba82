import type { JobRecord, JobStore } from "../ports/job-store.ts";
import type { Logger } from "../ports/logger.ts";
import { errorName } from "../shared/error-text.ts";
import { announce, releaseItems } from "./announce.ts";
import { announcedOf } from "./announced-of.ts";
import type { EndParts } from "./end-job.ts";

interface ExpiredJobsParts extends Pick<EndParts, "sinks" | "wakeOutbox" | "telemetry"> {
  readonly jobs: Pick<JobStore, "listExpiredJobs" | "cancelJob">;
  readonly logger: Logger;
}

const expired = "The job expired before it had ended";

/**
 * Ends the jobs that have expired at `now` before their end, because no engine worked on them for as long as jobs are
 * kept. To be called before what has expired is deleted: whoever started them learns of it, and what was reserved for
 * them is released.
 */
export async function endExpiredJobs(parts: ExpiredJobsParts, now: number): Promise<void> {
  const { jobs, sinks, logger, telemetry } = parts;
  for (const job of await jobs.listExpiredJobs(now)) {
    const { id, kind } = job;
    try {
      await end(job);
    } catch (error) {
      // What else has expired is no less due.
      logger.error("an expired job could not be ended", { jobId: id, kind, error: errorName(error) });
    }
  }

  async function end(job: JobRecord): Promise<void> {
    const { id, kind, expiresAt } = job;
    const failed = announce(announcedOf(job), "failed", sinks.events, now, { error: expired });
    const outbox = [...failed, ...releaseItems(sinks, job)];
    // It may have been ended by another engine.
    if (!(await jobs.cancelJob(id, { finishedAt: now, expiresAt, outbox }))) return;
    logger.warn("a job expired before it had ended", { jobId: id, kind });
    telemetry.count("crawlcore.jobs", 1, { kind, state: "failed" });
    if (outbox.length > 0) parts.wakeOutbox();
  }
}
