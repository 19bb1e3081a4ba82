/** Assembles the parts of an engine, and closes them in reverse order. */

import { assembleDelivery } from "./assemble-delivery.ts";
import { assembleJobs } from "./assemble-jobs.ts";
import { assemblePages, readOptions } from "./assemble-pages.ts";
import type { CallParts } from "./calls/call-parts.ts";
import { closeParts } from "./close-parts.ts";
import type { Feature } from "./contract/features.ts";
import { memoryStorage } from "./drivers/memory/index.ts";
import { memoryQueue } from "./drivers/memory-queue.ts";
import { safeLogger } from "./drivers/safe-logger.ts";
import { safeTelemetry } from "./drivers/safe-telemetry.ts";
import { ownIndex } from "./drivers/search/own-index.ts";
import { RequestError } from "./errors.ts";
import { answering } from "./jobs/answering.ts";
import { consumeTasks } from "./jobs/consume.ts";
import { endExpiredJobs } from "./jobs/expired-jobs.ts";
import { createJobModels } from "./jobs/job-models.ts";
import { defaultPublicUrl } from "./jobs/job-url.ts";
import { createPace } from "./jobs/pace.ts";
import { createReadRanges } from "./jobs/read-ranges.ts";
import { recoverJobs, recoverOutbox } from "./jobs/recover.ts";
import { createSiteFiles } from "./jobs/site-files.ts";
import { surely } from "./jobs/surely.ts";
import { createSweeper } from "./jobs/sweep.ts";
import { createWebSearch } from "./jobs/web-search.ts";
import { whileOpen } from "./jobs/while-open.ts";
import { nameWorker } from "./jobs/worker-names.ts";
import { defaultLimits, defaultPricing, type EngineOptions, withDefaults } from "./options.ts";
import type { FetchNeed } from "./ports/fetcher.ts";
import type { Task } from "./ports/job-queue.ts";
import type { SearchProvider } from "./ports/search-provider.ts";
import type { Storage } from "./ports/storage.ts";
import { createBackground } from "./shared/background.ts";
import { errorText } from "./shared/error-text.ts";
import { outside } from "./shared/outside.ts";
import { createSteadyClock } from "./shared/steady-clock.ts";

function searchProviders({ search }: EngineOptions, { index }: Storage): readonly SearchProvider[] {
  if (search !== undefined) return [search].flat();
  return index === undefined ? [] : [ownIndex(index)];
}

/** What an engine can do: a matter of its fetchers, apart from what the others tell. */
function featureTest(
  can: (need: FetchNeed) => boolean,
  others: Readonly<Record<Exclude<Feature, FetchNeed>, boolean>>,
): CallParts["has"] {
  const isOther = (feature: Feature): feature is Exclude<Feature, FetchNeed> => Object.hasOwn(others, feature);
  return (feature) => (isOther(feature) ? others[feature] : can(feature));
}

/** The parts of one engine, as its calls need them. */
interface AssembledEngine {
  readonly parts: CallParts;
  /** Listens for jobs from now on, unless this engine leaves the work to others. */
  consume(): void;
  /** Continues what a stopped or killed process left in the storage; resolves with the ids of the jobs. */
  recover(): Promise<string[]>;
  close(): Promise<void>;
}

