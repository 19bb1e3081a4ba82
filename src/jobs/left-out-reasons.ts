/** Why a job leaves out a URL, besides the other reasons of a crawl's scope. */
import type { ScopeReason } from "../frontier/scope-reasons.ts";

/** robots.txt forbids it; listed apart from the other reasons. */
export const robotsReason = "ROBOTS" satisfies ScopeReason;

/** The job's `limit` was reached. */
export const limitReason = "LIMIT";
