/** When a page of a job is tried again, and how long to wait before. */
import { CrawlcoreError, type ScrapeError } from "../errors.ts";

/** Attempts at a page of a job, the first included. */
const maxAttempts = 3;
/** The same at a page of a host that answers others when they are tried again: this one has only been unlucky. */
const maxAttemptsOfUnlucky = 6;

/** Statuses that say "later": overload, and gateways without an answer (520 to 524 are those of Cloudflare). */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504, 520, 521, 522, 523, 524]);

const firstDelayMs = 500;
/** A site that asks for a longer pause than this gets its answer recorded instead. */
const longestPauseMs = 60_000;

/**
 * Milliseconds to wait before the next attempt, or null if the outcome is final.
 *
 * @param outcome `retryAfterMs`: what the server's `Retry-After` asks for; `answersRetries`: the host answers other pages
 * that it turned away at first
 */
export function retryDelay(
  attempt: number,
  outcome: {
    readonly statusCode?: number;
    readonly error?: unknown;
    readonly retryAfterMs?: number;
    readonly answersRetries: boolean;
  },
): number | null {
  if (attempt >= (outcome.answersRetries ? maxAttemptsOfUnlucky : maxAttempts)) return null;
  const passing =
    outcome.error === undefined
      ? passingStatuses.has(outcome.statusCode ?? 0)
      : CrawlcoreError.isInstance(outcome.error) && (outcome.error as ScrapeError).retryable === true;
  if (!passing) return null;
  const { retryAfterMs = 0 } = outcome;
  if (retryAfterMs > longestPauseMs) return null;
  // A `Retry-After` of 0, or a time in the past, does not count: all attempts would be used up in a moment.
  if (retryAfterMs > 0) return retryAfterMs;
  // Spread over half the delay, so that pages which failed together do not come back together.
  return firstDelayMs * 4 ** Math.min(attempt - 1, 2) * (0.75 + Math.random() / 2);
}
