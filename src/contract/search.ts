/** The request that searches the web, and its answer. */
import { z } from "zod";
import type { Document } from "./document.ts";
import type { Fields, Filled } from "./fields.ts";
import { type SearchFormat, searchFormats } from "./formats.ts";
import { type IgnoredFields, ignoredFields } from "./ignored-fields.ts";
import { twoLetterCode } from "./location.ts";
import type { SchemaOption } from "./schema-option.ts";
import {
  effectiveScrapeOptions,
  maxTimeout,
  type ParsedScrapeOptions,
  type ScrapeOptions,
  scrapeOptionFields,
} from "./scrape-options.ts";
import { scrapeRules } from "./scrape-rules.ts";
import { timeFilter } from "./time-filter.ts";
import { wholeNumber } from "./whole-number.ts";

/** Scrape options for the pages of search results. */
export interface SearchScrapeOptions<Schema extends SchemaOption = SchemaOption>
  extends Omit<ScrapeOptions<Schema>, "formats"> {
  /**
   * What to return of each result's page, as for a scrape, but without `summary` and `changeTracking`. If empty,
   * results are not scraped and have only url, title and description.
   * @default []
   */
  formats?: readonly SearchFormat[] | undefined;
}

/** A `search` request: a query, and how its results are scraped, if they are. */
export interface SearchRequest<Schema extends SchemaOption = SchemaOption> extends IgnoredFields {
  /**
   * The query. It may contain `"exact text"`, `-word`, `site:`, `inurl:`, `allinurl:`, `intitle:`, `allintitle:`,
   * `related:`, and `OR` between two of these. 1 to 4096 characters.
   */
  query: string;
  /**
   * Most results, 1 to 100.
   * @default 5
   */
  limit?: number | undefined;
  /**
   * Only results from a period: `qdr:h`, `qdr:d`, `qdr:w`, `qdr:m`, `qdr:y` (the last hour, day, week, month, year), or
   * `cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`.
   */
  tbs?: string | undefined;
  /** Place to search from: a country, or `city,region,country`. 1 to 200 characters. */
  location?: string | undefined;
  /**
   * Language of the results, as a language tag.
   * @default "en"
   */
  lang?: string | undefined;
  /**
   * Country to search from, as a code of two letters.
   * @default "us"
   */
  country?: string | undefined;
  /** A filter in the search provider's own syntax. At most 200 characters. */
  filter?: string | undefined;
  /**
   * Milliseconds for the whole call, 1 to 2147483647.
   * @default 60000
   */
  timeout?: number | undefined;
  /**
   * Leave out results whose URLs the other calls would refuse.
   * @default false
   */
  ignoreInvalidURLs?: boolean | undefined;
  /** How each result is scraped. Without `formats` in it, results are not scraped. */
  scrapeOptions?: SearchScrapeOptions<Schema> | undefined;
}

/** With the country in small letters. */
export interface ParsedSearchRequest
  extends Filled<Omit<SearchRequest, keyof IgnoredFields | "scrapeOptions">, "tbs" | "location" | "filter"> {
  scrapeOptions: ParsedScrapeOptions;
}

/** The defaults of a request. */
export const usualSearch = { lang: "en", country: "us" } as const;

const scrapeOptions: z.ZodType<ParsedScrapeOptions, SearchScrapeOptions> = z
  .strictObject({ ...scrapeOptionFields, formats: searchFormats.default([]) } satisfies Fields<SearchScrapeOptions>)
  .check(...scrapeRules)
  .transform(effectiveScrapeOptions);

export const searchRequest: z.ZodType<ParsedSearchRequest, SearchRequest> = z
  .strictObject({
    query: z
      .string()
      .max(4096)
      .refine((query) => query.trim() !== "", "is empty"),
    limit: wholeNumber().min(1).max(100).default(5),
    tbs: timeFilter.optional(),
    location: z.string().min(1).max(200).optional(),
    lang: z
      .string()
      .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i, "must be a language tag")
      .default(usualSearch.lang),
    country: twoLetterCode.transform((country) => country.toLowerCase()).default(usualSearch.country),
    filter: z.string().max(200).optional(),
    timeout: wholeNumber().min(1).max(maxTimeout).default(60_000),
    ignoreInvalidURLs: z.boolean().default(false),
    scrapeOptions: scrapeOptions.prefault({}),
    ...ignoredFields,
  } satisfies Fields<SearchRequest>)
  .transform(({ origin: _origin, integration: _integration, ...request }) => request);

/** One result. If it was scraped, it also has the fields of a document; a page that failed has `metadata.error`. */
export interface SearchResult<Json = unknown> extends Partial<Document<Json>> {
  url: string;
  title: string;
  description: string;
}

/** The answer to a `search` request. */
export interface SearchResponse<Json = unknown> {
  success: true;
  /** In the provider's order. */
  data: SearchResult<Json>[];
  /** What went wrong, although there is an answer; null for nothing. */
  warning: string | null;
}
