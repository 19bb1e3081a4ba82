/** Pages that no link led to in this crawl, but that are known from earlier crawls of the same start. */
import type { ParsedCrawlRequest } from "../contract/crawl.ts";
import type { Frontier } from "../frontier/frontier.ts";
import type { JobRecord, JobStore } from "../ports/job-store.ts";
import type { PageVersions } from "../ports/page-versions.ts";

/** The depth of such pages. */
export const unlinkedDepth = -1;

/** Most of them that are considered. */
const maxUnlinked = 10_000;

interface UnlinkedParts {
  readonly jobs: JobStore;
  readonly versions: PageVersions | undefined;
}

interface Crawl {
  readonly request: ParsedCrawlRequest;
  /** The identity of its start. */
  readonly site: string;
  readonly frontier: Frontier;
}

/**
 * With change tracking: admits, once and within `limit`, the pages that earlier crawls met and this one did not.
 * Resolves with their number.
 */
export async function admitUnlinked(
  { jobs, versions }: UnlinkedParts,
  { request, site, frontier }: Crawl,
  job: JobRecord,
): Promise<number> {
  const { formats, changeTrackingOptions } = request.scrapeOptions;
  if (versions === undefined || !formats.includes("changeTracking") || request.zeroDataRetention) return 0;
  const room = job.limit - job.listed;
  if (room <= 0 || job.succeeded === 0) return 0;
  // Such pages may be linked from pages that this crawl was not to look at.
  if (request.maxDiscoveryDepth !== undefined) return 0;
  const query = { team: job.team, tag: changeTrackingOptions?.tag ?? null, site, jobId: job.id };
  // Twice as many as there is room for: some of them may be out of the crawl's scope by now.
  const urls = await versions.listUnseen({ ...query, limit: Math.min(2 * room, maxUnlinked) });
  const offered = await frontier.offer(urls, { depth: 0 });
  const pages = offered.admitted.slice(0, room).map((admission) => ({ ...admission, depth: unlinkedDepth }));
  if (pages.length === 0) return 0;
  frontier.keep({ admitted: pages, leftOut: [] });
  const { admitted } = await jobs.admitPages(job.id, { pages, leftOut: [], duplicates: "ignore" });
  return admitted;
}
