/** The cookies of one chain of redirects: many sites set a cookie and redirect, to see whether it comes back. */
import { isIP } from "node:net";
import { getPublicSuffix } from "tldts";

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Host it belongs to; with `subdomains`, also those below it. */
  readonly domain: string;
  readonly subdomains: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** The site has removed it; the caller's own of the same name must not be sent either. */
  readonly expired: boolean;
}

const maxCookies = 64;
/** Most characters of name and value together, as in browsers. */
const maxCookieLength = 4096;

export class CookieJar {
  /** By name, domain and path, in the order of creation. */
  readonly #cookies = new Map<string, Cookie>();

  /** Stores the cookies in the `set-cookie` headers of an answer from `url`. */
  store(headers: readonly string[], url: URL): void {
    for (const header of headers) {
      const cookie = parseCookie(header, url);
      if (!cookie) continue;
      const key = `${cookie.name}\n${cookie.domain}\n${cookie.path}`;
      if (this.#cookies.has(key) || this.#cookies.size < maxCookies) this.#cookies.set(key, cookie);
    }
  }

  /** What the site has said about cookies for `url`, those with the longer path first. */
  cookiesFor(url: URL): Pick<Cookie, "name" | "value" | "expired">[] {
    return [...this.#cookies.values()]
      .filter((cookie) => belongsTo(cookie, url))
      .sort((one, other) => other.path.length - one.path.length);
  }
}

/** The `cookie` header for a request: the jar's cookies, and the caller's own unless the site has replaced them. */
export function cookieHeader(jar: CookieJar, url: URL, own: string | undefined): string | undefined {
  const fromJar = jar.cookiesFor(url);
  const replaced = new Set(fromJar.map(({ name }) => name));
  const kept = (own ?? "").split(";").filter((pair) => pair.trim() !== "" && !replaced.has(nameOf(pair)));
  const sent = fromJar.filter(({ expired }) => !expired).map(({ name, value }) => `${name}=${value}`);
  const pairs = [...kept.map((pair) => pair.trim()), ...sent];
  return pairs.length > 0 ? pairs.join("; ") : undefined;
}

function nameOf(pair: string): string {
  return (pair.split("=", 1)[0] ?? "").trim();
}

function parseCookie(header: string, url: URL): Cookie | undefined {
  const [pair = "", ...rest] = header.split(";");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  if (name === "" || name.length + value.length > maxCookieLength) return undefined;
  const attributes = new Map(
    rest.map((attribute) => {
      const [key = "", ...value] = attribute.split("=");
      return [key.trim().toLowerCase(), value.join("=").trim()] as const;
    }),
  );
  const named = attributes.get("domain")?.replace(/^\./, "").toLowerCase() ?? "";
  const domain = named || url.hostname;
  if (!mayHaveDomain(url.hostname, domain)) return undefined;
  const secure = attributes.has("secure");
  if (secure && url.protocol !== "https:") return undefined;
  const path = attributes.get("path");
  // Names that promise where a cookie comes from (RFC 6265bis).
  if (/^__secure-/i.test(name) && !secure) return undefined;
  if (/^__host-/i.test(name) && !(secure && named === "" && path === "/")) return undefined;
  return {
    name,
    value,
    domain,
    // A domain that is a public suffix itself is only acceptable for that very host.
    subdomains: named !== "" && !isPublicSuffix(domain),
    path: path?.startsWith("/") ? path : url.pathname.slice(0, Math.max(url.pathname.lastIndexOf("/"), 1)),
    secure,
    expired: isExpired(attributes),
  };
}

function mayHaveDomain(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && !isPublicSuffix(domain) && isIP(host) === 0);
}

/** Every site below such a domain belongs to someone else. */
function isPublicSuffix(domain: string): boolean {
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = attributes.get("expires") ?? "";
  return cookieDate.test(expires) && Date.parse(expires) <= Date.now(); // False for a date that cannot be read.
}

/**
 * A date in a cookie has a time and the name of a month. `0` is no date: programs write it for "until the visit ends".
 */
const cookieDate = /^(?=.*\d:\d\d).*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

function belongsTo(cookie: Cookie, url: URL): boolean {
  const host = url.hostname;
  return (
    (host === cookie.domain || (cookie.subdomains && host.endsWith(`.${cookie.domain}`))) &&
    (!cookie.secure || url.protocol === "https:") &&
    (url.pathname === cookie.path ||
      url.pathname.startsWith(cookie.path.endsWith("/") ? cookie.path : `${cookie.path}/`))
  );
}
