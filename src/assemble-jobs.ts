/** Assembles the parts that work on jobs, and on the single pages that take turns with them. */

import { answering } from "./jobs/answering.ts";
import { batchWork } from "./jobs/batch-work.ts";
import { crawlWork } from "./jobs/crawl-work.ts";
import { extractWork } from "./jobs/extract-work.ts";
import { createHosts } from "./jobs/hosts.ts";
import type { JobModels } from "./jobs/job-models.ts";
import { createLanes } from "./jobs/lanes.ts";
import { createOpenWork } from "./jobs/open-work.ts";
import type { Pace } from "./jobs/pace.ts";
import { createProgress, type Progress } from "./jobs/progress.ts";
import { createReaders, type Readers } from "./jobs/readers.ts";
import { createSingleCalls } from "./jobs/single-calls.ts";
import { createSinglePage } from "./jobs/single-page.ts";
import type { SiteFiles } from "./jobs/site-files.ts";
import type { StartParts } from "./jobs/start.ts";
import type { Sweeper } from "./jobs/sweep.ts";
import type { WebSearch } from "./jobs/web-search.ts";
import { createWorker, type Worker } from "./jobs/worker.ts";
import type { ModelCalls } from "./model/model-calls.ts";
import { defaultLimits, type EngineOptions, withDefaults } from "./options.ts";
import type { ScrapePage } from "./page/scrape-page.ts";
import { tracedModels } from "./page/traced-models.ts";
import { waitingModels } from "./page/waiting-models.ts";
import type { Logger } from "./ports/logger.ts";
import type { Storage } from "./ports/storage.ts";
import type { Telemetry } from "./ports/telemetry.ts";

interface AssembledJobs {
  readonly worker: Worker;
  readonly progress: Progress;
  readonly readers: Readers;
  /** Scrapes a page outside of jobs once it is its turn. */
  readonly scrapeSingle: ScrapePage;
}

interface JobsContext extends Pick<StartParts, "sinks" | "wakeOutbox"> {
  readonly sweeper: Pick<Sweeper, "expect" | "sweep">;
  readonly jobModels: JobModels;
  readonly storage: Storage;
  /** The name of this engine's worker. */
  readonly name: string;
  readonly clock: () => number;
  readonly pace: Pace;
  readonly scrapePage: ScrapePage;
  readonly models: ModelCalls;
  readonly siteFiles: SiteFiles;
  readonly webSearch: WebSearch;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** Fires when the engine closes. */
  readonly closing: AbortSignal;
}

export function assembleJobs(
  options: EngineOptions,
  { storage, name, pace, models, siteFiles, webSearch, logger, closing, ...context }: JobsContext,
): AssembledJobs {
  const { scrapePage, sweeper, telemetry } = context;
  const jobs = answering(storage.jobs, ["listKeys"]);
  const versions = storage.versions && answering(storage.versions);
  const { maxConcurrency, maxConcurrencyPerHost, jobTtlMs } = withDefaults(defaultLimits, options.limits);
  const hosts = createHosts(maxConcurrencyPerHost, () => worker.wake());
  const lanes = createLanes(maxConcurrency);
  const progress = createProgress(closing);
  const readers = createReaders(() => worker.wake());
  const batchParts = { ...context, jobs, hosts, readers, jobTtlMs };
  const crawlParts = { ...batchParts, versions, siteFiles, respectRobots: options.robots !== "ignore" };
  const extractParts = { ...crawlParts, webSearch, model: options.model };
  const jobModelCalls = tracedModels(models, telemetry);
  const openWork = createOpenWork(
    {
      crawl: (job) => crawlWork(crawlParts, job),
      batch_scrape: (job) => batchWork(batchParts, job),
      extract: (job) => extractWork({ ...extractParts, models: waitingModels(jobModelCalls, job) }, job),
    },
    batchParts,
    logger,
  );
  const worker = createWorker(name, {
    jobs,
    clock: context.clock,
    lanes,
    hosts,
    readers,
    progress,
    pace,
    logger,
    telemetry,
    maxConcurrency,
    jobTtlMs,
    onGone: () => void sweeper.sweep(),
    open(job) {
      // The engine that accepted the job may be gone by the time it expires.
      sweeper.expect(job.expiresAt);
      return openWork(job);
    },
  });
  const singleCalls = createSingleCalls(lanes, hosts, () => worker.wake());
  const singlePage = createSinglePage({ scrapePage, versions, sweeper, logger });
  return { worker, progress, readers, scrapeSingle: (request) => singleCalls.run(request, () => singlePage(request)) };
}
