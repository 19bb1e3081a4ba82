/** Decides which URLs a crawl may enter: yes, or no with a reason. */

import { badRequest } from "../contract/parse.ts";
import type { ErrorDetail } from "../errors.ts";
import { parseFetchableUrl } from "./fetchable-url.ts";
import { readPatterns } from "./patterns.ts";
import type { ScopeReason } from "./scope-reasons.ts";
import { createSite, type SiteRelation } from "./site.ts";
import { hasSkippedFileType } from "./skipped-file-types.ts";
import { canonicalPath, keyOf, type UrlIdentity, urlKey } from "./url-key.ts";

/** As in the sitemap protocol. Stricter than for URLs that a caller names. */
const maxCrawledUrlLength = 2048;

/** The fields of a parsed crawl request that decide which URLs are admitted. */
export interface ScopeOptions extends UrlIdentity {
  readonly startUrl: string;
  /** The address that the start URL redirected to. */
  readonly landedUrl?: string | undefined;
  readonly includePaths?: readonly string[] | undefined;
  readonly excludePaths?: readonly string[] | undefined;
  /** Patterns are matched against the whole URL, not only its pathname. */
  readonly regexOnFullURL: boolean;
  /** Most path segments a URL may have; index files do not count. */
  readonly maxDepth: number;
  readonly maxDiscoveryDepth?: number | undefined;
  readonly crawlEntireDomain: boolean;
  readonly allowExternalLinks: boolean;
  readonly allowSubdomains: boolean;
  /** Pages on subdomains must be below the start path, too. */
  readonly startPathOnSubdomains?: boolean | undefined;
  /** Checks the rules of the URL's own host; a host whose rules are not known is allowed. */
  readonly isAllowedByRobots?: ((url: string) => boolean) | undefined;
}

/** Where a URL was found. */
export interface FoundAt {
  /** Links away from the start: 0 for the start and for URLs of a sitemap, the page's own depth + 1 for its links. */
  readonly depth: number;
  /** Final URL of the page that holds the link; absent for sitemaps. */
  readonly from?: string | undefined;
}

/** A URL that may enter. */
export interface Admission {
  /** To fetch. */
  readonly url: string;
  /** Identity; what the storage keeps unique. */
  readonly key: string;
}

export type Verdict =
  | ({ readonly admitted: true } & Admission)
  | { readonly admitted: false; readonly reason: ScopeReason };

export interface Scope {
  /** `url` of the answer is the one to fetch, `key` its identity. */
  admit(url: string, found: FoundAt): Verdict;
  /** The identity of any URL. */
  key(url: string): string;
  /**
   * The same page at the site's own origin, for an address with another scheme, or with or without `www.`; undefined for
   * any other address, or if it may not enter. Its key is not that of the page, which belongs to the address.
   */
  atHome(url: string, found: FoundAt): Admission | undefined;
  /** The same rules for the address that the start URL led to. */
  rebase(landedUrl: string): Scope;
}

/**
 * Rules beyond what the options say:
 * - "Below the start path" goes by segments: `/docs` admits `/docs/x`, but not `/docs-old`. `/docs/index.html` means
 *   `/docs`, a page `/docs/guide.html` includes the folder `/docs/guide/`, and a sitemap or feed `/docs/sitemap.xml`
 *   stands for its folder. The rule applies only to the site's own host, unless `startPathOnSubdomains` is set.
 * - External pages are admitted only from pages of the crawled site, never from one another.
 * - After a redirect of the start, the site is that of the address it led to; the start path is kept if that address is
 *   below it.
 *
 * @throws RequestError `BAD_REQUEST` that names all invalid patterns, and an invalid start URL
 */
