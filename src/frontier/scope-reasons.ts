/** Why a URL is left out of a crawl: stable words, which callers see in `skipped`. */
export type ScopeReason =
  /** No http(s) URL that can be fetched. */
  | "INVALID_URL"
  /** Longer than 2048 characters, as on pages that link to themselves with ever longer queries. */
  | "URL_TOO_LONG"
  /** On another website; `allowExternalLinks` follows it. */
  | "EXTERNAL"
  /** On another website and found outside the crawled site; external links are followed one step only. */
  | "EXTERNAL_FROM_EXTERNAL"
  /** On another host of the same domain; `allowSubdomains` follows it. */
  | "SUBDOMAIN"
  /** A file type that is not crawled. */
  | "FILE_TYPE"
  /** The path has more segments than `maxDepth`. */
  | "MAX_DEPTH"
  /** Matches a pattern of `excludePaths`. */
  | "EXCLUDED"
  /** Matches no pattern of `includePaths`. */
  | "NOT_INCLUDED"
  /** Not below the path of the start URL; `crawlEntireDomain` follows it. */
  | "OUTSIDE_START_PATH"
  /** More links away from the start than `maxDiscoveryDepth`. */
  | "MAX_DISCOVERY_DEPTH"
  /** Disallowed by robots.txt. */
  | "ROBOTS";

/** These depend on the page with the link: a URL refused on one page may have been admitted on another. */
export const placeReasons: ReadonlySet<string> = new Set<ScopeReason>([
  "MAX_DISCOVERY_DEPTH",
  "EXTERNAL_FROM_EXTERNAL",
]);
