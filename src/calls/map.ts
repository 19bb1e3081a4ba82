import type { CallContext } from "../contract/call-context.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { type MapRequest, type MapResponse, mapRequest, type ParsedMapRequest } from "../contract/map.ts";
import { parse } from "../contract/parse.ts";
import { scrapeRequest } from "../contract/scrape.ts";
import { type CrawlcoreError, isTimeout, ScrapeError } from "../errors.ts";
import { withDeadline } from "../fetch/deadline.ts";
import { Candidates } from "../frontier/candidates.ts";
import { patternProblems } from "../frontier/patterns.ts";
import { type RankedPage, rankByRelevance } from "../frontier/relevance.ts";
import { createScope, pathDepth, type Scope } from "../frontier/scope.ts";
import { createSite, siteDomain } from "../frontier/site.ts";
import type { UrlIdentity } from "../frontier/url-key.ts";
import type { SiteVisitor } from "../jobs/site-files.ts";
import { originHeaders } from "../jobs/site-headers.ts";
import { linksOf } from "../jobs/site-pages.ts";
import { SiteReach } from "../jobs/site-reach.ts";
import type { ScrapePageRequest } from "../page/scrape-page.ts";
import { orAborted } from "../shared/or-aborted.ts";
import type { CallParts } from "./call-parts.ts";
import { ComingPage } from "./coming-page.ts";
import { openCallFor, unitedSignal } from "./open-call.ts";
import { book, payFor } from "./pay.ts";

/** The URLs of a site: from its sitemaps, from the links of the given page, and known ones. Nothing else is fetched. */
export async function map(parts: CallParts, input: MapRequest, context?: CallContext): Promise<MapResponse> {
  const { caller, request } = await openCallFor(parts, context, () =>
    parse(mapRequest({ patternProblems, pathDepth }), input, "map request"),
  );
  refuseUnsupported(requiredFeatures("map", request), parts.has);
  const deadline = withDeadline(unitedSignal(parts, caller.signal), request.timeout);
  const endsAt = performance.now() + (request.timeout ?? Number.POSITIVE_INFINITY);
  const credits = parts.pricing.map;
  try {
    return await payFor(parts, caller, { kind: "map", atLeast: credits }, deadline, async (id) => {
      const found = await siteUrls(parts, request, { team: caller.team, signal: deadline.signal, endsAt });
      await book(parts, caller, { id, kind: "map", credits, tokens: 0 });
      return { success: true, ...found };
    });
  } catch (error) {
    throw deadline.signal.aborted && isTimeout(deadline.signal.reason) ? timeoutError(request) : error;
  } finally {
    deadline.dispose();
  }
}

function timeoutError({ timeout }: ParsedMapRequest): ScrapeError {
  return new ScrapeError("MAP_TIMEOUT", `The map was not finished within ${timeout} ms`);
}

/** Most URLs held before the list is cut to `limit`: with search words, the best may come late. */
const mostUrls = 100_000;

/**
 * The part of the time left that the page and the site's files have: in the rest, what is known without them is listed.
 * One sitemap has less, so that one which never comes leaves time for those that were fetched beside it.
 */
const shareOfFetches = 0.9;
const shareOfSitemap = 0.75;
/** For this part of the time, the site's files wait for where the page leads; then they are read beside it. */
const shareOfPage = 0.5;

const latePage = "The page did not come in time, so URLs may be missing.";
const lostPage = ({ message }: CrawlcoreError) => `The page could not be had, so URLs may be missing: ${message}.`;
const lateSitemaps = "The site's sitemaps could not be read to their end in time, so URLs may be missing.";

interface MapCall {
  readonly team: string;
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
}

async function siteUrls(
  parts: CallParts,
  request: ParsedMapRequest,
  call: MapCall,
): Promise<Pick<MapResponse, "links" | "warning">> {
  const { scrapeOptions: options } = parse(scrapeRequest, { url: request.url, formats: [] }, "map request");
  const left = call.endsAt - performance.now();
  const coming = new ComingPage(call.signal, shareOfFetches * left, (signal) =>
    startPage(parts, request, { options, team: call.team, signal }),
  );
  try {
    return await urlsBeside(await coming.within(shareOfPage * left));
  } finally {
    coming.leave();
  }

  /** @param early undefined if the page has not come yet */
  async function urlsBeside(early: StartPage | null | undefined): Promise<Pick<MapResponse, "links" | "warning">> {
    const { signal, endsAt } = call;
    const siteUrl = early?.finalUrl ?? request.url;
    const candidates = new Candidates(scopeOf(request, early?.finalUrl), identityOf(request));
    const most = request.search === undefined ? request.limit : mostUrls;
    const add = async (pages: readonly RankedPage[]): Promise<boolean> => {
      await candidates.add(pages);
      return candidates.size >= most;
    };

    if (!request.sitemapOnly) await add([described(siteUrl, early)]);
    const known = candidates.size;
    const reach = new SiteReach();
    let isTimeUp = false;
    if (!request.ignoreSitemap) {
      const visitor = { options, headersFor: originHeaders(request.url) ?? (() => undefined), reach };
      const begunAt = performance.now();
      const timeoutMs = shareOfFetches * (endsAt - begunAt);
      await addSitemaps(parts, visitor, { siteUrl, signal, timeoutMs, add });
      // A sitemap may also have taken longer than any call waits.
      isTimeUp = reach.isLate && performance.now() - begunAt >= shareOfSitemap * timeoutMs;
    }
    // The given URL alone is no answer, though no more may be wanted.
    const isWaiting = early === undefined && (candidates.size < most || candidates.size === known);
    const page = isWaiting ? await coming.come() : early;
    // It leads to another site, whose files are other ones.
    if (early === undefined && page && !isSameSite(siteUrl, page.finalUrl)) return urlsBeside(page);
    if (page) await add([described(siteUrl, page), ...linksOf(page)]);
    if (request.useIndex && !request.sitemapOnly) await add(await indexedPages(parts, siteUrl, call));
    signal.throwIfAborted();
    if (candidates.size === known) {
      const failure = whyNothing(request, { isTimeUp, coming, reach });
      if (failure !== undefined) throw failure;
    }
    const links = await linksIn(candidates, request);
    const noPage = coming.isLate ? latePage : coming.failure && lostPage(coming.failure);
    const missing = [...(noPage === undefined ? [] : [noPage]), ...(reach.isLate ? [lateSitemaps] : [])].join(" ");
    return missing !== "" && candidates.size < most ? { links, warning: missing } : { links };
  }
}

