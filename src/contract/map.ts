/** The request that lists the URLs of a site, and its answer. */
import { z } from "zod";
import type { Fields, Filled } from "./fields.ts";
import { type IgnoredFields, ignoredFields } from "./ignored-fields.ts";
import { type PathFilterRules, pathFilterChecks, pathFilterFields } from "./path-filters.ts";
import { rule } from "./rule.ts";
import { maxTimeout } from "./scrape-options.ts";
import { httpUrl } from "./url.ts";
import { wholeNumber } from "./whole-number.ts";

/** A `map` request: which URLs of a site to list. */
export interface MapRequest extends IgnoredFields {
  /** URL of the site. Without a scheme, `http://` is put in front. */
  url: string;
  /** Words by which the URLs are ranked; those that match best come first. At most 2000 characters. */
  search?: string | undefined;
  /**
   * Most URLs to return, 1 to 30000.
   * @default 5000
   */
  limit?: number | undefined;
  /**
   * Do not read the site's sitemap.
   * @default false
   */
  ignoreSitemap?: boolean | undefined;
  /**
   * Return only URLs of the sitemap. Cannot be combined with `ignoreSitemap`.
   * @default false
   */
  sitemapOnly?: boolean | undefined;
  /**
   * Return URLs of subdomains too.
   * @default true
   */
  includeSubdomains?: boolean | undefined;
  /**
   * Drop the query of each URL.
   * @default true
   */
  ignoreQueryParameters?: boolean | undefined;
  /**
   * If `url` has a path, return only URLs below that path, on subdomains too.
   * @default true
   */
  filterByPath?: boolean | undefined;
  /**
   * Return links to other sites too.
   * @default false
   */
  allowExternalLinks?: boolean | undefined;
  /**
   * Regular expressions, matched anywhere in the pathname; a URL that matches one of them is left out. Up to 1000
   * patterns of 2000 characters, 10,000 characters in all; counted repetitions such as `{5}` count as if written out,
   * and may add at most 2000.
   * @default []
   */
  excludePaths?: readonly string[] | undefined;
  /**
   * Regular expressions, matched anywhere in the pathname; if there are any, only URLs that match one of them are
   * returned. Up to 1000 patterns of 2000 characters, 10,000 characters in all; counted repetitions such as `{5}` count
   * as if written out, and may add at most 2000.
   * @default []
   */
  includePaths?: readonly string[] | undefined;
  /**
   * Match the patterns against the whole URL instead of the pathname.
   * @default false
   */
  regexOnFullURL?: boolean | undefined;
  /** Most segments that the path of a URL may have; 0 or more. A `url` that is deeper is refused. Default: no limit. */
  maxDepth?: number | undefined;
  /**
   * Also return URLs of the site that this team has scraped before (as markdown, and not under zero data retention),
   * for as long as the storage keeps them for searches.
   * @default false
   */
  useIndex?: boolean | undefined;
  /**
   * Milliseconds for the whole call, 1 to 2147483647. If the page or the site's sitemaps take longer, the URLs that are
   * known without them are returned, with a `warning`. Default: no limit.
   */
  timeout?: number | undefined;
}

export type ParsedMapRequest = Filled<Omit<MapRequest, keyof IgnoredFields>, "search" | "maxDepth" | "timeout">;

const fields = z.strictObject({
  url: httpUrl,
  search: z.string().max(2000).optional(),
  limit: wholeNumber().min(1).max(30_000).default(5000),
  ignoreSitemap: z.boolean().default(false),
  sitemapOnly: z.boolean().default(false),
  includeSubdomains: z.boolean().default(true),
  ignoreQueryParameters: z.boolean().default(true),
  filterByPath: z.boolean().default(true),
  allowExternalLinks: z.boolean().default(false),
  ...pathFilterFields,
  maxDepth: pathFilterFields.maxDepth.optional(),
  useIndex: z.boolean().default(false),
  timeout: wholeNumber().min(1).max(maxTimeout).optional(),
  ...ignoredFields,
} satisfies Fields<MapRequest>);

/** The schema of a `map` request. */
export function mapRequest(rules: PathFilterRules = {}): z.ZodType<ParsedMapRequest, MapRequest> {
  return fields
    .check(
      rule(
        ["ignoreSitemap", "sitemapOnly"],
        ["sitemapOnly"],
        "cannot be true together with ignoreSitemap",
        ({ ignoreSitemap, sitemapOnly }) => !(ignoreSitemap && sitemapOnly),
      ),
      ...pathFilterChecks(rules),
    )
    .transform(({ origin: _origin, integration: _integration, ...request }) => request);
}

/** The answer to a `map` request: the URLs of a site. */
export interface MapResponse {
  success: true;
  /** Absolute URLs, each once. */
  links: string[];
  /** Why URLs may be missing: the page could not be had, or sitemaps did not come in time. */
  warning?: string;
}
