/** The request that scrapes a list of URLs. */
import { z } from "zod";
import type { Fields } from "./fields.ts";
import { type IgnoredFields, ignoredFields } from "./ignored-fields.ts";
import { jobId } from "./job.ts";
import type { SchemaOption } from "./schema-option.ts";
import {
  effectiveScrapeOptions,
  type ParsedScrapeOptions,
  type ScrapeOptions,
  scrapeOptionFields,
} from "./scrape-options.ts";
import { scrapeRules } from "./scrape-rules.ts";
import { refuseInvalidUrls, sortUrls, urlList } from "./url-list.ts";
import { type ParsedWebhook, type Webhook, webhook } from "./webhook.ts";
import { wholeNumber } from "./whole-number.ts";

/** A `batchScrape` request: a list of URLs, and scrape options on the same level. */
export interface BatchScrapeRequest<Schema extends SchemaOption = SchemaOption>
  extends ScrapeOptions<Schema>,
    IgnoredFields {
  /**
   * URLs of the pages, up to 100,000. URLs of one page (`/a`, `/a/` and `/a#part`) are scraped once and each returned,
   * with the URL in `metadata.sourceURL`.
   */
  urls: readonly string[];
  /** Where to send the events of the batch: an object, or just the URL. */
  webhook?: string | Webhook<"batch_scrape"> | undefined;
  /** Most pages of this batch at once, 1 or more. Default, and upper limit: the engine's `limits.maxConcurrency`. */
  maxConcurrency?: number | undefined;
  /**
   * Leave out invalid URLs and list them in `invalidURLs`. false: the request is refused if it contains one.
   * @default false
   */
  ignoreInvalidURLs?: boolean | undefined;
  /**
   * Id of a batch of this team to which the URLs are added, instead of starting a new one. They are scraped with the
   * options of this request; a URL that the batch has already scraped with the same options is listed once more, and
   * one that failed is tried again. `webhook`, `maxConcurrency`, `zeroDataRetention` and the API key that pays stay
   * those of the batch. Options other than the batch's are stored with each URL: as JSON, they may have 64 million
   * characters for all URLs of the request. The handle yields all pages of the batch, and reads them with the schema of
   * this request. A batch that was cancelled, or that has ended and keeps no data, is refused with `CONFLICT`.
   */
  appendToId?: string | undefined;
  /**
   * Keep nothing: not in the cache, the change history, the search index or the log; documents are erased once they
   * have been read (+1 credit a page).
   * @default false
   */
  zeroDataRetention?: boolean | undefined;
}

export interface ParsedBatchScrapeRequest {
  /** The valid ones, in the order given. */
  urls: readonly string[];
  /** With `ignoreInvalidURLs`: the invalid ones, as they were written. */
  invalidURLs?: readonly string[] | undefined;
  webhook?: ParsedWebhook | undefined;
  maxConcurrency?: number | undefined;
  appendToId?: string | undefined;
  zeroDataRetention: boolean;
  scrapeOptions: ParsedScrapeOptions;
}

/** Most URLs of a batch. */
export const maxBatchUrls = 100_000;

export const batchScrapeRequest: z.ZodType<ParsedBatchScrapeRequest, BatchScrapeRequest> = z
  .strictObject({
    urls: urlList(maxBatchUrls, false),
    ...scrapeOptionFields,
    webhook: webhook("batch_scrape").optional(),
    maxConcurrency: wholeNumber().min(1).optional(),
    ignoreInvalidURLs: z.boolean().default(false),
    appendToId: jobId.optional(),
    zeroDataRetention: z.boolean().default(false),
    ...ignoredFields,
  } satisfies Fields<BatchScrapeRequest>)
  .check(refuseInvalidUrls, ...scrapeRules)
  .transform((request) => {
    const { urls, ignoreInvalidURLs, origin: _origin, integration: _integration, ...rest } = request;
    const { webhook, maxConcurrency, appendToId, zeroDataRetention, ...options } = rest;
    return {
      ...sortUrls({ urls, ignoreInvalidURLs }),
      webhook,
      maxConcurrency,
      appendToId,
      zeroDataRetention,
      scrapeOptions: effectiveScrapeOptions(options),
    };
  });
