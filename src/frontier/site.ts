/** Which hosts make up the site that is crawled. */

import { getDomain, parse } from "tldts";
import { canonicalHost } from "./url-key.ts";

export type SiteRelation = "same" | "subdomain" | "external";

/**
 * Compares hosts with the site of a URL.
 *
 * - `www.example.com` and `example.com` are the same host; so are http and https on their default ports.
 * - Another port is another site: `localhost:3000` and `localhost:4000` are external to each other.
 * - Hosts under one registrable domain (public suffix list, private suffixes such as `github.io` included) are
 *   subdomains of each other, whatever their ports. A host without one (`localhost`, an address) counts as its own.
 * - Hosts below a public suffix belong to others, also if the suffix is a host itself: a council's site is no part of
 *   `www.gov.uk`.
 */
export function createSite(home: URL): (url: URL) => SiteRelation {
  const host = canonicalHost(home);
  const domain = siteDomain(home);
  const ending = isListedSuffix(domain) ? undefined : `.${domain}`;
  return (url) => {
    const other = canonicalHost(url);
    if (other === host) return "same";
    const name = withoutPort(other);
    if (name === withoutPort(host)) return "external";
    return ending !== undefined && (name === domain || name.endsWith(ending)) ? "subdomain" : "external";
  };
}

/** The part that all hosts of a site share: the registrable domain, else the host itself. */
export function siteDomain(url: URL): string {
  return registrableDomain(withoutPort(canonicalHost(url)));
}

function registrableDomain(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true, extractHostname: false }) ?? hostname;
}

/** Not for `localhost` and other names that are on no list. */
function isListedSuffix(domain: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true, extractHostname: false });
  return publicSuffix === domain && (isIcann === true || isPrivate === true);
}

function withoutPort(host: string): string {
  const colon = host.lastIndexOf(":");
  // An IPv6 address has colons of its own, inside brackets.
  return colon > host.lastIndexOf("]") ? host.slice(0, colon) : host;
}
