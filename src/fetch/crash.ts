/** The error of a browser that broke down, by which it is told from the failures of pages. */
import { ScrapeError } from "../errors.ts";

const crashes = new WeakSet<object>();

/** The error of a crash. Trying again may succeed, in another browser or in one that is less busy. */
export function crashOf(what: string, cause?: unknown): ScrapeError {
  const error = new ScrapeError("SCRAPE_SITE_ERROR", `${what} crashed`, { retryable: true, cause });
  crashes.add(error);
  return error;
}

export function isCrash(error: unknown): boolean {
  return typeof error === "object" && error !== null && crashes.has(error);
}
