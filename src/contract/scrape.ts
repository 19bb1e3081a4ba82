/** The request that scrapes one page, and scrape options as they stand inside other requests. */
import { z } from "zod";
import { ignoredFields } from "./ignored-fields.ts";
import { effectiveScrapeOptions, scrapeOptionFields } from "./scrape-options.ts";
import { scrapeRules } from "./scrape-rules.ts";
import { httpUrl } from "./url.ts";

/** `scrapeOptions` of a crawl or an extract request. */
export const scrapeOptions = z
  .strictObject(scrapeOptionFields)
  .check(...scrapeRules)
  .transform(effectiveScrapeOptions);

/** A `scrape` request: the page, and the scrape options beside it. */
export const scrapeRequest = z
  .strictObject({
    /** The page. `http://` is put in front when there is no scheme. */
    url: httpUrl,
    ...scrapeOptionFields,
    /**
     * Keep nothing of this page: no cache, no history, no log of what it holds (+1 credit).
     * @default false
     */
    zeroDataRetention: z.boolean().default(false),
    ...ignoredFields,
  })
  .check(...scrapeRules)
  .transform(({ url, zeroDataRetention, origin: _origin, integration: _integration, ...options }) => ({
    url,
    zeroDataRetention,
    scrapeOptions: effectiveScrapeOptions(options),
  }));

export type ScrapeRequest = z.input<typeof scrapeRequest>;
export type ParsedScrapeRequest = z.output<typeof scrapeRequest>;
