import { ScrapeError } from "../errors.ts";
import type { BeforeRedirect } from "../ports/fetcher.ts";
import type { JobStore, LeasedPage } from "../ports/job-store.ts";
import type { PageEnd } from "./job-work.ts";
import type { JobRobots } from "./site-files.ts";
import { robotsReason } from "./status.ts";
import type { PageConsequences } from "./work-page.ts";

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

/** Lets a page lead only to where robots.txt lets it; undefined when the rules are not obeyed. */
export function redirectsUnder(robots: JobRobots | null, signal: AbortSignal): BeforeRedirect | undefined {
  if (robots === null) return undefined;
  return async (url) => {
    await robots.load(url, signal);
    refuseDisallowed(robots, url);
  };
}

/** Throws for what the rules, as far as they are known, forbid. */
export function refuseDisallowed(robots: JobRobots, url: string): void {
  if (!robots.isAllowed(url)) throw new LedIntoDisallowed(url);
}

/** What follows from a page that could not be had: one that leads to where it must not go is left to robots.txt, too. */
export function failureConsequences({ url }: LeasedPage, error: unknown): PageConsequences {
  const drop = error instanceof LedIntoDisallowed;
  return { discovered: [], leftOut: drop ? [{ url, reason: robotsReason }] : [], drop };
}

class LedIntoDisallowed extends ScrapeError {
  constructor(url: string) {
    super("SCRAPE_SITE_ERROR", `The page redirects to ${url}, which robots.txt forbids`);
  }
}
