/** Globs of extract requests, which stand for many pages of one site. */
import { Minimatch } from "minimatch";
import { decodedUrl } from "../shared/percent-decoding.ts";
import { canonicalHost } from "./url-key.ts";

export interface UrlGlob {
  /**
   * Where the site is entered: the deepest folder that contains all matches, with and without its trailing slash. Most
   * servers redirect from one to the other, but some have a page at only one of them.
   */
  readonly entries: readonly [string, ...string[]];
  /** `subdomains`: subdomains of the glob's host match too. */
  matches(url: string, options: { readonly subdomains: boolean }): boolean;
}

const maxMatchedLength = 2048;
/** Two stars in a segment of up to this length are matched quickly; in longer ones they are not. */
const maxStarredSegment = 512;
/** The same for stars that stand for any number of segments. */
const maxSegments = 100;

/**
 * - `*` stands for anything within one segment of the path, `**` for any number of segments; at the end of the path both
 *   stand for everything below, and for the folder itself: `https://example.com/*` is the whole site.
 * - `?`, `[`, `{` and the like are ordinary characters of a URL. Scheme and fragment do not matter; a query only counts
 *   when the glob has one.
 * - `*.example.com` is `example.com` with all its subdomains.
 *
 * @param text a URL that `globProblem` of the contract has nothing to say against
 * @example
 * const glob = readUrlGlob("https://example.com/blog/*");
 * glob.matches("https://www.example.com/blog/a/b", { subdomains: false }); // true
 */
export function readUrlGlob(text: string): UrlGlob {
  const [, scheme = "http", authority = "", rest = ""] = /^(https?):\/\/([^/?#]*)([^#]*)/i.exec(text) ?? [];
  const anyHost = authority.startsWith("*.");
  const home = new URL(`${scheme}://${anyHost ? authority.slice(2) : authority}/`);
  const host = canonicalHost(home);
  const query = rest.indexOf("?");
  const path = query === -1 ? rest : rest.slice(0, query);
  const isPath = pathMatcher(path);
  const isQuery = query === -1 ? () => true : segmentMatcher(rest.slice(query + 1));
  const literal = path.slice(0, path.includes("*") ? path.indexOf("*") : path.length);
  // Assigned rather than resolved: resolving "//a/" would make it a host.
  const folder = new URL(home);
  folder.pathname = literal.slice(0, literal.lastIndexOf("/") + 1);
  return {
    entries: folder.pathname === "/" ? [folder.href] : [folder.href, folder.href.slice(0, -1)],
    matches(address, { subdomains }) {
      const url = URL.parse(address);
      if (url === null || address.length > maxMatchedLength) return false;
      const there = canonicalHost(url);
      if (there !== host && !((subdomains || anyHost) && there.endsWith(`.${host}`))) return false;
      return isPath(decodedUrl(url.pathname)) && isQuery(url.search.slice(1));
    },
  };
}

const options = { dot: true, nobrace: true, noext: true, nocomment: true, nonegate: true, platform: "linux" } as const;

function pathMatcher(path: string): (path: string) => boolean {
  const folder = /^(.*?)\/\*+$/s.exec(path)?.[1];
  const pattern = new Minimatch(starsOnly(folder === undefined ? path || "/" : `${folder}/**`, decodedUrl), options);
  const isFolder = folder === undefined ? undefined : new Minimatch(starsOnly(folder, decodedUrl), options);
  return (pathname) => {
    const segments = pathname.split("/");
    if (segments.length > maxSegments || segments.some((segment) => segment.length > maxStarredSegment)) return false;
    const bare = pathname.replace(/\/+$/, "");
    if (isFolder !== undefined && (bare === folder || isFolder.match(bare))) return true;
    return pattern.match(pathname) || pattern.match(bare === "" ? "/" : bare);
  };
}

/** A query has no segments: slashes in it are ordinary characters. */
function segmentMatcher(text: string): (query: string) => boolean {
  const flat = (value: string) => decodedUrl(value).replaceAll("/", "\u2044");
  const pattern = new Minimatch(starsOnly(text.replace(/\*+/g, "*"), flat), options);
  return (query) => query.length <= maxStarredSegment && pattern.match(flat(query));
}

/** A pattern in which only the stars of a glob are special; an escaped star (`%2A`) is an ordinary character. */
function starsOnly(glob: string, read: (part: string) => string): string {
  const parts = glob.split("*").map((part) => read(part).replace(/[\\?*[\](){}!+@#]/g, "\\$&"));
  return parts.join("*");
}
