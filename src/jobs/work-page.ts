/** One page of a job, from its lease to its completion: scrape, decide about another attempt, complete. */

import type { Document } from "../contract/document.ts";
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { ScrapeError } from "../errors.ts";
import { isHangUp } from "../fetch/network-errors.ts";
import type { ScrapedPage, ScrapePage } from "../page/scrape-page.ts";
import type { BeforeRedirect } from "../ports/fetcher.ts";
import type { HeadersFor } from "../ports/http-client.ts";
import type { JobKind, JobStore, LeasedPage, PageCompletion } from "../ports/job-store.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { readRetryAfter } from "../shared/retry-after.ts";
import { countCharge, type Sinks } from "./announce.ts";
import { hungUp } from "./host-pace.ts";
import { type Hosts, hostOf } from "./hosts.ts";
import type { JobModels } from "./job-models.ts";
import type { PageEnd } from "./job-work.ts";
import type { Lane } from "./lane.ts";
import { completionOf, Failed, type PageConsequences, type PageOwner } from "./page-completion.ts";
import type { Readers } from "./readers.ts";
import { retryDelay } from "./retry.ts";
import { mostDeaths } from "./suspects.ts";
import { unlinkedDepth } from "./unlinked-pages.ts";

export interface PageWorkParts {
  readonly jobs: JobStore;
  readonly hosts: Hosts;
  readonly readers: Readers;
  readonly scrapePage: ScrapePage;
  readonly jobModels: JobModels;
  readonly sinks: Sinks;
  /** Call it when there are new items in the outbox. */
  readonly wakeOutbox: () => void;
  readonly telemetry: Telemetry;
  /** The time by which a page that is tried again is due. */
  readonly clock: () => number;
}

/**
 * If the work on a page breaks off in this attempt too, the page ends as failed. Attempts are some four seconds apart,
 * so a storage that is full or away has a minute and a half to come back.
 */
const lastAttempt = 25;

const deadly = `The page was given up: ${mostDeaths} times the process ended while it worked on it`;

/** What a page of this job is scraped with, and what its kind adds. */
export interface PageWork extends PageOwner {
  readonly options: ParsedScrapeOptions;
  readonly zeroDataRetention: boolean;
  /** Whether the page's links are wanted. */
  readonly discover: boolean;
  /**
   * For a crawl: the identity of its start, by which later crawls of the same start find the pages that this one met.
   */
  readonly site?: string;
  /** Called with each address that a redirect leads to; if it rejects, the page fails with its reason. */
  readonly beforeRedirect?: BeforeRedirect | undefined;
  /** The caller's headers for another origin, to which a redirect leads; absent: none. */
  readonly headersFor?: HeadersFor | undefined;
  /**
   * What follows for the job from the page or its failure: further pages, or that the page does not belong to the
   * result.
   */
  readonly follow: (page: LeasedPage, scraped: ScrapedPage | undefined, error?: unknown) => Promise<PageConsequences>;
}

export function workPage(parts: PageWorkParts, work: PageWork, lane: Lane, page: LeasedPage): Promise<PageEnd> {
  // Not one function for both: it would hold the page in memory while the storage takes its time.
  return scrape(parts, work, lane, page)
    .then((worked) => (worked instanceof Worked ? store(parts, work, page, worked) : worked))
    .catch((error) => giveUp(parts, work, lane, page, error));
}

/** A page that the storage never accepts, because of its content, must not keep its job open and its site busy. */
async function giveUp(
  parts: PageWorkParts,
  work: PageWork,
  lane: Lane,
  page: LeasedPage,
  error: unknown,
): Promise<PageEnd> {
  if (page.attempt < lastAttempt || lane.stop.signal.aborted) throw error;
  // The storage's own message is not for those who read the job.
  const failed = new Failed(new ScrapeError("UNKNOWN_ERROR", "The page could not be stored", { cause: error }));
  const consequences = await work.follow(page, undefined, failed.error);
  const completion = completionOf(parts.sinks, work, page, failed, consequences, Date.now());
  return store(parts, work, page, new Worked(completion, consequences.stored));
}