/** Nothing is opened, started or written before the first call. */
export function assembleEngine(input: EngineOptions): AssembledEngine {
  const options = readOptions(input);
  const { secret } = options.webhooks ?? {};
  const logger = safeLogger(options.logger, typeof secret === "string" ? [secret] : []);
  const telemetry = safeTelemetry(options.telemetry);
  const storage = options.storage ?? memoryStorage();
  const queue = options.queue ?? memoryQueue();
  const limits = withDefaults(defaultLimits, options.limits);
  const pricing = withDefaults(defaultPricing, options.pricing);
  const publicUrl = options.publicUrl ?? defaultPublicUrl;
  const closing = new AbortController();

  const pace = createPace(Math.max(1, limits.transformThreads));
  const pages = assemblePages(options, { storage, logger, telemetry, arrived: pace.arrived });
  const { scrapePage, client, userAgent, proxies, models, browser, pool } = pages;
  const providers = searchProviders(options, storage);
  const webSearch = createWebSearch(providers, client);
  const jobModels = createJobModels();
  const siteFiles = createSiteFiles({
    client,
    proxies,
    userAgent,
    maxConcurrencyPerHost: limits.maxConcurrencyPerHost,
  });

  const workerName = nameWorker();
  const clock = createSteadyClock();
  const delivery = assembleDelivery(options, {
    outbox: answering(storage.outbox),
    worker: workerName,
    clock,
    client,
    userAgent,
    logger,
    telemetry,
  });
  const { sinks, wakeOutbox } = delivery;
  const endParts = { jobs: storage.jobs, sinks, wakeOutbox, telemetry, logger };
  const sweeper = createSweeper(storage, (now) => endExpiredJobs(endParts, now), logger);
  const { worker, progress, readers, scrapeSingle } = assembleJobs(options, {
    storage,
    name: workerName,
    clock,
    pace,
    scrapePage,
    models,
    siteFiles,
    webSearch,
    jobModels,
    sinks,
    wakeOutbox,
    sweeper,
    logger,
    telemetry,
    closing: closing.signal,
  });

  const pushSurely = (task: Task) =>
    surely(
      () => queue.push(task),
      closing.signal,
      (error) => logger.error("the job queue failed", { jobId: task.jobId, error: errorText(error) }),
    );
  const calls = createBackground(() => {});
  let consuming: Promise<void> | undefined;
  function consume(): void {
    if (options.work === false || closing.signal.aborted) return;
    const take = (task: Task) => {
      // The engine that accepted the job may leave its deliveries to this engine, too.
      wakeOutbox();
      return worker.take(task.jobId);
    };
    consuming ??= outside(consumeTasks, queue, take, { signal: closing.signal, logger });
  }

  const parts: CallParts = {
    storage,
    start: {
      jobs: storage.jobs,
      queue,
      pushSurely,
      sinks,
      wakeOutbox,
      sweeper,
      jobTtlMs: limits.jobTtlMs,
      closing: closing.signal,
    },
    following: {
      jobs: whileOpen(answering(storage.jobs, ["eraseResults"]), closing.signal, calls.track),
      progress,
      readers,
      isWorking: worker.isWorking,
      closing: closing.signal,
    },
    scrapePage: scrapeSingle,
    siteFiles,
    jobModels,
    readRanges: createReadRanges(),
    webSearch,
    billing: options.billing ?? null,
    limits,
    pricing,
    publicUrl,
    has: featureTest(pages.can, {
      model: options.model !== undefined,
      search: providers.length > 0,
      index: storage.index !== undefined,
      changeTracking: storage.versions !== undefined,
    }),
    telemetry,
    track: calls.track,
    abandon: (jobId, reason) => worker.abandon(jobId, reason),
    closing: closing.signal,
  };

  function close(): Promise<void> {
    const reason = new RequestError("ENGINE_CLOSED", "The engine was closed");
    closing.abort(reason);
    const swept = sweeper.stop();
    const steps = [
      () => worker.stop(reason),
      () => consuming,
      () => (options.queue === undefined ? queue.close() : undefined),
      () => browser?.close(),
      () => pool?.close(),
      () => calls.drain(),
      // Not earlier: a call that is broken off releases what was reserved for it.
      () => delivery.stop(),
      () => client.close(),
      () => swept,
      // Even a storage that the host passed in: it opens again when another engine uses it.
      () => storage.close(),
    ];
    return closeParts(steps, logger);
  }
  return {
    parts,
    consume,
    async recover() {
      consume();
      await recoverOutbox(storage.outbox);
      closing.signal.throwIfAborted();
      wakeOutbox();
      await sweeper.sweep();
      closing.signal.throwIfAborted();
      return recoverJobs(storage.jobs, queue, (id) => worker.isWorking(id));
    },
    close,
  };
}
