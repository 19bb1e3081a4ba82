/** Follows sitemap indexes to all the URLs of a site, using a fetch function of the caller. */

import { CrawlcoreError, isTimeout } from "../errors.ts";
import { fetchableUrl } from "./fetchable-url.ts";
import { readAhead } from "./read-ahead.ts";
import { siteDomain } from "./site.ts";
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
  /** The site whose pages are wanted: files elsewhere are fetched only as long as there is something in them. */
  readonly siteUrl: string;
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

/**
 * Files in a row at another site that name nothing; after that, no more are fetched there. Otherwise a site could have a
 * crawler send thousands of requests to one that has nothing to do with it.
 */
const mostInVain = 20;

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

/** The files in the order in which they are read; some are fetched before their turn. */
class SitemapFiles {
  readonly #fetch: ExpandSitemapsOptions["fetch"];
  readonly #atOnce: () => number;
  readonly #ahead: FilesAhead;
  readonly #maxFiles: number;
  readonly #signal: AbortSignal;
  #files: SitemapFile[] = [];
  readonly #known = new Set<string>();
  readonly #home: string;
  /** By domain. */
  readonly #inVain = new Map<string, number>();
  /** How many have been read, and how many are being fetched or have been. */
  #turn = 0;
  #begun = 0;
  #ownAhead = 0;
  #isWary = false;

  constructor(options: ExpandSitemapsOptions, signal: AbortSignal) {
    const { fetch, atOnce = () => 1, ahead = { count: 0 }, maxFiles = 10_000 } = options;
    this.#fetch = fetch;
    this.#atOnce = atOnce;
    this.#ahead = ahead;
    this.#maxFiles = maxFiles;
    this.#signal = signal;
    this.#home = siteDomain(new URL(options.siteUrl));
  }

  /** The file whose turn it is, which is being fetched; undefined after the last one, when nothing can be stopped. */
  current(): SitemapFile | undefined {
    if (this.#turn === this.#files.length) return undefined;
    this.#signal.throwIfAborted();
    this.#begin();
    return this.#files[this.#turn];
  }

  /** Adds a file, unless it is known, or there are too many. */
  add(url: string | null, nesting: number): void {
    if (url === null || nesting > maxNesting || this.#known.size >= this.#maxFiles) return;
    const key = pageKey(url);
    if (this.#known.has(key) || this.#isGivenUp(url)) return;
    this.#known.add(key);
    this.#files.push({ url, nesting });
    this.#begin();
  }

  /** The present one has been read, and named something or not. */
  pass(isFruitful: boolean): void {
    const file = this.#files[this.#turn]!;
    file.body = undefined;
    this.#turn++;
    const domain = siteDomain(new URL(file.url));
    this.#inVain.set(domain, isFruitful ? 0 : (this.#inVain.get(domain) ?? 0) + 1);
    if (!this.#isGivenUp(file.url)) return;
    const begun = Math.max(this.#begun, this.#turn);
    this.#files = this.#files.filter(({ url }, index) => index < begun || !this.#isGivenUp(url));
  }

  #isGivenUp(url: string): boolean {
    const domain = siteDomain(new URL(url));
    return domain !== this.#home && (this.#inVain.get(domain) ?? 0) >= mostInVain;
  }

  /** The site may take fewer connections than were opened, or not have waited for its reader. */
  fetchAgain(file: SitemapFile): void {
    this.#isWary = true;
    this.#open(file, false);
  }

  /** Nothing is wanted any more. */
  leave(): void {
    this.#countAhead(0);
  }

  #begin(): void {
    this.#countAhead(Math.max(0, this.#begun - this.#turn - 1));
    const end = Math.min(this.#files.length, this.#turn + (this.#isWary ? 1 : this.#atOnce()));
    while (this.#begun < end && (this.#begun === this.#turn || this.#ahead.count < mostAhead)) {
      this.#open(this.#files[this.#begun]!, this.#begun > this.#turn);
      this.#begun++;
      this.#countAhead(this.#begun - this.#turn - 1);
    }
  }

  #countAhead(now: number): void {
    this.#ahead.count += now - this.#ownAhead;
    this.#ownAhead = now;
  }

  #open(file: SitemapFile, isAhead: boolean): void {
    file.isAhead = isAhead;
    file.body = this.#fetch(file.url, this.#signal, isAhead).then((body) =>
      body === null || !isAhead ? body : readAhead(body),
    );
    // Thrown when its turn comes.
    file.body.catch(() => {});
  }
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
  const { seeds, maxUrls = 25_000_000 } = options;
  const left = new AbortController();
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal]);
  const files = new SitemapFiles(options, signal);
  let count = 0;
  try {
    signal.throwIfAborted();
    for (const seed of seeds) files.add(fetchableUrl(seed), 0);
    for (let file = files.current(); file !== undefined; file = files.current()) {
      let isFruitful = false;
      const read = addressReader(file.url);
      try {
        const body = await file.body;
        for await (const entry of body ? parseSitemap(body, { signal }) : []) {
          // Otherwise files full of addresses that are not admitted, or with ten times as many as allowed, would be read
          // for hours.
          if (++count > maxUrls) return;
          isFruitful = true;
          if ("sitemap" in entry) {
            files.add(read(entry.sitemap), file.nesting + 1);
            continue;
          }
          const url = read(entry.loc);
          if (url === null) continue;
          // Some generators list sitemap files as if they were pages.
          if (isNamedLikeSitemap(url)) files.add(url, file.nesting + 1);
          else {
            const { loc: _loc, ...about } = entry;
            yield { url, ...about };
          }
        }
        files.pass(isFruitful);
      } catch (error) {
        signal.throwIfAborted();
        if (file.isAhead && !isTimeout(error)) files.fetchAgain(file);
        else if (CrawlcoreError.isInstance(error)) files.pass(isFruitful);
        else throw error;
      }
    }
  } finally {
    files.leave();
    left.abort();
  }
}

/**
 * Reads the addresses that a file names. Where a generator was given a host instead of a URL, they have no scheme, and
 * would otherwise lead to folders that are named like the host.
 */
function addressReader(base: string): (address: string) => string | null {
  const { protocol, host } = new URL(base);
  const name = host.replace(/^www\./, "");
  const bare = [`${name}/`, `www.${name}/`];
  return (address) =>
    fetchableUrl(bare.some((start) => address.startsWith(start)) ? `${protocol}//${address}` : address, base);
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
  const named = fromRobots.map(addressReader(startUrl)).filter((url) => url !== null);
  return [...new Set([...named, `${start.origin}/sitemap.xml`, `${folder}/sitemap.xml`])];
}