async function store(
  parts: PageWorkParts,
  work: PageWork,
  page: LeasedPage,
  { completion, stored, kept, keep, document, isCached }: Worked,
): Promise<PageEnd> {
  const [{ status, position }] = await Promise.all([parts.jobs.completePage(page.lease, completion), kept]);
  if (status !== "fenced") stored?.(status === "duplicate");
  if (document !== undefined && position !== undefined) parts.readers.offer(work.job.id, position, document);
  if (completion.outbox.length > 0) parts.wakeOutbox();
  if (status === "stored") report(parts.telemetry, work.job.kind, completion);
  if (status === "stored" && completion.version !== undefined) await keep?.();
  return {
    listed: status === "stored" && completion.outcome !== "dropped",
    fenced: status === "fenced",
    unasked: isCached,
    ...(completion.discovered.length > 0 && { moreInMs: 0 }),
  };
}

/** What remains of a page, to be stored. */
class Worked {
  readonly completion: PageCompletion;
  readonly stored: PageConsequences["stored"];
  readonly kept: ScrapedPage["kept"] | undefined;
  readonly keep: ScrapedPage["keep"];
  /** For readers of the job in this process. */
  readonly document: Document | undefined;
  readonly isCached: boolean;

  constructor(
    completion: PageCompletion,
    stored: PageConsequences["stored"],
    { kept, keep, isCached = false }: Partial<Pick<ScrapedPage, "kept" | "keep" | "isCached">> = {},
    document?: Document,
  ) {
    this.completion = completion;
    this.stored = stored;
    this.kept = kept;
    this.keep = keep;
    this.document = document;
    this.isCached = isCached;
  }
}

/** The page as it is to be completed, or how it ended without being completed. */
async function scrape(parts: PageWorkParts, work: PageWork, lane: Lane, page: LeasedPage): Promise<Worked | PageEnd> {
  const begunAt = performance.now();
  let outcome: ScrapedPage | Failed;
  try {
    if (page.deaths >= mostDeaths) throw new ScrapeError("UNKNOWN_ERROR", deadly);
    outcome = await parts.scrapePage({
      url: page.url,
      options: page.options === null ? work.options : (JSON.parse(page.options) as ParsedScrapeOptions),
      team: work.job.team,
      zeroDataRetention: work.zeroDataRetention,
      discover: work.discover,
      metIn: work.site === undefined ? undefined : { site: work.site, jobId: work.job.id },
      isHidden: page.depth === unlinkedDepth,
      isOfJob: true,
      beforeRedirect: work.beforeRedirect,
      headersFor: work.headersFor,
      model: parts.jobModels.of(work.job.id),
      parent: lane.span,
      signal: lane.stop.signal,
    });
  } catch (error) {
    outcome = new Failed(error);
  }
  const [scraped, error] = outcome instanceof Failed ? [undefined, outcome.error] : [outcome];
  // The job was cancelled, or the engine is closing: all its leases are dropped or given back together.
  if (lane.stop.signal.aborted) {
    await scraped?.kept;
    return { listed: false, fenced: false };
  }

  const statusCode = scraped?.statusCode ?? (isHangUp(error) ? hungUp : undefined);
  const isAnswered = statusCode !== undefined && scraped?.isCached !== true;
  if (isAnswered) parts.hosts.answered(hostOf(page.url), begunAt, statusCode, page.attempt);
  const now = Date.now();
  const retryAfterMs = scraped && readRetryAfter(scraped.retryAfter, now);
  const delay = retryDelay(page.attempt, {
    statusCode: scraped?.statusCode,
    error,
    retryAfterMs,
    answersRetries: statusCode !== undefined && parts.hosts.answersRetries(hostOf(page.url)),
  });
  if (delay !== null) {
    if (retryAfterMs !== undefined) parts.hosts.pause(hostOf(page.url), retryAfterMs);
    const isRetried = await parts.jobs.retryPage(page.lease, Math.ceil(parts.clock() + delay));
    return { listed: false, fenced: !isRetried, moreInMs: delay };
  }

  const consequences = await work.follow(page, scraped, error);
  const completion = completionOf(parts.sinks, work, page, outcome, consequences, now);
  const document = parts.readers.isRead(work.job.id) ? scraped?.document : undefined;
  return new Worked(completion, consequences.stored, scraped, document);
}

function report(telemetry: Telemetry, kind: JobKind, { outcome, charge }: PageCompletion): void {
  telemetry.count("crawlcore.pages", 1, { kind, outcome });
  if (charge !== undefined) countCharge(telemetry, charge);
}
