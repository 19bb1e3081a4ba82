/** The request that scrapes one page, and scrape options as they stand inside other requests. */
import { z } from "zod";
import type { Fields } from "./fields.ts";
import { type IgnoredFields, ignoredFields } from "./ignored-fields.ts";
import type { SchemaOption } from "./schema-option.ts";
import {
  effectiveScrapeOptions,
  type ParsedScrapeOptions,
  type ScrapeOptions,
  scrapeOptionFields,
} from "./scrape-options.ts";
import { scrapeRules } from "./scrape-rules.ts";
import { writtenUrl } from "./url.ts";

/** `scrapeOptions` of a crawl or an extract request. */
export const scrapeOptions: z.ZodType<ParsedScrapeOptions, ScrapeOptions> = z
  .strictObject(scrapeOptionFields)
  .check(...scrapeRules)
  .transform(effectiveScrapeOptions);

/** A `scrape` request: the page, and the scrape options beside it. */
export interface ScrapeRequest<Schema extends SchemaOption = SchemaOption>
  extends ScrapeOptions<Schema>,
    IgnoredFields {
  /** The page. `http://` is put in front when there is no scheme. */
  url: string;
  /**
   * Keep nothing of this page: no cache, no history, no log of what it holds (+1 credit).
   * @default false
   */
  zeroDataRetention?: boolean | undefined;
}

export interface ParsedScrapeRequest {
  url: string;
  /** The URL as it was written: the caller knows the answer by it. */
  sourceURL: string;
  zeroDataRetention: boolean;
  scrapeOptions: ParsedScrapeOptions;
}

export const scrapeRequest: z.ZodType<ParsedScrapeRequest, ScrapeRequest> = z
  .strictObject({
    url: writtenUrl,
    ...scrapeOptionFields,
    zeroDataRetention: z.boolean().default(false),
    ...ignoredFields,
  } satisfies Fields<ScrapeRequest>)
  .check(...scrapeRules)
  .transform(({ url, zeroDataRetention, origin: _origin, integration: _integration, ...options }) => ({
    url: url.url,
    sourceURL: url.given,
    zeroDataRetention,
    scrapeOptions: effectiveScrapeOptions(options),
  }));
