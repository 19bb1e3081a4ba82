/** Where a redirect leads, and what is sent along. */
import { ScrapeError } from "../errors.ts";
import type { HeadersFor } from "../ports/http-client.ts";
import { parseHttpUrl } from "../shared/http-url.ts";
import { CookieJar, cookieHeader } from "./cookie-jar.ts";
import { latin1OrUtf8 } from "./header-text.ts";
import { basicCredentials, withoutCredentials } from "./url-credentials.ts";

/** A request on its way through redirects. */
export interface Hop {
  readonly url: URL;
  readonly method: "GET" | "POST" | "HEAD";
  /** Names in lower case; without cookies of the jar and credentials of the URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers for other origins, besides the impersonal ones. */
  readonly headersFor: HeadersFor;
  readonly body: string | Uint8Array | undefined;
  /** `Basic` authorization from the URL, for its origin only. */
  readonly credentials: string | undefined;
}

/** Status codes with which a `location` is followed. */
const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/**
 * Headers that say how to answer, and nothing about the caller; all others are sent only to the origin they were meant
 * for.
 */
const impersonal = new Set(["accept", "accept-language", "accept-encoding", "user-agent"]);
const describingBody = new Set(["content-type", "content-length", "content-encoding", "content-language"]);

/** The headers that may be sent to an origin for which they were not meant. */
export function impersonalHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => impersonal.has(name)));
}

/**
 * Whether what was meant for one address may be sent to the other: within an origin, and where a site leads from http to
 * its https, as most do with addresses that were written without a scheme.
 */
export function isMeantFor(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:" && from.port === "" && to.port === "";
  return isUpgrade && from.hostname === to.hostname;
}

/** Whether an answer leads on. An empty address would be the page's own; browsers show what came with it. */
export function isRedirect(statusCode: number, location: string | undefined): location is string {
  return redirectStatus.has(statusCode) && location !== undefined && location.trim() !== "";
}

/** The next hop for a redirect; undefined if the answer is final, or its `location` leads nowhere. */
export function nextHop(hop: Hop, statusCode: number, location: string | undefined): Hop | undefined {
  if (!isRedirect(statusCode, location)) return undefined;
  return hopTo(hop, latin1OrUtf8(location), statusCode);
}

/** The hop to the address that an answer leads to; undefined if that is no http(s) address. */
export function hopTo(hop: Hop, target: string, statusCode = 302): Hop | undefined {
  const url = parseHttpUrl(target, hop.url.href);
  if (url === null) return undefined;
  if (url.hash === "") url.hash = hop.url.hash;
  const becomesGet = hop.method !== "HEAD" && (statusCode === 303 || (statusCode < 303 && hop.method === "POST"));
  const isMeant = isMeantFor(hop.url, url);
  const meant = isMeant ? hop.headers : { ...impersonalHeaders(hop.headers), ...hop.headersFor(url) };
  const headers = Object.entries(meant).filter(([name]) => !(becomesGet && describingBody.has(name)));
  return {
    url,
    method: becomesGet ? "GET" : hop.method,
    headers: Object.fromEntries(headers),
    headersFor: hop.headersFor,
    body: becomesGet ? undefined : hop.body,
    credentials: basicCredentials(url) ?? (isMeant ? hop.credentials : undefined),
  };
}

/** Schemes that tell a server who is using the connection, not who sends the request. */
const ofConnection = /^(?:negotiate|ntlm)\b/i;

/** The headers that go out with a hop. */
export function requestHeaders(hop: Hop, jar: CookieJar | undefined): Record<string, string> {
  const headers: Record<string, string> = { ...hop.headers };
  if (hop.credentials !== undefined) headers["authorization"] ??= hop.credentials;
  const cookies = jar && cookieHeader(jar, hop.url, headers["cookie"]);
  if (cookies !== undefined) headers["cookie"] = cookies;
  if (ofConnection.test(headers["authorization"] ?? "")) headers["connection"] = "close";
  return headers;
}

/** A request on its way from address to address, with the cookies it has been given. */
export interface Trip {
  hop: Hop;
  jar: CookieJar | undefined;
  /** The addresses that redirected. */
  readonly redirects: string[];
  readonly seen: Set<string>;
  readonly maxRedirects: number;
}

/** Goes on to the next address, with the cookies of the answer; false if that would be a loop. Throws at the limit. */
export function leave(trip: Trip, setCookie: string | readonly string[] | undefined, next: Hop): boolean {
  trip.seen.add(identityOf(trip));
  if (setCookie !== undefined) {
    trip.jar ??= new CookieJar();
    trip.jar.store([setCookie].flat(), trip.hop.url);
  }
  if (trip.seen.has(identityOf({ hop: next, jar: trip.jar }))) return false;
  trip.redirects.push(withoutCredentials(trip.hop.url));
  if (trip.redirects.length > trip.maxRedirects) {
    throw new ScrapeError("SCRAPE_SITE_ERROR", `Redirect loop or too many redirects: more than ${trip.maxRedirects}`);
  }
  trip.hop = next;
  return true;
}

/** Two hops with the same identity get the same answer, so the second one is the beginning of a loop. */
function identityOf({ hop, jar }: Pick<Trip, "hop" | "jar">): string {
  const { cookie = "", authorization = "" } = requestHeaders(hop, jar);
  return `${hop.method} ${withoutCredentials(hop.url)} ${authorization} ${cookie}`;
}
