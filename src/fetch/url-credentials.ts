/** Reads, and removes, the user name and password in a URL. */
import { decodedText } from "../shared/percent-decoding.ts";

/** The `Basic` authorization for a URL's user name and password; undefined if it has none. */
export function basicCredentials(url: Pick<URL, "username" | "password">): string | undefined {
  if (url.username === "" && url.password === "") return undefined;
  return `Basic ${Buffer.from(`${decodedText(url.username)}:${decodedText(url.password)}`).toString("base64")}`;
}

/** Whether an http(s) URL has a user name or password; an `@` in its path is neither. */
export function hasCredentials(url: string): boolean {
  return /^[^/?#]*\/\/[^/?#]*@/.test(url);
}

/** The URL as it may be reported and logged. */
export function withoutCredentials(url: URL): string {
  if (url.username === "" && url.password === "") return url.href;
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy.href;
}
