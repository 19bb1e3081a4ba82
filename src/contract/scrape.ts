/** The request that scrapes one page, and the scrape options inside other requests. */
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

/** A `scrape` request: the URL of a page, and scrape options on the same level. */
export interface ScrapeRequest<Schema extends SchemaOption = SchemaOption>
  extends ScrapeOptions<Schema>,
    IgnoredFields {
  /** URL of the page. Without a scheme, `http://` is put in front. */
  url: string;
  /**
   * Keep nothing of this page: not in the cache, the change history, the search index or the log (+1 credit).
   * @default false
   */
  zeroDataRetention?: boolean | undefined;
}

export interface ParsedScrapeRequest {
  url: string;
  /** The URL as the caller wrote it, by which it recognises the answer. */
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
