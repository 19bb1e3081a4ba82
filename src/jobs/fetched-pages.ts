/** Pages that an extract job has scraped for their links, until it works on them. */
import type { ScrapedPage } from "../page/scrape-page.ts";

/** Most pages that are kept; if there are more, the oldest are fetched again. */
const mostKept = 10;

export class FetchedPages {
  /** By address: a page that is named in another spelling may differ. */
  readonly #pages = new Map<string, ScrapedPage>();

  keep(url: string, page: ScrapedPage): void {
    this.#pages.set(url, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostKept) break;
      this.#pages.delete(oldest);
    }
  }

  /** Once: a page that is tried again is fetched again. */
  take(url: string): ScrapedPage | undefined {
    const page = this.#pages.get(url);
    this.#pages.delete(url);
    return page;
  }
}
