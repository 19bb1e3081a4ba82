/** The request that crawls a site. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { type IgnoredFields, ignoredFields } from "./ignored-fields.ts";
import { type PathFilterRules, pathFilterChecks, pathFilterFields } from "./path-filters.ts";
import { rule } from "./rule.ts";
import type { SchemaOption } from "./schema-option.ts";
import { scrapeOptions } from "./scrape.ts";
import type { ParsedScrapeOptions, ScrapeOptions } from "./scrape-options.ts";
import { httpUrl } from "./url.ts";
import { type ParsedWebhook, type Webhook, webhook } from "./webhook.ts";

/** A `crawl` request. */
export interface CrawlRequest<Schema extends SchemaOption = SchemaOption> extends IgnoredFields {
  /** Where the crawl starts. `http://` is put in front when there is no scheme. */
  url: string;
  /**
   * Regular expressions searched for in the pathname; a URL that matches one is left out. Up to 1000 of 2000 characters,
   * 10,000 in all, of which counted repetitions, written out, may add 2000.
   * @default []
   */
  excludePaths?: readonly string[] | undefined;
  /**
   * Regular expressions searched for in the pathname; with any given, only URLs that match one are scraped. Up to 1000
   * of 2000 characters, 10,000 in all, of which counted repetitions, written out, may add 2000.
   * @default []
   */
  includePaths?: readonly string[] | undefined;
  /**
   * Most segments that the path of a scraped URL may have, counted from the root of the site; 0 or more. A start that
   * lies deeper is refused.
   * @default 10
   */
  maxDepth?: number | undefined;
  /** Most links to follow from the start, 0 or more; the start and pages of the sitemap have depth 0. Default: no bound. */
  maxDiscoveryDepth?: number | undefined;
  /**
   * Do not read the site's sitemap.
   * @default false
   */
  ignoreSitemap?: boolean | undefined;
  /**
   * Take URLs that differ only in their query for one page.
   * @default false
   */
  ignoreQueryParameters?: boolean | undefined;
  /**
   * Most pages in the result, 1 up to the engine's `limits.maxPagesPerJob` (10000 unless the host says otherwise). The
   * default is never more than that either.
   * @default 10000
   */
  limit?: number | undefined;
  /**
   * Old name of `crawlEntireDomain`, which goes before it.
   * @deprecated use `crawlEntireDomain`
   */
  allowBackwardLinks?: boolean | undefined;
  /**
   * Follow every link inside the site, to siblings and parents of the start too, not only to pages below it.
   * @default false
   */
  crawlEntireDomain?: boolean | undefined;
  /**
   * Follow links to other sites.
   * @default false
   */
  allowExternalLinks?: boolean | undefined;
  /**
   * Follow links to subdomains of the site.
   * @default false
   */
  allowSubdomains?: boolean | undefined;
  /** Seconds between two pages, more than 0 and up to 3600. Default: none, or what robots.txt asks for. */
  delay?: number | undefined;
  /** Most pages of this crawl at a time, 1 or more. Default, and upper bound: the team's own limit. */
  maxConcurrency?: number | undefined;
  /** Where the crawl announces its progress: an object, or only the URL. */
  webhook?: string | Webhook<"crawl"> | undefined;
  /**
   * How each page is scraped. `headers` are for the site of `url`, its subdomains included: of them other sites get only
   * the user agent and what is accepted.
   */
  scrapeOptions?: ScrapeOptions<Schema> | undefined;
  /**
   * Keep nothing: no cache, no history, no log; documents are erased once they are read (+1 credit a page).
   * @default false
   */
  zeroDataRetention?: boolean | undefined;
  /**
   * Do not obey robots.txt.
   * @default false
   */
  ignoreRobotsTxt?: boolean | undefined;
  /**
   * Search the patterns in the whole URL instead of the pathname.
   * @default false
   */
  regexOnFullURL?: boolean | undefined;
  /**
   * Take the usual spellings of one address (www, scheme, trailing slash, index file) for one page.
   * @default true
   */
  deduplicateSimilarURLs?: boolean | undefined;
}

/** A crawl request with its defaults; `allowBackwardLinks` has become `crawlEntireDomain`. */
export interface ParsedCrawlRequest
  extends Filled<
    Omit<CrawlRequest, keyof IgnoredFields | "allowBackwardLinks" | "webhook" | "scrapeOptions">,
    "maxDiscoveryDepth" | "delay" | "maxConcurrency"
  > {
  webhook?: ParsedWebhook | undefined;
  scrapeOptions: ParsedScrapeOptions;
}

/** Pages of a crawl that names no `limit`, unless the engine allows fewer. */
const defaultCrawlLimit = 10_000;
/** Seconds of the longest `delay`. */
const maxDelay = 3600;

const fields = z.strictObject({
  url: httpUrl,
  ...pathFilterFields,
  maxDepth: pathFilterFields.maxDepth.default(10),
  maxDiscoveryDepth: z.int().min(0).optional(),
  ignoreSitemap: z.boolean().default(false),
  ignoreQueryParameters: z.boolean().default(false),
  // The defaults of these three depend on the engine and on each other, so they are filled in below, from absence.
  limit: z.int().min(1).optional(),
  allowBackwardLinks: z.boolean().optional(),
  crawlEntireDomain: z.boolean().optional(),
  allowExternalLinks: z.boolean().default(false),
  allowSubdomains: z.boolean().default(false),
  delay: z.number().gt(0).max(maxDelay).optional(),
  maxConcurrency: z.int().min(1).optional(),
  webhook: webhook("crawl").optional(),
  scrapeOptions: scrapeOptions.prefault({}),
  zeroDataRetention: z.boolean().default(false),
  ignoreRobotsTxt: z.boolean().default(false),
  deduplicateSimilarURLs: z.boolean().default(true),
  ...ignoredFields,
} satisfies Fields<CrawlRequest>);

/** What the engine, and the parts that this one may not know, say about crawl requests. */
export interface CrawlRules extends PathFilterRules {
  readonly maxPagesPerJob: number;
}

/** The schema of a `crawl` request under the rules of one engine. */
export function crawlRequest(rules: CrawlRules): z.ZodType<ParsedCrawlRequest, CrawlRequest> {
  const { maxPagesPerJob } = rules;
  return fields
    .check(
      rule(["limit"], ["limit"], `must be at most ${maxPagesPerJob}`, ({ limit = 1 }) => limit <= maxPagesPerJob),
      ...pathFilterChecks(rules),
    )
    .transform(
      ({ origin: _origin, integration: _integration, allowBackwardLinks, crawlEntireDomain, limit, ...request }) => ({
        ...request,
        limit: limit ?? Math.min(defaultCrawlLimit, maxPagesPerJob),
        crawlEntireDomain: crawlEntireDomain ?? allowBackwardLinks ?? false,
      }),
    );
}
