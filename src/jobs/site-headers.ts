import { impersonalHeaders } from "../fetch/redirects.ts";
import { basicCredentials } from "../fetch/url-credentials.ts";
import { createSite } from "../frontier/site.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Which of the caller's headers go with a page: all of them within the sites that were named, their subdomains included.
 * What is linked from there, or was found by a search, may be anybody's, and gets what says nothing about the caller.
 */
export function siteHeaders(named: readonly string[], headers: Headers | undefined): (url: URL) => Headers | undefined {
  if (headers === undefined) return () => undefined;
  const relations = named.map((url) => createSite(new URL(url)));
  const forOthers = impersonalHeaders(headers);
  return (url) => (relations.some((relationTo) => relationTo(url) !== "external") ? headers : forOthers);
}

/** User name and password of a URL hold for its whole origin, as they do in a browser; undefined when it has none. */
export function originHeaders(named: string): ((url: URL) => Headers | undefined) | undefined {
  const { origin, username, password } = new URL(named);
  const authorization = basicCredentials({ username, password });
  return authorization === undefined ? undefined : (url) => (url.origin === origin ? { authorization } : undefined);
}
