/** Pages that lead on again and again, so that there may be no time to look at them. */
import { CrawlcoreError, ScrapeError } from "../../errors.ts";
import { errorText } from "../../shared/error-text.ts";

/** What the browser says if the page has led on while something was done with it. */
export function saysItLedOn(error: unknown): boolean {
  return (
    !CrawlcoreError.isInstance(error) &&
    /Cannot find context|context was destroyed|Inspected target navigated/.test(errorText(error))
  );
}

export function restless(cause: unknown): ScrapeError {
  return new ScrapeError("SCRAPE_SITE_ERROR", "The page leads on before it can be read", { cause });
}
