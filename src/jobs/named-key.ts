import { pageKey } from "../frontier/url-key.ts";

/** Identity of a URL that a request names: the page may depend on the user name and password in it. */
export function namedKey(url: string): string {
  return pageKey(url) + userInfo(url);
}

/** What {@link namedKey} adds to the key: nothing for most URLs. */
export function userInfo(url: string): string {
  if (!url.includes("@")) return "";
  const { username, password } = new URL(url);
  return username === "" && password === "" ? "" : ` ${username}:${password}`;
}
