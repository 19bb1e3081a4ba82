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

/** A `batchScrape` request: the URLs, and the scrape options beside them. */
export interface BatchScrapeRequest<Schema extends SchemaOption = SchemaOption>
  extends ScrapeOptions<Schema>,
    IgnoredFields {
  /** The pages, up to 100,000. One that is named twice is scraped once and listed twice. */
  urls: readonly string[];
  /** Where the batch announces its progress: an object, or only the URL. */
  webhook?: string | Webhook<"batch_scrape"> | undefined;
  /** Most pages of this batch at a time, 1 or more. Default, and upper bound: the team's own limit. */
  maxConcurrency?: number | undefined;
  /**
   * Leave out what is no URL and list it in `invalidURLs`. false: one bad URL refuses the whole request.
   * @default false
   */
  ignoreInvalidURLs?: boolean | undefined;
  /**
   * Id of a batch of this team to add these URLs to, instead of starting a new one. They are scraped with the options
   * of this request; a URL that the batch has scraped with the same ones is listed once more, one that failed is tried
   * again. `webhook`, `maxConcurrency`, `zeroDataRetention` and the API key that pays are those of the batch. The handle
   * gives all its pages, and reads them with the schema of this request. A batch that was cancelled, or has ended and
   * keeps no data, takes no more: `CONFLICT`.
   */
  appendToId?: string | undefined;
  /**
   * Keep nothing: no cache, no history, no log; documents are erased once they are read (+1 credit a page).
   * @default false
   */
  zeroDataRetention?: boolean | undefined;
}

export interface ParsedBatchScrapeRequest {
  /** The good ones, in the order given. */
  urls: readonly string[];
  /** With `ignoreInvalidURLs`: the bad ones as they were typed. */
  invalidURLs?: readonly string[] | undefined;
  webhook?: ParsedWebhook | undefined;
  maxConcurrency?: number | undefined;
  appendToId?: string | undefined;
  zeroDataRetention: boolean;
  scrapeOptions: ParsedScrapeOptions;
}

/** URLs of the largest batch. */
export const maxBatchUrls = 100_000;

export const batchScrapeRequest: z.ZodType<ParsedBatchScrapeRequest, BatchScrapeRequest> = z
  .strictObject({
    urls: urlList(maxBatchUrls, false),
    ...scrapeOptionFields,
    webhook: webhook("batch_scrape").optional(),
    maxConcurrency: z.int().min(1).optional(),
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
