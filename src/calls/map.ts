import type { CallContext, ParsedCallContext } from "../contract/call-context.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import { type MapRequest, type MapResponse, mapRequest, type ParsedMapRequest } from "../contract/map.ts";
import { parse } from "../contract/parse.ts";
import { scrapeRequest } from "../contract/scrape.ts";
import { ScrapeError } from "../errors.ts";
import { withDeadline } from "../fetch/deadline.ts";
import { Frontier } from "../frontier/frontier.ts";
import { rankByRelevance } from "../frontier/relevance.ts";
import { createScope } from "../frontier/scope.ts";
import type { CallParts } from "./call-parts.ts";
import { openCall, unitedSignal } from "./open-call.ts";
import { book, payFor } from "./pay.ts";

/** The URLs of a site: of its sitemaps, and of the links on the page given. Nothing else is fetched. */
export async function map(parts: CallParts, input: MapRequest, context?: CallContext): Promise<MapResponse> {
  const caller = openCall(parts, context);
  const request = parse(mapRequest, input, "map request");
  refuseUnsupported(requiredFeatures("map", request), parts.has);
  return payFor(parts, caller, { kind: "map", atLeast: parts.pricing.map }, (id) =>
    mapSite(parts, request, caller, id),
  );
}

async function mapSite(
  parts: CallParts,
  request: ParsedMapRequest,
  caller: ParsedCallContext,
  id: string,
): Promise<MapResponse> {
  const deadline = withDeadline(unitedSignal(parts, caller.signal), request.timeout);
  try {
    const links = await siteUrls(parts, request, caller.team, deadline.signal);
    await book(parts, caller, { id, kind: "map", credits: parts.pricing.map, tokens: 0 });
    return { success: true, links };
  } catch (error) {
    if (deadline.signal.aborted && isTimeout(deadline.signal.reason)) {
      throw new ScrapeError("MAP_TIMEOUT", `The map of ${request.url} was not finished within ${request.timeout} ms`);
    }
    throw error;
  } finally {
    deadline.dispose();
  }
}

function isTimeout(reason: unknown): boolean {
  return ScrapeError.isInstance(reason) && reason.code === "SCRAPE_TIMEOUT";
}

/** URLs held before the list is cut to `limit`: with search words the best may come late. */
const mostUrls = 100_000;

async function siteUrls(
  parts: CallParts,
  request: ParsedMapRequest,
  team: string,
  signal: AbortSignal,
): Promise<string[]> {
  let failure: unknown;
  const page = await startPage(parts, request, team, signal).catch((error: unknown) => {
    // The sitemap may do without the page.
    if (signal.aborted || request.ignoreSitemap || !ScrapeError.isInstance(error)) throw error;
    failure = error;
    return null;
  });
  const scope = createScope({
    startUrl: request.url,
    landedUrl: page?.finalUrl,
    regexOnFullURL: false,
    maxDepth: Number.POSITIVE_INFINITY,
    crawlEntireDomain: !request.filterByPath,
    allowExternalLinks: request.allowExternalLinks,
    allowSubdomains: request.includeSubdomains,
    ignoreQueryParameters: request.ignoreQueryParameters,
    deduplicateSimilarURLs: true,
  });
  const frontier = new Frontier(scope, { maxLeftOut: 0 });
  const found: string[] = [];
  const most = request.search === undefined ? request.limit : mostUrls;
  const add = async (urls: readonly string[]): Promise<boolean> => {
    const offered = await frontier.offer(urls, { depth: 0 });
    frontier.keep(offered);
    for (const { url } of offered.admitted) found.push(request.ignoreQueryParameters ? withoutQuery(url) : url);
    return found.length >= most;
  };

  if (!request.sitemapOnly) await add([page?.finalUrl ?? request.url]);
  if (!request.ignoreSitemap) await addSitemaps(parts, page?.finalUrl ?? request.url, signal, add);
  if (!request.sitemapOnly && page !== null) await add(page.discovered);
  signal.throwIfAborted();
  if (failure !== undefined && found.length <= 1) throw failure;
  if (request.search === undefined) return found.slice(0, request.limit);
  const ranked = await rankByRelevance(
    found.map((url) => ({ url })),
    request.search,
  );
  return ranked.slice(0, request.limit).map(({ url }) => url);
}

async function addSitemaps(
  parts: CallParts,
  siteUrl: string,
  signal: AbortSignal,
  add: (urls: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const robots = parts.siteFiles.robots();
  await robots.load(siteUrl, signal);
  for await (const urls of parts.siteFiles.sitemapUrls(siteUrl, robots.sitemaps(siteUrl), signal)) {
    if (await add(urls)) return;
  }
}

/** The page given, for its links; null when only sitemaps are wanted. */
async function startPage(parts: CallParts, request: ParsedMapRequest, team: string, signal: AbortSignal) {
  if (request.sitemapOnly) return null;
  const { scrapeOptions } = parse(scrapeRequest, { url: request.url, formats: [] }, "map request");
  return parts.scrapePage({
    url: request.url,
    options: scrapeOptions,
    team,
    zeroDataRetention: false,
    discover: true,
    signal,
  });
}

function withoutQuery(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
