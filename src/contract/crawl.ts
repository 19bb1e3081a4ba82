/** The request that crawls a site. */
import { z } from "zod";
import { ignoredFields } from "./ignored-fields.ts";
import { list } from "./list.ts";
import { pathDepth } from "./path-depth.ts";
import { rule, whenSound } from "./rule.ts";
import { scrapeOptions } from "./scrape.ts";
import { httpUrl } from "./url.ts";
import { webhook } from "./webhook.ts";

/** Pages of a crawl that names no `limit`, unless the engine allows fewer. */
export const defaultCrawlLimit = 10_000;
/** Most patterns of one list, and characters of the longest. */
export const maxPatterns = 1000;
export const maxPatternLength = 2000;
/** Seconds of the longest `delay`. */
export const maxDelay = 3600;

const patternLists = ["includePaths", "excludePaths"] as const;
const patterns = list(z.string().max(maxPatternLength), maxPatterns);

const crawlFields = z.strictObject({
  /** Where the crawl starts. `http://` is put in front when there is no scheme. */
  url: httpUrl,
  /**
   * Regular expressions searched for in the pathname; a URL that matches one is left out. Up to 1000 of 2000 characters.
   * @default []
   */
  excludePaths: patterns.default([]),
  /**
   * Regular expressions searched for in the pathname; with any given, only URLs that match one are scraped.
   * @default []
   */
  includePaths: patterns.default([]),
  /**
   * Most segments that the path of a scraped URL may have, counted from the root of the site; 0 or more.
   * @default 10
   */
  maxDepth: z.int().min(0).default(10),
  /** Most links to follow from the start; the start and pages of the sitemap have depth 0. Default: no bound. */
  maxDiscoveryDepth: z.int().min(0).optional(),
  /**
   * Do not read the site's sitemap.
   * @default false
   */
  ignoreSitemap: z.boolean().default(false),
  /**
   * Take URLs that differ only in their query for one page.
   * @default false
   */
  ignoreQueryParameters: z.boolean().default(false),
  /**
   * Most pages in the result, 1 up to the engine's `limits.maxPagesPerJob`.
   * @default 10000 (or `limits.maxPagesPerJob`, if that is less)
   */
  limit: z.int().min(1).optional(),
  /**
   * Old name of `crawlEntireDomain`, which goes before it.
   * @deprecated use `crawlEntireDomain`
   * @default false
   */
  allowBackwardLinks: z.boolean().default(false),
  /**
   * Follow every link inside the site, to siblings and parents of the start too, not only to pages below it.
   * @default false
   */
  crawlEntireDomain: z.boolean().optional(),
  /**
   * Follow links to other sites.
   * @default false
   */
  allowExternalLinks: z.boolean().default(false),
  /**
   * Follow links to subdomains of the site.
   * @default false
   */
  allowSubdomains: z.boolean().default(false),
  /** Seconds between two pages, more than 0 and up to 3600. Default: none, or what robots.txt asks for. */
  delay: z.number().gt(0).max(maxDelay).optional(),
  /** Most pages of this crawl at a time. Default, and upper bound: the team's own limit. */
  maxConcurrency: z.int().min(1).optional(),
  /** Where the crawl announces its progress: an object, or only the URL. */
  webhook: webhook("crawl").optional(),
  /** How each page is scraped. */
  scrapeOptions: scrapeOptions.prefault({}),
  /**
   * Keep nothing: no cache, no history, no log; documents are erased once they are read (+1 credit a page).
   * @default false
   */
  zeroDataRetention: z.boolean().default(false),
  /**
   * Do not obey robots.txt.
   * @default false
   */
  ignoreRobotsTxt: z.boolean().default(false),
  /**
   * Search the patterns in the whole URL instead of the pathname.
   * @default false
   */
  regexOnFullURL: z.boolean().default(false),
  /**
   * Take the usual spellings of one address (www, scheme, trailing slash, index file) for one page.
   * @default true
   */
  deduplicateSimilarURLs: z.boolean().default(true),
  ...ignoredFields,
});

/** What the engine, and the parts that this one may not know, say about crawl requests. */
export interface CrawlRules {
  readonly maxPagesPerJob: number;
  /** Why the engine cannot run a pattern; undefined for a good one. Absent: patterns are not compiled here. */
  readonly patternProblem?: (pattern: string) => string | undefined;
}

/** The schema of a `crawl` request under the rules of one engine. */
export function crawlRequest({ maxPagesPerJob, patternProblem }: CrawlRules) {
  const bounded = crawlFields.check(
    rule(["limit"], ["limit"], `must be at most ${maxPagesPerJob}`, ({ limit = 1 }) => limit <= maxPagesPerJob),
    rule(
      ["url", "maxDepth"],
      ["url"],
      ({ url, maxDepth }) => `lies ${pathDepth(url)} segments deep, deeper than maxDepth, which is ${maxDepth}`,
      ({ url, maxDepth }) => pathDepth(url) <= maxDepth,
    ),
    ...patternLists.map((field) =>
      z.superRefine<z.output<typeof crawlFields>>(
        (request, context) => {
          for (const [at, pattern] of request[field].entries()) {
            const message = patternProblem?.(pattern);
            if (message !== undefined) context.addIssue({ code: "custom", path: [field, at], message, input: pattern });
          }
        },
        { when: whenSound([field]) },
      ),
    ),
  );
  return bounded.transform(
    ({ origin: _origin, integration: _integration, allowBackwardLinks, crawlEntireDomain, limit, ...request }) => ({
      ...request,
      limit: limit ?? Math.min(defaultCrawlLimit, maxPagesPerJob),
      crawlEntireDomain: crawlEntireDomain ?? allowBackwardLinks,
    }),
  );
}

export type CrawlRequest = z.input<ReturnType<typeof crawlRequest>>;
export type ParsedCrawlRequest = z.output<ReturnType<typeof crawlRequest>>;
