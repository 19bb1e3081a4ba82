import { ScrapeError } from "../errors.ts";
import type { JobStore, LeasedPage } from "../ports/job-store.ts";
import type { PageEnd } from "./job-work.ts";
import { robotsReason } from "./status.ts";

/** Ends a page that robots.txt forbids: it is dropped, and reported as left out. */
export async function leaveToRobots(jobs: JobStore, { url, lease }: LeasedPage, memo?: string): Promise<PageEnd> {
  const { status } = await jobs.completePage(lease, {
    outcome: "dropped",
    completedAt: Date.now(),
    discovered: [],
    leftOut: [{ url, reason: robotsReason }],
    outbox: [],
    memo,
  });
  return { listed: false, more: false, fenced: status === "fenced" };
}

/** A page leads on to where robots.txt lets nobody in; it was not asked for. */
export class LedIntoDisallowed extends ScrapeError {
  constructor(url: string) {
    super("SCRAPE_SITE_ERROR", `The page redirects to ${url}, which robots.txt forbids`);
  }
}
