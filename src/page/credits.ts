/** What pages cost. */
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { Pricing } from "../options.ts";
import { creditSum } from "../shared/credit-sum.ts";

/** What decides the price of one page. */
interface PricedPage {
  /** For a parsed PDF: pages that were read; the file may have more, or claim to. */
  readonly readPages?: number | undefined;
  /** `json` or `extract` is among the formats, or change tracking in `json` mode; not if the page is an unread PDF. */
  readonly json: boolean;
  /** The stealth proxy produced the page. */
  readonly stealth: boolean;
  readonly zeroDataRetention: boolean;
}

/** Credits for a scraped page, whatever its status code. A page that could not be scraped costs nothing. */
export function pageCredits(page: PricedPage, pricing: Pricing): number {
  return creditSum(
    pricing.page +
      (page.readPages === undefined ? 0 : Math.max(0, page.readPages - 1) * pricing.pdfPage) +
      (page.json ? pricing.json : 0) +
      (page.stealth ? pricing.stealth : 0) +
      (page.zeroDataRetention ? pricing.zeroDataRetention : 0),
  );
}

/**
 * The least that a page with these options costs if it can be scraped. What depends on the page itself, such as the
 * length of a PDF, comes on top. Only a PDF that is not read costs less, because no model is asked.
 */
export function leastPageCredits(options: ParsedScrapeOptions, zeroDataRetention: boolean, pricing: Pricing): number {
  return pageCredits({ json: paysForJson(options), stealth: options.proxy === "stealth", zeroDataRetention }, pricing);
}

/** Whether the options ask a model for something that has its own price, which is charged once. */
export function paysForJson({ formats, changeTrackingOptions }: ParsedScrapeOptions): boolean {
  return (
    formats.includes("json") || formats.includes("extract") || (changeTrackingOptions?.modes.includes("json") ?? false)
  );
}
