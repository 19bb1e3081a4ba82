/** Why a URL is left out of a crawl: stable codes, and a sentence for each. */
export const scopeReasons = {
  INVALID_URL: "not an http(s) URL that can be fetched",
  URL_TOO_LONG: "longer than 2048 characters, as pages that link to themselves with ever longer queries make them",
  EXTERNAL: "on another website; allowExternalLinks follows it",
  EXTERNAL_FROM_EXTERNAL:
    "on another website and found outside the crawled site; external links are followed one step only",
  SUBDOMAIN: "on another host of the same domain; allowSubdomains follows it",
  FILE_TYPE: "the file type is not crawled",
  MAX_DEPTH: "the path has more segments than maxDepth",
  EXCLUDED: "matches a pattern of excludePaths",
  NOT_INCLUDED: "matches no pattern of includePaths",
  OUTSIDE_START_PATH: "not below the path of the start URL; crawlEntireDomain follows it",
  MAX_DISCOVERY_DEPTH: "more links away from the start than maxDiscoveryDepth",
  ROBOTS: "disallowed by robots.txt",
} as const;

export type ScopeReason = keyof typeof scopeReasons;
