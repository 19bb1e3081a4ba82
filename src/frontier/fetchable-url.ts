/** Converts the value of an `href` into the URL to fetch. */
import { hasTwoSchemes, maxUrlLength } from "../contract/url.ts";
import { parseHttpUrl } from "../shared/http-url.ts";

const singleSlash = /^(https?):\/(?=[^/\\])/i;

/**
 * The absolute http(s) URL that a raw `href` leads to, or null when there is nothing to fetch (`mailto:`, `javascript:`,
 * `data:`, malformed, over {@link maxUrlLength}: pages that link to themselves with ever longer queries end there). What
 * the contract takes as a URL is one here too. White space around it is dropped, `http:/host` is repaired, credentials
 * are dropped, and so is the fragment unless it is a route (`#/…`, `#!…`).
 *
 * @example
 * fetchableUrl(" ../b?x=1#part ", "https://example.com/docs/a"); // "https://example.com/b?x=1"
 */
export function fetchableUrl(href: string, base?: string): string | null {
  return parseFetchableUrl(href, base)?.href ?? null;
}

/** {@link fetchableUrl} for those who need the parts. */
export function parseFetchableUrl(href: string, base?: string): URL | null {
  if (href.length > maxUrlLength * 2) return null;
  const url = parseHttpUrl(href.trim().replace(singleSlash, "$1://"), base);
  if (url === null || hasTwoSchemes(url)) return null;
  if (url.username !== "") url.username = "";
  if (url.password !== "") url.password = "";
  if (url.hash !== "" || url.href.endsWith("#")) {
    const route = routeOf(url.hash);
    if (route !== url.hash || route === "") url.hash = route;
  }
  return url.href.length > maxUrlLength ? null : url;
}

/**
 * The fragment if it is a route of a page that navigates by fragments (`#/users`, `#!/users`, `#!users`), otherwise "".
 */
export function routeOf(hash: string): string {
  const isRoute = hash.startsWith("#/") ? hash.length > 2 : hash.startsWith("#!") && hash !== "#!" && hash !== "#!/";
  return isRoute ? hash : "";
}
