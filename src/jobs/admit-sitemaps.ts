/** The pages of a crawl that the sitemaps of its site list. */
import type { Frontier } from "../frontier/frontier.ts";
import type { JobStore, NewPage } from "../ports/job-store.ts";
import type { DepthOrder } from "./depth-order.ts";
import type { FrontierBound } from "./frontier-bound.ts";
import type { JobRobots } from "./job-robots.ts";
import type { Lane } from "./lane.ts";
import { type SiteFiles, type SiteVisitor, sitemapBatchSize } from "./site-files.ts";

interface SitemapParts {
  readonly jobs: JobStore;
  readonly siteFiles: SiteFiles;
}

interface Crawl {
  readonly visitor: SiteVisitor;
  readonly robots: JobRobots | null;
  readonly frontier: Frontier;
  readonly bound: FrontierBound;
  readonly depths: Pick<DepthOrder, "isOrdered">;
}

/** Admits them with depth 0 while they are read, until the job is let go of or has as many pages as it may have. */
export async function admitSitemaps(
  { jobs, siteFiles }: SitemapParts,
  { visitor, robots, frontier, bound, depths }: Crawl,
  lane: Lane,
  siteUrl: string,
): Promise<void> {
  const { jobId } = lane;
  const { signal } = lane.stop;
  // A crawl that does not obey robots.txt still wants the sitemaps that it names.
  const files = robots ?? siteFiles.robots(visitor);
  await files.load(siteUrl, signal);
  const listed = files.sitemaps(siteUrl);
  const isSlow = lane.delayMs > 0 || robots?.crawlDelay(siteUrl);
  const careful = { ...visitor, atOnce: isSlow ? 1 : lane.maxConcurrency };
  for await (const batch of siteFiles.sitemapPages(careful, siteUrl, listed, signal)) {
    const urls = batch.map(({ url }) => url);
    const offered = await frontier.offer(urls, { depth: 0 });
    if (batch.length > 0) {
      const { pages, leftOut, stored } = bound.of(offered, 0);
      if (depths.isOrdered) pages.push(...listedAgain(frontier, urls));
      await jobs.admitPages(jobId, { pages, leftOut, duplicates: "ignore" });
      stored(false);
    }
    if (signal.aborted || bound.isReached) return;
    // A crawl that has reached its limit does not wait for a slow sitemap.
    if (batch.length < sitemapBatchSize && (await hasItsLimit(jobs, jobId))) return;
  }
}

/** Pages that are known from links: they have depth 0, too. */
function listedAgain(frontier: Frontier, urls: readonly string[]): NewPage[] {
  return urls.flatMap((url) => {
    const verdict = frontier.judge(url, { depth: 0 });
    return verdict.admitted && frontier.isKnown(verdict.key) ? [{ url, key: verdict.key, depth: 0 }] : [];
  });
}

async function hasItsLimit(jobs: JobStore, jobId: string): Promise<boolean> {
  const job = await jobs.getJob(jobId, Date.now());
  return job === null || job.listed >= job.limit;
}
