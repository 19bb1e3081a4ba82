/** The request that scrapes a list of URLs. */
import { z } from "zod";
import { ignoredFields } from "./ignored-fields.ts";
import { jobId } from "./job.ts";
import { effectiveScrapeOptions, scrapeOptionFields } from "./scrape-options.ts";
import { scrapeRules } from "./scrape-rules.ts";
import { refuseInvalidUrls, sortUrls, urlList } from "./url-list.ts";
import { webhook } from "./webhook.ts";

/** URLs of the largest batch. */
export const maxBatchUrls = 100_000;

/** A `batchScrape` request: the URLs, and the scrape options beside them. */
export const batchScrapeRequest = z
  .strictObject({
    /** The pages, up to 100,000. One that is named twice is scraped once and listed twice. */
    urls: urlList(maxBatchUrls, false),
    ...scrapeOptionFields,
    /** Where the batch announces its progress: an object, or only the URL. */
    webhook: webhook("batch_scrape").optional(),
    /** Most pages of this batch at a time. Default, and upper bound: the team's own limit. */
    maxConcurrency: z.int().min(1).optional(),
    /**
     * Leave out what is no URL and list it in `invalidURLs`. false: one bad URL refuses the whole request.
     * @default false
     */
    ignoreInvalidURLs: z.boolean().default(false),
    /** Id of a batch of this team to add these URLs to, instead of starting a new one. */
    appendToId: jobId.optional(),
    /**
     * Keep nothing: no cache, no history, no log; documents are erased once they are read (+1 credit a page).
     * @default false
     */
    zeroDataRetention: z.boolean().default(false),
    ...ignoredFields,
  })
  .check(refuseInvalidUrls, ...scrapeRules)
  .transform(
    ({
      urls,
      ignoreInvalidURLs,
      webhook,
      maxConcurrency,
      appendToId,
      zeroDataRetention,
      origin: _origin,
      integration: _integration,
      ...options
    }) => ({
      ...sortUrls({ urls, ignoreInvalidURLs }),
      ignoreInvalidURLs,
      webhook,
      maxConcurrency,
      appendToId,
      zeroDataRetention,
      scrapeOptions: effectiveScrapeOptions(options),
    }),
  );

export type BatchScrapeRequest = z.input<typeof batchScrapeRequest>;
export type ParsedBatchScrapeRequest = z.output<typeof batchScrapeRequest>;
