import { ScrapeError } from "../errors.ts";
import { browserCrash } from "./error-marks.ts";

/** The error of a browser that broke down. Trying again may succeed, in another browser or in one that is less busy. */
export function crashOf(what: string, cause?: unknown): ScrapeError {
  return browserCrash.put(new ScrapeError("SCRAPE_SITE_ERROR", `${what} crashed`, { retryable: true, cause }));
}
