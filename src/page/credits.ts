/** What pages cost. */
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import type { Pricing } from "../options.ts";

/** What decides the price of one page. */
export interface PricedPage {
  /** Of a parsed PDF: a file may have more than are read, or claim to. */
  readonly readPages?: number | undefined;
  /** `json` or `extract` is among the formats, or change tracking in `json` mode. */
  readonly json: boolean;
  /** The stealth proxy produced the page. */
  readonly stealth: boolean;
  readonly zeroDataRetention: boolean;
}

/** Credits for a page that was had, whatever its status code. A page that could not be had costs nothing. */
export function pageCredits(page: PricedPage, pricing: Pricing): number {
  return (
    pricing.page +
    (page.readPages === undefined ? 0 : Math.max(0, page.readPages - 1) * pricing.pdfPage) +
    (page.json ? pricing.json : 0) +
    (page.stealth ? pricing.stealth : 0) +
    (page.zeroDataRetention ? pricing.zeroDataRetention : 0)
  );
}

/** Credits that a page with these options costs if it is had: what only the page itself tells, such as a PDF's length, comes on top. */
export function leastPageCredits(options: ParsedScrapeOptions, zeroDataRetention: boolean, pricing: Pricing): number {
  return pageCredits({ json: asksModel(options), stealth: options.proxy === "stealth", zeroDataRetention }, pricing);
}

/** Whether the options have a price of their own, once, for what a model is asked. */
export function asksModel({ formats, changeTrackingOptions }: ParsedScrapeOptions): boolean {
  return (
    formats.includes("json") || formats.includes("extract") || (changeTrackingOptions?.modes.includes("json") ?? false)
  );
}
