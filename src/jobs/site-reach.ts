/** Whether a site can be reached, as far as the fetching of its files has shown. */
import { CrawlcoreError, ScrapeError } from "../errors.ts";

export class SiteReach {
  #answers = false;
  #failure: CrawlcoreError | undefined;

  /** A site that has no such file answers too. */
  answered(): void {
    this.#answers = true;
  }

  failed(error: unknown): void {
    this.#failure ??= CrawlcoreError.isInstance(error)
      ? error
      : new ScrapeError("SCRAPE_TIMEOUT", "The site did not answer in time", { cause: error });
  }

  /** Why none of the files was answered; undefined if one was, or none was asked for. */
  get failure(): CrawlcoreError | undefined {
    return this.#answers ? undefined : this.#failure;
  }
}
