/** The fetcher that requests a page over HTTP, without scripts or rendering. */

import type { Fetcher, FetchNeed, FetchRequest } from "../ports/fetcher.ts";
import type { HttpClient } from "../ports/http-client.ts";
import { refreshTarget } from "./meta-refresh.ts";
import { createProxies, type Proxies } from "./proxies.ts";
import { stealthHeaders } from "./stealth-headers.ts";

/**
 * Creates the HTTP fetcher. The caller's headers override those that it sends by itself; without `userAgent`, that of
 * the client is used.
 *
 * @example
 * const fetcher = httpFetcher(client);
 */
export function httpFetcher(
  client: HttpClient,
  options: { readonly userAgent?: string | undefined; readonly proxies?: Proxies | undefined } = {},
): Fetcher {
  const proxies = options.proxies ?? createProxies(undefined);
  const can: ReadonlySet<FetchNeed> = new Set(proxies.has("stealth") ? ["stealth"] : []);
  return {
    name: "http",
    can,
    async fetch(request) {
      const answer = await proxies.through(request, (proxy) =>
        client.request({
          url: request.url,
          headers: requestHeaders(request, options.userAgent),
          signal: request.signal,
          skipTlsVerification: request.skipTlsVerification,
          onward: refreshTarget,
          isUnwanted: request.isUnwanted,
          ...(request.headersFor === undefined ? {} : { headersFor: request.headersFor }),
          ...(request.beforeRedirect === undefined ? {} : { beforeRedirect: request.beforeRedirect }),
          ...(proxy === undefined ? {} : { proxy }),
        }),
      );
      return { ...answer, rendered: false, proxyUsed: request.proxy };
    },
    // The client belongs to the engine, which closes it.
    async close() {},
  };
}

function requestHeaders(request: FetchRequest, userAgent: string | undefined): Record<string, string> {
  if (request.proxy === "stealth") return { ...stealthHeaders, ...request.headers };
  const headers: Record<string, string> = {
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    // Who wants other languages has a `location`, and gets a browser.
    "accept-language": "en-US,en;q=0.9",
  };
  if (userAgent !== undefined) headers["user-agent"] = userAgent;
  if (request.ifNoneMatch !== undefined) headers["if-none-match"] = request.ifNoneMatch;
  if (request.ifModifiedSince !== undefined) headers["if-modified-since"] = request.ifModifiedSince;
  return { ...headers, ...request.headers };
}
