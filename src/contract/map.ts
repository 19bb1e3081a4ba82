/** The request that lists the URLs of a site, and its answer. */
import { z } from "zod";
import { ignoredFields } from "./ignored-fields.ts";
import { rule } from "./rule.ts";
import { maxTimeout } from "./scrape-options.ts";
import { httpUrl } from "./url.ts";

/** A `map` request. */
export const mapRequest = z
  .strictObject({
    /** The site. `http://` is put in front when there is no scheme. */
    url: httpUrl,
    /** Words to order the URLs by: those that fit best come first. At most 2000 characters. */
    search: z.string().max(2000).optional(),
    /**
     * Most URLs to return, 1 to 30000.
     * @default 5000
     */
    limit: z.int().min(1).max(30_000).default(5000),
    /**
     * Do not read the site's sitemap.
     * @default false
     */
    ignoreSitemap: z.boolean().default(false),
    /**
     * Return only URLs of the sitemap.
     * @default false
     */
    sitemapOnly: z.boolean().default(false),
    /**
     * Return URLs of subdomains too.
     * @default true
     */
    includeSubdomains: z.boolean().default(true),
    /**
     * Drop the query of each URL.
     * @default true
     */
    ignoreQueryParameters: z.boolean().default(true),
    /**
     * When `url` has a path, return only URLs below it.
     * @default true
     */
    filterByPath: z.boolean().default(true),
    /**
     * Return links to other sites too.
     * @default false
     */
    allowExternalLinks: z.boolean().default(false),
    /**
     * Return URLs of the site that this team has in the cache too.
     * @default false
     */
    useIndex: z.boolean().default(false),
    /** Milliseconds for the whole call, at least 1. Default: no bound. */
    timeout: z.int().min(1).max(maxTimeout).optional(),
    ...ignoredFields,
  })
  .check(
    rule<{ ignoreSitemap: boolean; sitemapOnly: boolean }>(
      ["ignoreSitemap", "sitemapOnly"],
      ["sitemapOnly"],
      "cannot be true together with ignoreSitemap",
      ({ ignoreSitemap, sitemapOnly }) => !(ignoreSitemap && sitemapOnly),
    ),
  )
  .transform(({ origin: _origin, integration: _integration, ...request }) => request);

export type MapRequest = z.input<typeof mapRequest>;
export type ParsedMapRequest = z.output<typeof mapRequest>;

export interface MapResponse {
  success: true;
  /** Absolute URLs, each once. */
  links: string[];
}
