import { impersonalHeaders } from "../fetch/redirects.ts";
import { basicCredentials } from "../fetch/url-credentials.ts";
import { createSite } from "../frontier/site.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Which of the caller's headers are sent for a page: all of them within the sites that the request names and their
 * subdomains. Pages that are linked from there, or were found by a search, may be anybody's, and get only headers that
 * say nothing about the caller.
 */
export function siteHeaders(named: readonly string[], headers: Headers | undefined): (url: URL) => Headers | undefined {
  if (headers === undefined) return () => undefined;
  const relations = named.map((url) => createSite(new URL(url)));
  const forOthers = impersonalHeaders(headers);
  return (url) => (relations.some((relationTo) => relationTo(url) !== "external") ? headers : forOthers);
}

/** The user name and password in a URL apply to its whole origin, as they do in a browser; undefined if it has none. */
export function originHeaders(named: string): ((url: URL) => Headers | undefined) | undefined {
  const { origin, username, password } = new URL(named);
  const authorization = basicCredentials({ username, password });
  return authorization === undefined ? undefined : (url) => (url.origin === origin ? { authorization } : undefined);
}
