import { impersonalHeaders, isMeantFor } from "../fetch/redirects.ts";
import { basicCredentials } from "../fetch/url-credentials.ts";
import { createSite } from "../frontier/site.ts";

type Headers = Readonly<Record<string, string>>;

/**
 * Which of the caller's headers are sent for a page: all of them within the sites that the request names and their
 * subdomains, but never over http if the site is named with https. Pages that are linked from there, or were found by a
 * search, may be anybody's, and get only headers that say nothing about the caller.
 */
export function siteHeaders(named: readonly string[], headers: Headers | undefined): (url: URL) => Headers | undefined {
  if (headers === undefined) return () => undefined;
  const sites = named.map((text) => {
    const home = new URL(text);
    return { relationTo: createSite(home), isSecure: home.protocol === "https:" };
  });
  const forOthers = impersonalHeaders(headers);
  return (url) => {
    const isTold = sites.some(
      ({ relationTo, isSecure }) => relationTo(url) !== "external" && (!isSecure || url.protocol === "https:"),
    );
    return isTold ? headers : forOthers;
  };
}

/**
 * The user name and password in a URL apply to its whole origin, as they do in a browser, and to the https to which it
 * may lead; undefined if it has none.
 */
export function originHeaders(named: string): ((url: URL) => Headers | undefined) | undefined {
  const home = new URL(named);
  const authorization = basicCredentials(home);
  return authorization === undefined ? undefined : (url) => (isMeantFor(home, url) ? { authorization } : undefined);
}
