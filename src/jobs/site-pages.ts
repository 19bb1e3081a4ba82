/** Which pages of a site a glob stands for: from its sitemaps and the links of its first page, the most relevant first. */
import type { ParsedScrapeOptions } from "../contract/scrape-options.ts";
import { Frontier } from "../frontier/frontier.ts";
import { rankByRelevance } from "../frontier/relevance.ts";
import { createScope } from "../frontier/scope.ts";
import { readUrlGlob } from "../frontier/url-glob.ts";
import type { ScrapePage } from "../page/scrape-page.ts";
import type { NewPage } from "../ports/job-store.ts";
import type { JobRobots, SiteFiles } from "./site-files.ts";

export interface SitePagesParts {
  readonly scrapePage: ScrapePage;
  readonly siteFiles: SiteFiles;
}

export interface SitePagesRequest {
  readonly glob: string;
  /** Ranks the pages. */
  readonly query: string;
  readonly ignoreSitemap: boolean;
  readonly includeSubdomains: boolean;
  readonly options: ParsedScrapeOptions;
  readonly team: string;
  /** Null: robots.txt is not asked. */
  readonly robots: JobRobots | null;
}

export interface SitePages {
  /** The most relevant first. */
  readonly pages: readonly NewPage[];
  /** False: no word of the query stands in any URL. */
  readonly isRanked: boolean;
}

/** URLs of one site that are looked at. */
const maxCandidates = 50_000;

/** Rejects with the signal's reason only; a site that cannot be reached has no pages but its first. */
export async function findSitePages(
  parts: SitePagesParts,
  request: SitePagesRequest,
  signal: AbortSignal,
): Promise<SitePages> {
  const glob = readUrlGlob(request.glob);
  const subdomains = request.includeSubdomains;
  await request.robots?.load(glob.base, signal);
  const first = await firstPage(parts, request, glob.base, signal);
  const scope = createScope({
    startUrl: glob.base,
    landedUrl: first?.finalUrl,
    regexOnFullURL: false,
    maxDepth: Number.POSITIVE_INFINITY,
    crawlEntireDomain: true,
    allowExternalLinks: false,
    allowSubdomains: subdomains || request.glob.includes("://*."),
    ignoreQueryParameters: false,
    deduplicateSimilarURLs: true,
    isAllowedByRobots: request.robots === null ? undefined : (url) => request.robots?.isAllowed(url) ?? true,
  });
  const frontier = new Frontier(scope, { maxLeftOut: 0 });
  const found: NewPage[] = [];
  const add = async (urls: readonly string[]): Promise<void> => {
    const offered = await frontier.offer(urls, { depth: 0 });
    frontier.keep(offered);
    for (const { url, key } of offered.admitted)
      if (glob.matches(url, { subdomains })) found.push({ url, key, depth: 0 });
  };
  await add([glob.base]);
  if (first !== null) await add([first.finalUrl, ...first.discovered]);
  if (!request.ignoreSitemap) {
    const listed = request.robots?.sitemaps(glob.base) ?? [];
    for await (const urls of parts.siteFiles.sitemapUrls(first?.finalUrl ?? glob.base, listed, signal)) {
      await add(urls);
      if (found.length >= maxCandidates) break;
    }
  }
  signal.throwIfAborted();
  const ranked = await rankByRelevance(found, request.query);
  // The words say nothing when the order is the one in which the pages were found; then a model may know more.
  const isRanked = ranked.some((page, index) => page !== found[index]);
  return { pages: ranked, isRanked };
}

async function firstPage(parts: SitePagesParts, request: SitePagesRequest, url: string, signal: AbortSignal) {
  try {
    return await parts.scrapePage({
      url,
      options: { ...request.options, formats: [] },
      team: request.team,
      zeroDataRetention: false,
      discover: true,
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
