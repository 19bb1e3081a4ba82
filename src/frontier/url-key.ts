/** The identity of a URL: two URLs with one key are one page. */

import { parseHttpUrl } from "../shared/http-url.ts";
import { routeOf } from "./fetchable-url.ts";
import { indexFiles } from "./index-files.ts";
import { normalisePercentEncoding } from "./percent-encoding.ts";
import { isTrackingParameter } from "./tracking-parameters.ts";

export interface UrlIdentity {
  /** The query is not part of the identity. */
  readonly ignoreQueryParameters: boolean;
  /** False: URLs are compared as they are, except for the fragment. */
  readonly deduplicateSimilarURLs: boolean;
}

/** How URLs are compared where no request says: when two of them are the same page. */
export const usualIdentity: UrlIdentity = { ignoreQueryParameters: false, deduplicateSimilarURLs: true };

const slash = 47;
const longestIndexFile = Math.max(...[...indexFiles].map((name) => name.length));
const sessionPathParameter = /;jsessionid=[^/;]*/gi;
/** By which column a web server's listing of a folder is sorted, and whether downwards. */
const listingOrder = /^\?C=[NMSD](?:;|&|%3B)O=[AD]$/;

/**
 * The canonical form of an http(s) URL; anything else is its own key.
 *
 * With `deduplicateSimilarURLs` these do not matter: scheme and its default port, `www.`, credentials, fragment (routes
 * such as `#/users` and `#!users` do), trailing slash, index file, spelling of percent-encoding, order of the query's
 * names, an empty query, repeated equal parameters, `a=` or `a`, the order of a folder's listing, and tracking
 * parameters (see `tracking-parameters.ts`).
 * Such a key has no scheme. Without it only the fragment, credentials and what every URL parser evens out do not matter.
 *
 * @example
 * const identity = { ignoreQueryParameters: false, deduplicateSimilarURLs: true };
 * urlKey("http://www.example.com/docs/index.html?b=2&a=1#intro", identity); // "example.com/docs?a=1&b=2"
 */
export function urlKey(url: string, identity: UrlIdentity): string {
  const parsed = parseHttpUrl(url);
  if (parsed === null) return url;
  return keyOf(parsed, canonicalPath(parsed.pathname), identity);
}

/** The key of a page, whoever asks for it. */
export function pageKey(url: string): string {
  return urlKey(url, usualIdentity);
}

/** The key of what a page shows: unlike for {@link pageKey}, the order of a folder's listing matters. */
export function contentKey(url: string): string {
  const parsed = URL.parse(url);
  return pageKey(url) + (parsed !== null && isOrderedListing(parsed) ? parsed.search : "");
}

/** {@link urlKey} of a parsed http(s) URL whose {@link canonicalPath} is known. */
export function keyOf(url: URL, path: string, identity: UrlIdentity): string {
  const route = routeOf(url.hash);
  if (!identity.deduplicateSimilarURLs) {
    return `${url.protocol}//${url.host}${url.pathname}${identity.ignoreQueryParameters ? "" : url.search}${route}`;
  }
  return canonicalHost(url) + path + (identity.ignoreQueryParameters ? "" : canonicalQuery(url)) + route;
}

/** Host name without `www.` and closing dots, with the port unless it is 80 or 443. */
export function canonicalHost(url: URL): string {
  let { hostname } = url;
  while (hostname.endsWith(".")) hostname = hostname.slice(0, -1);
  while (hostname.startsWith("www.") && hostname.includes(".", 4)) hostname = hostname.slice(4);
  const { port } = url;
  return port === "" || port === "80" || port === "443" ? hostname : `${hostname}:${port}`;
}

/** A pathname without index file, trailing slashes and session parameter, with normalised percent-encoding. */
export function canonicalPath(pathname: string): string {
  let path = normalisePercentEncoding(pathname);
  if (path.includes(";")) path = path.replace(sessionPathParameter, "");
  let end = path.length;
  while (end > 0) {
    while (end > 0 && path.charCodeAt(end - 1) === slash) end--;
    const start = end === 0 ? 0 : path.lastIndexOf("/", end - 1) + 1;
    if (end - start > longestIndexFile || !indexFiles.has(path.slice(start, end).toLowerCase())) break;
    end = start;
  }
  return end === 0 ? "/" : path.slice(0, end);
}

/** Whether the query only orders a listing: in each order, it has the same files. */
function isOrderedListing({ pathname, search }: URL): boolean {
  return pathname.endsWith("/") && listingOrder.test(search);
}

function canonicalQuery(url: URL): string {
  const { search } = url;
  if (search === "" || isOrderedListing(url)) return "";
  const pairs = new Map<string, string>();
  for (const raw of search.slice(1).split("&")) {
    const pair = normalisePercentEncoding(raw.endsWith("=") ? raw.slice(0, -1) : raw);
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    if (pair !== "" && !isTrackingParameter(name, pair.slice(name.length + 1))) pairs.set(pair, name);
  }
  if (pairs.size === 0) return "";
  if (pairs.size === 1) return `?${pairs.keys().next().value}`;
  // Sorted stably, and only by name: the order of the values of one name may matter.
  const sorted = [...pairs].sort((left, right) => (left[1] < right[1] ? -1 : left[1] > right[1] ? 1 : 0));
  return `?${sorted.map(([pair]) => pair).join("&")}`;
}