export function createScope(options: ScopeOptions): Scope {
  const include = readPatterns(options.includePaths ?? [], "includePaths");
  const exclude = readPatterns(options.excludePaths ?? [], "excludePaths");
  const start = parseFetchableUrl(options.startUrl);
  const problems: ErrorDetail[] = [...include.problems, ...exclude.problems];
  if (start === null) problems.push({ path: ["url"], message: "must be an http or https URL" });
  if (start === null || problems.length > 0) throw badRequest("request", problems);

  const home = (options.landedUrl === undefined ? null : parseFetchableUrl(options.landedUrl)) ?? start;
  const relationToSite = createSite(home);
  const isBelowStart = belowOneOf(start, home);
  const maxDiscoveryDepth = options.maxDiscoveryDepth ?? Number.POSITIVE_INFINITY;

  let lastPage: string | undefined;
  let lastPageIsExternal = false;
  function isExternalPage(from: string): boolean {
    if (from !== lastPage) {
      const page = URL.parse(from);
      lastPageIsExternal = page !== null && !isOfSite(relationToSite(page));
      lastPage = from;
    }
    return lastPageIsExternal;
  }
  function isOfSite(relation: SiteRelation): boolean {
    return relation === "same" || (relation === "subdomain" && options.allowSubdomains);
  }

  function refusal(url: URL, path: string, found: FoundAt): ScopeReason | undefined {
    if (url.href.length > maxCrawledUrlLength) return "URL_TOO_LONG";
    const relation = relationToSite(url);
    if (!isOfSite(relation)) {
      if (!options.allowExternalLinks) return relation === "subdomain" ? "SUBDOMAIN" : "EXTERNAL";
      if (found.from !== undefined && isExternalPage(found.from)) return "EXTERNAL_FROM_EXTERNAL";
    }
    if (hasSkippedFileType(url.pathname)) return "FILE_TYPE";
    if (segments(path) > options.maxDepth) return "MAX_DEPTH";
    const text = options.regexOnFullURL ? url.href : url.pathname;
    if (exclude.compiled.matches(text)) return "EXCLUDED";
    if (include.compiled.size > 0 && !include.compiled.matches(text)) return "NOT_INCLUDED";
    const hasStartPath = relation === "same" || (relation === "subdomain" && options.startPathOnSubdomains);
    if (hasStartPath && !options.crawlEntireDomain && !isBelowStart(path)) return "OUTSIDE_START_PATH";
    if (found.depth > maxDiscoveryDepth) return "MAX_DISCOVERY_DEPTH";
    if (options.isAllowedByRobots?.(url.href) === false) return "ROBOTS";
    return undefined;
  }

  function admit(address: string, found: FoundAt): Verdict {
    const url = parseFetchableUrl(address);
    if (url === null) return { admitted: false, reason: "INVALID_URL" };
    const path = canonicalPath(url.pathname);
    const reason = refusal(url, path, found);
    if (reason !== undefined) return { admitted: false, reason };
    return { admitted: true, url: url.href, key: keyOf(url, path, options) };
  }

  return {
    admit,
    key: (url) => urlKey(url, options),
    atHome(address, found) {
      const url = parseFetchableUrl(address);
      if (url === null || !options.deduplicateSimilarURLs || url.origin === home.origin) return undefined;
      if (relationToSite(url) !== "same") return undefined;
      const verdict = admit(home.origin + url.href.slice(url.origin.length), found);
      if (!verdict.admitted) return undefined;
      return { url: verdict.url, key: urlKey(verdict.url, { ...options, deduplicateSimilarURLs: false }) };
    },
    rebase: (landedUrl) => createScope({ ...options, landedUrl }),
  };
}

const pageEnding = /\.(?:x?html?|shtml|php|aspx?|jsp)$/i;

/** The file name of a sitemap or feed, at the end of a path. */
const listFile = /\/[^/]*\.xml(?:\.gz)?$/i;

/** A test for canonical paths that are the start page or lie in its folder. */
function belowOneOf(start: URL, home: URL): (path: string) => boolean {
  const isBelowStart = below(canonicalPath(start.pathname));
  const homePath = canonicalPath(home.pathname);
  return isBelowStart(homePath) ? isBelowStart : below(homePath);
}

function below(page: string): (path: string) => boolean {
  const folder = page === "/" ? "" : page.replace(listFile, "").replace(pageEnding, "");
  const prefix = `${folder}/`;
  return (path) => path.startsWith(prefix) || path === page || path === folder;
}

/** How deep a URL is within its site, as `maxDepth` counts it. */
export function pathDepth(url: string): number {
  return segments(canonicalPath(new URL(url).pathname));
}

function segments(path: string): number {
  let count = 0;
  for (let index = 0; index < path.length; index++) {
    if (path[index] === "/" && index + 1 < path.length && path[index + 1] !== "/") count++;
  }
  return count;
}
