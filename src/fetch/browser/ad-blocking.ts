/** Decides which requests of a page are advertising or tracking, by the table of hosts and by the host's own lists. */
import { getDomain } from "tldts";
import { RequestError } from "../../errors.ts";
import { adHosts, adUrls } from "./ad-hosts.ts";
import { ownRequire } from "./own-require.ts";
import type { UrlPatterns } from "./page-traffic.ts";

export interface AdBlocking {
  /** URL patterns of advertising and tracking that any host may serve. */
  readonly urls: UrlPatterns;
  /** True for an advertising host (without port), unless it belongs to `site` itself. */
  isAdHost(host: string, site: string): boolean;
  /**
   * The filter lists, if the engine has any; asked once for each request.
   *
   * @throws RequestError `UNSUPPORTED` when it is read, if there is no package that reads the lists
   */
  readonly isBlocked: ((request: { url: string; type: string; source: string }) => boolean) | undefined;
  /** Selectors of elements that the filter lists hide on a page. */
  hiddenSelectors(url: string, names: PageNames): readonly string[];
  readonly hidesElements: boolean;
}

/** The part of `@ghostery/adblocker-playwright` that is used. */
interface FilterPackage {
  PlaywrightBlocker: { parse(lists: string): FilterEngine };
  Request: { fromRawDetails(details: { url: string; type: string; sourceUrl: string }): unknown };
}
interface FilterEngine {
  match(request: unknown): { match: boolean };
  getCosmeticsFilters(page: PageNames & { url: string; hostname: string; domain: string }): { styles: string };
}

/** What filter lists use to identify elements. */
export interface PageNames {
  readonly ids: string[];
  readonly classes: string[];
  readonly hrefs: string[];
}

/** The names that filter lists have for the browser's kinds of requests. */
const filterTypes: Readonly<Record<string, string>> = {
  Document: "sub_frame",
  Stylesheet: "stylesheet",
  Image: "image",
  Media: "media",
  Font: "font",
  Script: "script",
  XHR: "xmlhttprequest",
  Fetch: "xmlhttprequest",
  EventSource: "xmlhttprequest",
  WebSocket: "websocket",
  Ping: "ping",
  CSPViolationReport: "csp_report",
};

// Entries with a path are matched by the browser, as patterns; the others by the proxy, which sees only hosts.
const entries = Object.values(adHosts).flatMap((kind) => kind.trim().split(/\s+/));
const hosts: ReadonlySet<string> = new Set(entries.filter((entry) => !entry.includes("/")));
const paths = entries.filter((entry) => entry.includes("/")).map((entry) => `*://*${entry}*`);
const patterns = [...paths, ...adUrls];
const matchers = patterns.map(matcherOf);
const urls: UrlPatterns = { patterns, matches: (url) => matchers.some((matches) => matches(url)) };

export function createAdBlocking(filterLists: readonly string[] = []): AdBlocking {
  let engine: { package: FilterPackage; rules: FilterEngine } | undefined;
  const filters = () => {
    engine ??= readLists(filterLists);
    return engine;
  };
  return {
    urls,
    isAdHost: (host, site) => isListed(host) && getDomain(host) !== getDomain(site),
    // Read before the page is opened: what a browser's message would throw, nobody catches.
    get isBlocked(): AdBlocking["isBlocked"] {
      if (filterLists.length === 0) return undefined;
      const { package: pack, rules } = filters();
      return ({ url, type, source }) => {
        const request = pack.Request.fromRawDetails({ url, type: filterTypes[type] ?? "other", sourceUrl: source });
        return rules.match(request).match;
      };
    },
    hidesElements: filterLists.length > 0,
    hiddenSelectors(url, names) {
      const { hostname } = new URL(url);
      const domain = getDomain(hostname) ?? hostname;
      const { styles } = filters().rules.getCosmeticsFilters({ url, hostname, domain, ...names });
      return selectorsIn(styles);
    },
  };
}

/** Searches for the parts between the stars one after the other, in linear time. */
function matcherOf(pattern: string): (url: string) => boolean {
  const parts = pattern.split("*").filter((part) => part !== "");
  return (url) => {
    let from = 0;
    for (const part of parts) {
      const at = url.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return true;
  };
}

/** True if the host itself, or a domain above it, is in the table. */
function isListed(host: string): boolean {
  let name = host;
  for (;;) {
    if (hosts.has(name)) return true;
    const dot = name.indexOf(".");
    if (dot < 0) return false;
    name = name.slice(dot + 1);
  }
}

/** `a,\nb { display: none !important; }` -> `["a", "b"]`. */
function selectorsIn(styles: string): string[] {
  return styles.split("\n").flatMap((line) => {
    const selector = (line.split("{", 1)[0] ?? "").trim().replace(/,$/, "");
    return selector === "" || selector.startsWith("}") ? [] : [selector];
  });
}

function readLists(lists: readonly string[]): { package: FilterPackage; rules: FilterEngine } {
  let pack: FilterPackage;
  try {
    pack = ownRequire()("@ghostery/adblocker-playwright") as FilterPackage;
  } catch (cause) {
    throw new RequestError(
      "UNSUPPORTED",
      "`browser.filterLists` needs a package that reads them: `npm install @ghostery/adblocker-playwright`",
      { cause },
    );
  }
  return { package: pack, rules: pack.PlaywrightBlocker.parse(lists.join("\n")) };
}