async function indexedPages(parts: CallParts, siteUrl: string, { team, signal }: MapCall): Promise<RankedPage[]> {
  const query = { team, part: siteDomain(new URL(siteUrl)), limit: mostUrls };
  const urls = await orAborted(Promise.resolve(parts.storage.index?.listUrls(query)), signal);
  return (urls ?? []).map((url) => ({ url }));
}

/** Why nothing but the given URL is known; undefined if the site simply has no more. */
function whyNothing(
  request: ParsedMapRequest,
  {
    isTimeUp,
    coming,
    reach,
  }: { readonly isTimeUp: boolean; readonly coming: ComingPage<unknown>; readonly reach: SiteReach },
): CrawlcoreError | undefined {
  if (coming.isLate) return timeoutError(request);
  if (isTimeUp) return coming.failure ?? timeoutError(request);
  // Without the start page, only the site's files show whether the site can be reached.
  return request.sitemapOnly ? reach.failure : coming.failure;
}

/** As many as are wanted, the best first if there are search words. */
async function linksIn(candidates: Candidates, request: ParsedMapRequest): Promise<string[]> {
  const all = candidates.all();
  const found = request.ignoreQueryParameters ? all.map((page) => ({ ...page, url: withoutQuery(page.url) })) : all;
  const ranked = request.search === undefined ? found : await rankByRelevance(found, request.search);
  return ranked.slice(0, request.limit).map(({ url }) => url);
}

function isSameSite(url: string, other: string): boolean {
  return createSite(new URL(url))(new URL(other)) === "same";
}

function described(url: string, page: StartPage | null | undefined): RankedPage {
  const { title, description } = page?.document.metadata ?? {};
  return { url, title, description };
}

function scopeOf(request: ParsedMapRequest, landedUrl: string | undefined): Scope {
  const { excludePaths, includePaths, regexOnFullURL, maxDepth, allowExternalLinks } = request;
  return createScope({
    startUrl: request.url,
    landedUrl,
    excludePaths,
    includePaths,
    regexOnFullURL,
    maxDepth: maxDepth ?? Number.POSITIVE_INFINITY,
    crawlEntireDomain: !request.filterByPath,
    allowExternalLinks,
    allowSubdomains: request.includeSubdomains,
    startPathOnSubdomains: request.includeSubdomains,
    ...identityOf(request),
  });
}

function identityOf({ ignoreQueryParameters }: ParsedMapRequest): UrlIdentity {
  return { ignoreQueryParameters, deduplicateSimilarURLs: true };
}

interface SitemapsToAdd {
  readonly siteUrl: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly add: (pages: RankedPage[]) => Promise<boolean>;
}

/** When the time is up, what has come until then counts. */
async function addSitemaps(
  parts: CallParts,
  visitor: SiteVisitor & { readonly reach: SiteReach },
  { siteUrl, signal, timeoutMs, add }: SitemapsToAdd,
): Promise<void> {
  const robots = parts.siteFiles.robots(visitor);
  const deadline = withDeadline(signal, timeoutMs);
  try {
    await robots.load(siteUrl, deadline.signal);
    const atOnce = robots.crawlDelay(siteUrl) ? 1 : undefined;
    const careful = { ...visitor, atOnce, timeoutMs: shareOfSitemap * timeoutMs };
    const listed = robots.sitemaps(siteUrl);
    for await (const pages of parts.siteFiles.sitemapPages(careful, siteUrl, listed, deadline.signal)) {
      if (await add(pages)) return;
    }
  } catch (error) {
    if (signal.aborted || !deadline.signal.aborted) throw error;
    visitor.reach.late();
  } finally {
    deadline.dispose();
  }
}

type StartPage = Awaited<ReturnType<CallParts["scrapePage"]>>;

/** The given page, for its links; null if only sitemaps are wanted. */
async function startPage(
  parts: CallParts,
  request: ParsedMapRequest,
  asked: Pick<ScrapePageRequest, "options" | "team" | "signal">,
): Promise<StartPage | null> {
  if (request.sitemapOnly) return null;
  return parts.scrapePage({
    ...asked,
    url: request.url,
    zeroDataRetention: false,
    discover: true,
    linkTexts: request.search !== undefined,
  });
}

/** A route after `#` is kept: it leads to a page of its own. */
function withoutQuery(url: string): string {
  const [address = "", route] = url.split(/(?=#)/, 2);
  const query = address.indexOf("?");
  return query === -1 ? url : address.slice(0, query) + (route ?? "");
}
