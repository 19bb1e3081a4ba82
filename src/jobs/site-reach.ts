/** Whether a site can be reached, and gives its files in time, as far as the fetching of them has shown. */
import { CrawlcoreError, ScrapeError } from "../errors.ts";

export class SiteReach {
  #answers = false;
  #failure: CrawlcoreError | undefined;
  #isLate = false;

  /** A site that has no such file answers too. */
  answered(): void {
    this.#answers = true;
  }

  failed(error: unknown): void {
    this.#failure ??= CrawlcoreError.isInstance(error)
      ? error
      : new ScrapeError("SCRAPE_TIMEOUT", "The site did not answer in time", { cause: error });
  }

  /** A sitemap was not read to its end, because that took too long. */
  late(): void {
    this.#isLate = true;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** Why none of the files was answered; undefined if one was, or none was asked for. */
  get failure(): CrawlcoreError | undefined {
    return this.#answers ? undefined : this.#failure;
  }
}
