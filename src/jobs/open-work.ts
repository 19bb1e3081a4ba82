/**
 * Creates the work of a job that is taken up. A job that cannot be worked on, or whose end the storage never accepts,
 * ends as failed.
 */
import { ScrapeError } from "../errors.ts";
import type { JobKind, JobRecord, LeasedPage } from "../ports/job-store.ts";
import type { Logger } from "../ports/logger.ts";
import { errorText } from "../shared/error-text.ts";
import type { AnnouncedJob } from "./announce.ts";
import { announcedOf } from "./announced-of.ts";
import { type EndParts, endJob } from "./end-job.ts";
import type { JobWork, PageEnd } from "./job-work.ts";
import { completionOf, Failed } from "./page-completion.ts";

type Works = Readonly<Record<JobKind, (job: JobRecord) => JobWork>>;

/** How often it is tried to create a job's work: another engine, of another version, may understand its request. */
const mostTries = 5;

/**
 * How often it is tried to end a job, some four seconds apart. A storage that was away accepts the true end when it is
 * back; an end that it never accepts, because of its content, should not be produced for ever.
 */
const mostEnds = 10;

const notUnderstood = "The job cannot be continued: its stored request is not understood by this version";
const notStored = "The end of the job could not be stored";

/** Throws for a job that cannot be opened, so that it is delivered again, until it has been tried often enough. */
export function createOpenWork(works: Works, parts: EndParts, logger: Logger): (job: JobRecord) => JobWork {
  const tries = new Map<string, number>();
  return (job) => {
    try {
      const work = works[job.kind](job);
      tries.delete(job.id);
      return withLastEnd(work, parts, logger);
    } catch (error) {
      const count = (tries.get(job.id) ?? 0) + 1;
      tries.set(job.id, count);
      if (count < mostTries) throw error;
      tries.delete(job.id);
      logger.error("the stored request of a job is not understood; it fails", {
        jobId: job.id,
        error: errorText(error),
      });
      return brokenWork(parts, job);
    }
  };
}

/** The same work, but a job whose end the storage does not accept fails after the last try. */
function withLastEnd(work: JobWork, parts: EndParts, logger: Logger): JobWork {
  let failed = 0;
  return {
    ...work,
    async finish(job) {
      try {
        await work.finish(job);
      } catch (error) {
        failed += 1;
        if (failed < mostEnds) throw error;
        logger.error("the end of a job could not be stored; the job fails", { jobId: job.id, error: errorText(error) });
        await endJob(parts, announcedOf(job), job, notStored);
      }
    },
  };
}

/** Every open page fails, and with them the job. */
function brokenWork(parts: EndParts, record: JobRecord): JobWork {
  const announced = announcedOf(record);
  return {
    maxConcurrency: undefined,
    prepare: async () => {},
    expand: () => parts.jobs.finishExpansion(record.id),
    workPage: (_, page) => failPage(parts, announced, page),
    finish: (job) => endJob(parts, announced, job, notUnderstood),
  };
}

async function failPage(parts: EndParts, job: AnnouncedJob, page: LeasedPage): Promise<PageEnd> {
  const failed = new Failed(new ScrapeError("UNKNOWN_ERROR", notUnderstood));
  const nothing = { discovered: [], leftOut: [] };
  const completion = completionOf(parts.sinks, { job, apiKey: null }, page, failed, nothing, Date.now());
  const { status } = await parts.jobs.completePage(page.lease, completion);
  if (completion.outbox.length > 0) parts.wakeOutbox();
  return { listed: status === "stored", fenced: status === "fenced" };
}
