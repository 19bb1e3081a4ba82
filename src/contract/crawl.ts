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
import { wholeNumber } from "./whole-number.ts";

/** A `crawl` request: which pages of a site to crawl, and how. */
export interface CrawlRequest<Schema extends SchemaOption = SchemaOption> extends IgnoredFields {
  /** URL at which the crawl starts. Without a scheme, `http://` is put in front. */
  url: string;
  /**
   * Regular expressions, matched anywhere in the pathname; a URL that matches one of them is left out. Up to 1000
   * patterns of 2000 characters, 10,000 characters in all; counted repetitions such as `{5}` count as if written out,
   * and may add at most 2000.
   * @default []
   */
  excludePaths?: readonly string[] | undefined;
  /**
   * Regular expressions, matched anywhere in the pathname; if there are any, only URLs that match one of them are
   * scraped. Up to 1000 patterns of 2000 characters, 10,000 characters in all; counted repetitions such as `{5}` count
   * as if written out, and may add at most 2000.
   * @default []
   */
  includePaths?: readonly string[] | undefined;
  /**
   * Most segments that the path of a scraped URL may have, counted from the root of the site; 0 or more. A `url` that
   * is deeper is refused.
   * @default 10
   */
  maxDepth?: number | undefined;
  /**
   * Most links to follow from the start, one after the other, 0 or more; the start and the pages in the sitemap have
   * depth 0. Default: no limit.
   */
  maxDiscoveryDepth?: number | undefined;
  /**
   * Do not read the site's sitemap.
   * @default false
   */
  ignoreSitemap?: boolean | undefined;
  /**
   * Treat URLs that differ only in their query as the same page.
   * @default false
   */
  ignoreQueryParameters?: boolean | undefined;
  /**
   * Most pages in the result, from 1 to the engine's `limits.maxPagesPerJob` (10000 unless the host sets another). If
   * that is lower than the default, it is the default.
   * @default 10000
   */
  limit?: number | undefined;
  /**
   * Old name of `crawlEntireDomain`, which takes precedence.
   * @deprecated use `crawlEntireDomain`
   */
  allowBackwardLinks?: boolean | undefined;
  /**
   * Follow every link within the site, also to siblings and parents of the start, not only to pages below it.
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
  /**
   * Seconds between two pages, more than 0 and up to 3600; the pages are then scraped one at a time. Default: none, or
   * what robots.txt asks for.
   */
  delay?: number | undefined;
  /** Most pages of this crawl at once, 1 or more. Default, and upper limit: the engine's `limits.maxConcurrency`. */
  maxConcurrency?: number | undefined;
  /** Where to send the events of the crawl: an object, or just the URL. */
  webhook?: string | Webhook<"crawl"> | undefined;
  /**
   * How each page is scraped. `headers` are sent to the site of `url` and its subdomains; other sites get only the user
   * agent and `accept` headers among them.
   */
  scrapeOptions?: ScrapeOptions<Schema> | undefined;
  /**
   * Keep nothing: not in the cache, the change history, the search index or the log; documents are erased once they
   * have been read (+1 credit a page).
   * @default false
   */
  zeroDataRetention?: boolean | undefined;
  /**
   * Do not obey robots.txt.
   * @default false
   */
  ignoreRobotsTxt?: boolean | undefined;
  /**
   * Match the patterns against the whole URL instead of the pathname.
   * @default false
   */
  regexOnFullURL?: boolean | undefined;
  /**
   * Treat the usual variants of one address (www, scheme, trailing slash, index file) as the same page.
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

/** A request as it is read, with what is not stored with its job. */
interface ReadCrawlRequest extends ParsedCrawlRequest {
  /** Its own `limit`, else 1: a caller who sets none has not asked to pay for as many pages as the default. */
  readonly pagesAsked: number;
}

/** Pages of a crawl without a `limit`, unless the engine allows fewer. */
const defaultCrawlLimit = 10_000;
/** Seconds of the longest `delay`. */
const maxDelay = 3600;

const fields = z.strictObject({
  url: httpUrl,
  ...pathFilterFields,
  maxDepth: pathFilterFields.maxDepth.default(10),
  maxDiscoveryDepth: wholeNumber().min(0).optional(),
  ignoreSitemap: z.boolean().default(false),
  ignoreQueryParameters: z.boolean().default(false),
  // The defaults of these three depend on the engine and on each other, so they are filled in below, from absence.
  limit: wholeNumber().min(1).optional(),
  allowBackwardLinks: z.boolean().optional(),
  crawlEntireDomain: z.boolean().optional(),
  allowExternalLinks: z.boolean().default(false),
  allowSubdomains: z.boolean().default(false),
  delay: z.number().gt(0).max(maxDelay).optional(),
  maxConcurrency: wholeNumber().min(1).optional(),
  webhook: webhook("crawl").optional(),
  scrapeOptions: scrapeOptions.prefault({}),
  zeroDataRetention: z.boolean().default(false),
  ignoreRobotsTxt: z.boolean().default(false),
  deduplicateSimilarURLs: z.boolean().default(true),
  ...ignoredFields,
} satisfies Fields<CrawlRequest>);

/** What the engine, and the layers that the contract may not import, say about crawl requests. */
interface CrawlRules extends PathFilterRules {
  readonly maxPagesPerJob: number;
}

/** The schema of a `crawl` request under the rules of one engine. */
export function crawlRequest(rules: CrawlRules): z.ZodType<ReadCrawlRequest, CrawlRequest> {
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
        pagesAsked: limit ?? 1,
        crawlEntireDomain: crawlEntireDomain ?? allowBackwardLinks ?? false,
      }),
    );
}
