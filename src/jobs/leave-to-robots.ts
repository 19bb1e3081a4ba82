import { ScrapeError } from "../errors.ts";
import type { BeforeRedirect } from "../ports/fetcher.ts";
import type { JobStore, LeasedPage } from "../ports/job-store.ts";
import type { JobRobots } from "./job-robots.ts";
import type { PageEnd } from "./job-work.ts";
import { robotsReason } from "./left-out-reasons.ts";
import type { PageConsequences } from "./page-completion.ts";

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
  return { listed: false, fenced: status === "fenced", unasked: true };
}

/** Refuses redirects to addresses that robots.txt forbids; undefined if the rules are not obeyed. */
export function redirectsUnder(robots: JobRobots | null, signal: AbortSignal): BeforeRedirect | undefined {
  if (robots === null) return undefined;
  return async (url) => {
    await robots.load(url, signal);
    refuseDisallowed(robots, url);
  };
}

/** Throws if the rules known so far forbid the URL. */
export function refuseDisallowed(robots: JobRobots, url: string): void {
  if (!robots.isAllowed(url)) throw new LedIntoDisallowed(url);
}

/**
 * What follows for the job from a page that failed: one that redirects to a forbidden address is reported as blocked by
 * robots.txt, too.
 */
export function failureConsequences({ url }: LeasedPage, error: unknown): PageConsequences {
  const drop = error instanceof LedIntoDisallowed;
  return { discovered: [], leftOut: drop ? [{ url, reason: robotsReason }] : [], drop };
}

class LedIntoDisallowed extends ScrapeError {
  constructor(url: string) {
    super("SCRAPE_SITE_ERROR", `The page redirects to ${url}, which robots.txt forbids`);
  }
}
