/** The request that searches the web, and its answer. */
import { z } from "zod";
import type { Document } from "./document.ts";
import { searchFormats } from "./formats.ts";
import { ignoredFields } from "./ignored-fields.ts";
import { effectiveScrapeOptions, maxTimeout, scrapeOptionFields } from "./scrape-options.ts";
import { scrapeRules } from "./scrape-rules.ts";
import { timeFilter } from "./time-filter.ts";

const searchScrapeOptions = z
  .strictObject({
    ...scrapeOptionFields,
    /**
     * What to return of each result's page, as for a scrape, without `summary` and `changeTracking`. Empty: results are
     * not scraped and have url, title and description only.
     * @default []
     */
    formats: searchFormats.default([]),
  })
  .check(...scrapeRules)
  .transform(effectiveScrapeOptions);

/** A `search` request. */
export const searchRequest = z
  .strictObject({
    /**
     * What to look for. Understands `"exact text"`, `-word`, `site:`, `inurl:`, `allinurl:`, `intitle:`, `allintitle:`
     * and `related:`. 1 to 4096 characters.
     */
    query: z
      .string()
      .max(4096)
      .refine((query) => query.trim() !== "", "is empty"),
    /**
     * Most results, 1 to 100.
     * @default 5
     */
    limit: z.int().min(1).max(100).default(5),
    /** Only results of a time: `qdr:h`, `qdr:d`, `qdr:w`, `qdr:m`, `qdr:y`, or `cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`. */
    tbs: timeFilter.optional(),
    /** Place to search from: a country, or `city,region,country`. At most 200 characters. */
    location: z.string().min(1).max(200).optional(),
    /**
     * Language of the results, as a language tag.
     * @default "en"
     */
    lang: z
      .string()
      .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i, "must be a language tag")
      .default("en"),
    /**
     * Country to search from, as a code of two letters.
     * @default "us"
     */
    country: z
      .string()
      .regex(/^[a-z]{2}$/i, "must be a country code of two letters")
      .transform((country) => country.toLowerCase())
      .default("us"),
    /** Filter in the search provider's own language. At most 200 characters. */
    filter: z.string().max(200).optional(),
    /**
     * Milliseconds for the whole call, at least 1.
     * @default 60000
     */
    timeout: z.int().min(1).max(maxTimeout).default(60_000),
    /**
     * Leave out results that the other calls would refuse as URLs.
     * @default false
     */
    ignoreInvalidURLs: z.boolean().default(false),
    /** How each result is scraped. Without `formats` in it, results are not scraped. */
    scrapeOptions: searchScrapeOptions.prefault({}),
    ...ignoredFields,
  })
  .transform(({ origin: _origin, integration: _integration, ...request }) => request);

export type SearchRequest = z.input<typeof searchRequest>;
export type ParsedSearchRequest = z.output<typeof searchRequest>;

/** One result; the keys of a document are there when it was scraped. A page that failed has `metadata.error`. */
export interface SearchResult<Json = unknown> extends Partial<Document<Json>> {
  url: string;
  title: string;
  description: string;
}

export interface SearchResponse<Json = unknown> {
  success: true;
  /** In the provider's order. */
  data: SearchResult<Json>[];
  /** What went wrong although there is an answer. */
  warning: string | null;
}
