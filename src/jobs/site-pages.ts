/**
 * Finds the pages of a site that a glob stands for, the most relevant first: from the site's sitemaps, and the links of
 * the glob's first page and of the site's home page.
 */
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { type Candidate, Candidates } from "../frontier/candidates.ts";
import { type RankedPage, rankByRelevance } from "../frontier/relevance.ts";
import { createScope } from "../frontier/scope.ts";
import { readUrlGlob, type UrlGlob } from "../frontier/url-glob.ts";
import { usualIdentity } from "../frontier/url-key.ts";
import type { ScrapedPage, ScrapePage } from "../page/scrape-page.ts";
import { isGone } from "../shared/is-gone.ts";
import type { JobRobots } from "./job-robots.ts";
import { redirectsUnder } from "./leave-to-robots.ts";
import type { SiteFiles, SiteVisitor } from "./site-files.ts";
import type { SiteMemory } from "./site-memory.ts";

interface SitePagesParts {
  readonly scrapePage: ScrapePage;
  readonly siteFiles: SiteFiles;
}

interface SitePagesRequest {
  readonly glob: string;
  /** Ranks the pages. */
  readonly query: string;
  readonly ignoreSitemap: boolean;
  readonly includeSubdomains: boolean;
  readonly options: ParsedScrapeOptions;
  readonly team: string;
  readonly visitor: SiteVisitor;
  /** What other globs of the job have already read. */
  readonly memory: SiteMemory;
  /** Null: the rules of robots.txt are not obeyed. */
  readonly robots: JobRobots | null;
  /** The robots.txt files for the sitemaps that they name, whether their rules are obeyed or not. */
  readonly listing: JobRobots;
}

export interface SitePages {
  /** The most relevant first. */
  readonly pages: readonly Candidate[];
  /** False if no word of the query occurs in any URL, title or description. */
  readonly isRanked: boolean;
  /** The page at the address where the site was entered, if it has been scraped as the pages of the job are. */
  readonly entered: { readonly url: string; readonly page: ScrapedPage } | null;
}

/** Most URLs of one site that are considered. */
const maxCandidates = 50_000;

/** Rejects only with the signal's reason; for a site that cannot be reached, only the first page is returned. */
export async function findSitePages(
  parts: SitePagesParts,
  request: SitePagesRequest,
  signal: AbortSignal,
): Promise<SitePages> {
  const glob = readUrlGlob(request.glob);
  const { includeSubdomains: subdomains, visitor, memory, listing } = request;
  await request.robots?.load(glob.entries[0], signal);
  const { base, first } = await enter(parts, request, glob.entries, signal);
  const scope = createScope({
    startUrl: base,
    landedUrl: first?.finalUrl,
    regexOnFullURL: false,
    maxDepth: Number.POSITIVE_INFINITY,
    crawlEntireDomain: true,
    allowExternalLinks: false,
    allowSubdomains: subdomains || request.glob.includes("://*."),
    ...usualIdentity,
    isAllowedByRobots: request.robots === null ? undefined : (url) => request.robots?.isAllowed(url) ?? true,
  });
  const candidates = new Candidates(scope, usualIdentity, (url) => glob.matches(url, { subdomains }));
  // A folder is often just a part of addresses; it belongs to the result only if the site has a page there.
  const isPage = first === null || !isGone(first.statusCode);
  if (isPage) await candidates.add([{ url: base }]);
  if (first !== null) {
    const { title, description } = first.document.metadata;
    if (isPage) await candidates.add([{ url: first.finalUrl, title, description }]);
    await candidates.add(linksOf(first));
  }
  const home = await homePage(parts, request, base, signal);
  if (home !== null) await candidates.add(linksOf(home));
  if (!request.ignoreSitemap) {
    const siteUrl = first?.finalUrl ?? base;
    await listing.load(siteUrl, signal);
    const listed = listing.sitemaps(siteUrl);
    const careful = { ...visitor, atOnce: listing.crawlDelay(siteUrl) ? 1 : undefined };
    for await (const pages of parts.siteFiles.sitemapPages(careful, siteUrl, listed, signal, memory)) {
      await candidates.add(pages);
      if (candidates.size >= maxCandidates) break;
    }
  }
  signal.throwIfAborted();
  if (candidates.size === 0) await candidates.add([{ url: base }]);
  const found = candidates.all();
  const ranked = await rankByRelevance(found, request.query);
  // If the order is that in which the pages were found, the words have not distinguished them; then a model may know
  // more.
  const isRanked = ranked.some((page, index) => page !== found[index]);
  const isRead = first !== null && first.statusCode < 400 && first.document.markdown !== undefined;
  return { pages: ranked, isRanked, entered: isRead ? { url: base, page: first } : null };
}

/** The pages that a page links to, with the texts of the links. */
export function linksOf({ discovered, linkTexts }: ScrapedPage): RankedPage[] {
  return discovered.map((url, index) => ({ url, title: linkTexts?.[index] }));
}

/** The first entry that has a page, with that page; if none has one that may be fetched, the first entry. */
async function enter(
  parts: SitePagesParts,
  request: SitePagesRequest,
  entries: UrlGlob["entries"],
  signal: AbortSignal,
): Promise<{ base: string; first: ScrapedPage | null }> {
  let refused: ScrapedPage | null = null;
  for (const base of entries) {
    if (request.robots?.isAllowed(base) === false) continue;
    const first = await linkingPage(parts, request, base, signal, readAsPage);
    if (first !== null && (first.document.metadata.statusCode ?? 0) < 400) return { base, first };
    refused ??= first;
  }
  return { base: entries[0], first: refused };
}

/**
 * The site's first page, which links to the pages of a folder more often than the folder itself. Null if the folder is
 * the first page.
 */
async function homePage(parts: SitePagesParts, request: SitePagesRequest, base: string, signal: AbortSignal) {
  const home = new URL("/", base).href;
  if (home === base || request.robots?.isAllowed(home) === false) return null;
  return linkingPage(parts, request, home, signal, { formats: [] });
}

/** What is wanted of a page beside its links. */
interface Wanted {
  readonly formats: ParsedScrapeOptions["formats"];
  readonly forModel?: true;
}

/** The page where a site is entered is mostly a page of the job too, and need not be fetched again for that. */
const readAsPage: Wanted = { formats: ["markdown"], forModel: true };

function linkingPage(
  parts: SitePagesParts,
  request: SitePagesRequest,
  address: string,
  signal: AbortSignal,
  wanted: Wanted,
) {
  return request.memory.page(address, (url) => loadPage(parts, request, url, signal, wanted));
}

async function loadPage(
  parts: SitePagesParts,
  request: SitePagesRequest,
  url: string,
  signal: AbortSignal,
  { formats, ...wanted }: Wanted,
) {
  try {
    return await parts.scrapePage({
      url,
      ...wanted,
      options: { ...request.options, formats },
      team: request.team,
      zeroDataRetention: false,
      discover: true,
      linkTexts: true,
      beforeRedirect: redirectsUnder(request.robots, signal),
      headersFor: request.visitor.headersFor,
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
