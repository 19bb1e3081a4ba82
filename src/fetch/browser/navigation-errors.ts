/** Converts the browser's network errors into errors of this package. */

import { CrawlcoreError, ScrapeError, type ScrapeErrorCode } from "../../errors.ts";
import { errorText } from "../../shared/error-text.ts";
import { portOf } from "../connectors.ts";
import type { Tab } from "./tabs.ts";

type Row = readonly [pattern: RegExp, code: ScrapeErrorCode, says: string, retryable: boolean, advice?: string];

const rows: readonly Row[] = [
  [/ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION/, "SCRAPE_DNS_RESOLUTION_ERROR", "could not be resolved", false],
  [
    /ERR_(?:CERT|CERTIFICATE)_/,
    "SCRAPE_SSL_ERROR",
    "has no certificate that can be verified",
    false,
    "With skipTlsVerification: true the page is fetched in spite of it",
  ],
  [
    /ERR_(?:SSL|BAD_SSL)_/,
    "SCRAPE_SSL_ERROR",
    "does not answer with TLS that a browser understands",
    false,
    "The site may still answer on http://",
  ],
  [/ERR_TOO_MANY_REDIRECTS/, "SCRAPE_SITE_ERROR", "redirects without end", false],
  [
    /ERR_(?:UNSAFE_PORT|UNSAFE_REDIRECT|INVALID_REDIRECT|INVALID_URL|UNKNOWN_URL_SCHEME)/,
    "SCRAPE_SITE_ERROR",
    "leads to an address that browsers refuse",
    false,
  ],
  [
    /ERR_(?:INVALID_RESPONSE|INVALID_HTTP_RESPONSE|RESPONSE_HEADERS|HTTP2_PROTOCOL|CONTENT_DECODING)/,
    "SCRAPE_SITE_ERROR",
    "did not answer with valid HTTP",
    false,
  ],
  [
    /ERR_(?:EMPTY_RESPONSE|CONNECTION_|TUNNEL_|PROXY_|TIMED_OUT|NETWORK_|INTERNET_|SOCKET_|INCOMPLETE_)/,
    "SCRAPE_SITE_ERROR",
    "broke off the connection",
    true,
  ],
];

/**
 * The error for a failed navigation. What the proxy knows about the host takes precedence over the browser's message.
 */
export function navigationError(error: unknown, url: string, tab: Tab): CrawlcoreError {
  if (CrawlcoreError.isInstance(error)) return error;
  const at = URL.parse(tab.traffic.lastUrl ?? url);
  const known = at && tab.pass.failureOf(`${at.hostname}:${portOf(at)}`);
  if (known) return known;
  const text = errorText(error);
  const name = /net::(\w+)/.exec(text)?.[1] ?? "";
  const [, code, says, retryable, advice] = rows.find(([pattern]) => pattern.test(name)) ?? [
    undefined,
    "UNKNOWN_ERROR" as const,
    "could not be opened in the browser",
    false,
  ];
  const host = at?.host ?? url;
  const message = `${host} ${says}${name === "" ? "" : ` (${name})`}${advice === undefined ? "" : `. ${advice}`}`;
  return new ScrapeError(code, message, { cause: error, retryable });
}
