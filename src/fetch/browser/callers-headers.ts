/**
 * Which of the caller's headers go with a request of the page. As over HTTP, they are meant for the origin of the page
 * and are not sent any more, not even there, once a redirect has led away from it.
 */
import { isMeantFor } from "../redirects.ts";
import { type Paused, withHeaders } from "./paused-requests.ts";

export interface CallersHeaders {
  /** The address that the caller named. */
  readonly home: URL;
  /** Names in lower case; without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Those that were put among the browser's own, which ignore ports. */
  readonly cookies: readonly Cookie[];
}

interface Cookie {
  readonly name: string;
  readonly value: string;
}

interface Sent {
  /** What is changed of the request. */
  readonly changes: object;
  /** The cookies that were taken from it. */
  readonly taken: readonly Cookie[];
}

const unchanged: Sent = { changes: {}, taken: [] };

/** The cookies of a `cookie` header. */
export function cookiesOf(header = ""): Cookie[] {
  return header.split(";").flatMap((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return name === "" ? [] : [{ name, value: value.join("=") }];
  });
}

/** Whether the caller's headers may go to this address. */
export function isAtHome({ home }: CallersHeaders, address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isMeantFor(home, url);
}

/** @param hasLeft a redirect has led away from the page's origin */
export function sentWith(event: Paused, callers: CallersHeaders, hasLeft: boolean): Sent {
  const { request, redirectedRequestId } = event;
  const { home, headers, cookies } = callers;
  if (!hasLeft && isAtHome(callers, request.url)) {
    const hasHeaders = Object.keys(headers).length > 0;
    return hasHeaders ? { changes: { headers: withHeaders(request.headers, headers) }, taken: [] } : unchanged;
  }
  const present = URL.parse(request.url)?.hostname === home.hostname ? cookiesOf(presentCookies(request)) : [];
  // A value that the site has set since is not the caller's.
  const isCallers = (one: Cookie) => cookies.some(({ name, value }) => name === one.name && value === one.value);
  const taken = present.filter(isCallers);
  // Chromium keeps a changed referrer through redirects, and lets go of it only in a request to a changed address.
  const keepsReferrer = headers["referer"] !== undefined && redirectedRequestId !== undefined;
  if (taken.length === 0 && !keepsReferrer) return unchanged;
  const left = present.filter((one) => !taken.includes(one)).map(({ name, value }) => `${name}=${value}`);
  const replaced = {
    ...(taken.length > 0 ? { cookie: left.join("; ") } : {}),
    ...(keepsReferrer ? { referer: "" } : {}),
  };
  return {
    changes: {
      headers: withHeaders(request.headers, replaced),
      ...(keepsReferrer ? { url: request.url } : {}),
    },
    taken,
  };
}

function presentCookies({ headers }: Paused["request"]): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "cookie")?.[1];
}

/** The addresses, as URL patterns of the browser, whose requests {@link sentWith} has to see besides documents. */
export function patternsOfCallers({ home, headers, cookies }: CallersHeaders): string[] {
  if (cookies.length > 0) return [`*://${home.hostname}/*`, `*://${home.hostname}:*/*`];
  if (Object.keys(headers).length > 0) return [`${home.origin}/*`, `https://${home.host}/*`];
  return [];
}
