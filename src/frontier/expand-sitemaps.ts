/** Follows sitemap indexes to all the URLs of a site, using a fetch function of the caller. */

import { CrawlcoreError, ScrapeError } from "../errors.ts";
import { fetchableUrl } from "./fetchable-url.ts";
import { readAhead } from "./read-ahead.ts";
import { parseSitemap } from "./sitemap.ts";
import { pageKey } from "./url-key.ts";

export interface SitemapUrl {
  /** Absolute and fetchable. */
  readonly url: string;
  /** As written. */
  readonly lastmod?: string;
  readonly title?: string;
  readonly description?: string;
}

interface ExpandSitemapsOptions {
  /** Sitemap files to begin with; see {@link sitemapSeeds}. */
  readonly seeds: readonly string[];
  /**
   * The body of a sitemap file, or null when there is none (any answer but 2xx). One that fails before its turn
   * (`isAhead`) is fetched once more.
   */
  readonly fetch: (url: string, signal: AbortSignal, isAhead: boolean) => Promise<AsyncIterable<Uint8Array> | null>;
  /** Most files that are fetched at once, now. Those whose turn has not come are read in part. Default: 1. */
  readonly atOnce?: () => number;
  /** Shared by those who together fetch few files before their turn. Default: nobody. */
  readonly ahead?: FilesAhead;
  /** Most files to read. Default: 10,000, so that those of one page each suffice for the largest crawl. */
  readonly maxFiles?: number;
  /** Most URLs to read. Default: 25 million, as in 500 files with as many as the protocol allows. */
  readonly maxUrls?: number;
  readonly signal?: AbortSignal | undefined;
}

/** How far index files may nest. */
const maxNesting = 5;

/** How many files are fetched before their turn. */
export interface FilesAhead {
  count: number;
}

/**
 * Most of them, each with a connection and a megabyte: hundreds of crawls may wait at once for sites whose first sitemap
 * does not come.
 */
const mostAhead = 64;

interface SitemapFile {
  readonly url: string;
  readonly nesting: number;
  /** It was fetched before its turn. */
  isAhead?: boolean;
  /** Once the file is being fetched, until it has been read. */
  body?: Promise<AsyncIterable<Uint8Array> | null> | undefined;
}

/**
 * Yields every URL of the sitemaps as it is read, in the order of the files, however many are fetched at once; a URL
 * that is listed twice is yielded twice. Each file is read once, so a sitemap that names itself does no harm, except that
 * one which breaks off before its turn is read again. A file that cannot be fetched or read counts as empty. Stop
 * iterating to stop fetching.
 *
 * Rejects with the signal's reason, or with an error that is not one of this package.
 */
export async function* expandSitemaps(options: ExpandSitemapsOptions): AsyncGenerator<SitemapUrl> {
  const { fetch, atOnce = () => 1, ahead = { count: 0 }, maxFiles = 10_000, maxUrls = 25_000_000 } = options;
  const left = new AbortController();
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal]);
  let count = 0;
  let turn = 0;
  let begun = 0;
  const files: SitemapFile[] = [];
  const known = new Set<string>();
  const queue = (address: string, base: string | undefined, nesting: number) => {
    const url = fetchableUrl(address, base);
    if (url === null || nesting > maxNesting || known.size >= maxFiles || known.has(pageKey(url))) return;
    known.add(pageKey(url));
    files.push({ url, nesting });
    begin();
  };
  let ownAhead = 0;
  const countAhead = (now: number) => {
    ahead.count += now - ownAhead;
    ownAhead = now;
  };
  let isWary = false;
  const begin = () => {
    countAhead(Math.max(0, begun - turn - 1));
    const end = turn + (isWary ? 1 : atOnce());
    while (begun < Math.min(files.length, end) && (begun === turn || ahead.count < mostAhead)) {
      open(files[begun]!, begun > turn);
      begun++;
      countAhead(begun - turn - 1);
    }
  };
  const open = (file: SitemapFile, isAhead: boolean) => {
    file.isAhead = isAhead;
    file.body = fetch(file.url, signal, isAhead).then((body) => (body === null || !isAhead ? body : readAhead(body)));
    // Thrown when its turn comes.
    file.body.catch(() => {});
  };

  try {
    signal.throwIfAborted();
    for (const seed of options.seeds) queue(seed, undefined, 0);
    while (turn < files.length) {
      signal.throwIfAborted();
      begin();
      const file = files[turn]!;
      let isDone = true;
      try {
        const body = await file.body;
        if (!body) continue;
        for await (const entry of parseSitemap(body, { signal })) {
          // Otherwise files full of addresses that are not admitted, or with ten times as many as allowed, would be read
          // for hours.
          if (++count > maxUrls) return;
          if ("sitemap" in entry) {
            queue(entry.sitemap, file.url, file.nesting + 1);
            continue;
          }
          const url = fetchableUrl(entry.loc, file.url);
          if (url === null) continue;
          // Some generators list sitemap files as if they were pages.
          if (isNamedLikeSitemap(url)) queue(url, undefined, file.nesting + 1);
          else {
            const { loc: _loc, ...about } = entry;
            yield { url, ...about };
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        if (file.isAhead && !isTimeout(error)) {
          // The site may take fewer connections, or not have waited for its reader.
          isWary = true;
          isDone = false;
          open(file, false);
        } else if (!CrawlcoreError.isInstance(error)) throw error;
      } finally {
        if (isDone) {
          file.body = undefined;
          turn++;
        }
      }
    }
  } finally {
    countAhead(0);
    left.abort();
  }
}

function isTimeout(error: unknown): boolean {
  return ScrapeError.isInstance(error) && error.code === "SCRAPE_TIMEOUT";
}

function isNamedLikeSitemap(url: string): boolean {
  const name = url.slice(url.lastIndexOf("/") + 1).toLowerCase();
  return name.includes("sitemap") && (name.endsWith(".xml") || name.endsWith(".xml.gz"));
}

/**
 * Where the sitemaps of a site may be: what robots.txt names, `/sitemap.xml`, `sitemap.xml` in the start URL's folder,
 * or the start URL itself when it is an XML file.
 */
export function sitemapSeeds(startUrl: string, fromRobots: readonly string[]): string[] {
  const start = new URL(startUrl);
  if (/\.xml(?:\.gz)?$/i.test(start.pathname)) return [start.href];
  const cut = start.pathname.lastIndexOf("/");
  const lastIsFolder = !start.pathname.includes(".", cut);
  const folder = start.origin + (lastIsFolder ? start.pathname.replace(/\/$/, "") : start.pathname.slice(0, cut));
  const named = fromRobots.map((address) => fetchableUrl(address, startUrl)).filter((url) => url !== null);
  return [...new Set([...named, `${start.origin}/sitemap.xml`, `${folder}/sitemap.xml`])];
}
