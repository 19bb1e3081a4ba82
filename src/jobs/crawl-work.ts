/** The work of a crawl: where its pages come from, and which URLs may enter. */
import type { ParsedCrawlRequest } from "../contract/crawl.ts";
import { CrawlcoreError, type ScrapeErrorCode } from "../errors.ts";
import { Frontier } from "../frontier/frontier.ts";
import { createScope } from "../frontier/scope.ts";
import { pageKey } from "../frontier/url-key.ts";
import type { ScrapedPage } from "../page/scrape-page.ts";
import type { JobRecord, LeasedPage } from "../ports/job-store.ts";
import type { PageVersions } from "../ports/page-versions.ts";
import { Turn } from "../shared/turn.ts";
import { admitSitemaps } from "./admit-sitemaps.ts";
import type { CrawlMemo } from "./crawl-memo.ts";
import { createCrawlStart } from "./crawl-start.ts";
import { createDepthOrder } from "./depth-order.ts";
import { type EndParts, endJob } from "./end-job.ts";
import { createFrontierBound, maxLeftOutUrls } from "./frontier-bound.ts";
import { createHostDelays } from "./host-delays.ts";
import { hostOf } from "./hosts.ts";
import type { JobWork } from "./job-work.ts";
import type { Lane } from "./lane.ts";
import { createLateOrder, linkDepth } from "./late-order.ts";
import { failureConsequences, leaveToRobots, refuseDisallowed } from "./leave-to-robots.ts";
import { offerLinks } from "./offer-links.ts";
import type { PageConsequences } from "./page-completion.ts";
import type { SiteFiles } from "./site-files.ts";
import { originHeaders, siteHeaders } from "./site-headers.ts";
import { admitUnlinked, unlinkedDepth } from "./unlinked-pages.ts";
import { type PageWork, type PageWorkParts, workPage } from "./work-page.ts";

/** What happens at origins where a site is not, though its links and sitemaps name them: other schemes, or `www.`. */
const unreachable: ReadonlySet<string> = new Set<ScrapeErrorCode>([
  "SCRAPE_DNS_RESOLUTION_ERROR",
  "SCRAPE_SSL_ERROR",
  "SCRAPE_SITE_ERROR",
  "SCRAPE_TIMEOUT",
]);

const noLinks = { discovered: [], unendorsed: [] };

interface CrawlParts extends PageWorkParts, EndParts {
  readonly siteFiles: SiteFiles;
  /** Whether robots.txt is obeyed at all (the engine's `robots` option). */
  readonly respectRobots: boolean;
  readonly versions: PageVersions | undefined;
}

export function crawlWork(parts: CrawlParts, record: JobRecord): JobWork {
  const request = JSON.parse(record.request) as ParsedCrawlRequest;
  const forOrigin = originHeaders(request.url);
  const forSite = siteHeaders([request.url], request.scrapeOptions.headers);
  const headersFor = (url: URL) => ({ ...forOrigin?.(url), ...forSite(url) });
  const visitor = { options: request.scrapeOptions, headersFor };
  const robots = parts.respectRobots && !request.ignoreRobotsTxt ? parts.siteFiles.robots(visitor) : null;
  const scope = createScope({
    ...request,
    startUrl: request.url,
    isAllowedByRobots: robots === null ? undefined : (url) => robots.isAllowed(url),
  });
  const frontier = new Frontier(scope, { maxLeftOut: maxLeftOutUrls });
  const bound = createFrontierBound(frontier, request.limit);
  const start = createCrawlStart(parts.jobs, record, (landedUrl) => frontier.rebase(landedUrl));
  const late = request.maxDiscoveryDepth === undefined ? createLateOrder(parts.jobs, record) : undefined;
  const depths = late ?? createDepthOrder(parts.jobs, record);
  /** The signal that ends the work. */
  let stop = AbortSignal.abort();

  const site = pageKey(request.url);
  const pageWork: PageWork = {
    job: { id: record.id, team: record.team, kind: record.kind, webhook: request.webhook ?? null },
    apiKey: record.apiKey,
    options: request.scrapeOptions,
    zeroDataRetention: request.zeroDataRetention,
    discover: true,
    site,
    ...(robots === null ? {} : { beforeRedirect }),
    follow,
  };

  async function follow(
    page: LeasedPage,
    scraped: ScrapedPage | undefined,
    error?: unknown,
  ): Promise<PageConsequences> {
    const memo = remember(page, scraped?.finalUrl ?? null);
    if (scraped === undefined) return { ...consequencesOf(page, error), memo };
    if (isStart(page) && scraped.finalUrl !== page.url) frontier.rebase(scraped.finalUrl);
    const verdict = frontier.judge(scraped.finalUrl, { depth: page.depth });
    // The links of a page that turned out not to belong are not followed, except those of the start, even if the
    // filters refuse it. Nor are those of a page that no link led to: what it links to is no more linked than the page
    // itself.
    const leadsOn = (verdict.admitted && page.depth !== unlinkedDepth) || isStart(page);
    const depth = linkDepth(page.depth) + 1;
    const links = leadsOn ? scraped : noLinks;
    const found = { depth, from: scraped.finalUrl };
    const { offered, lateKeys } = await offerLinks(frontier, links, found, late !== undefined);
    const { pages, leftOut, stored } = bound.of(offered, depth, lateKeys);
    late?.found(pages);
    if (!verdict.admitted) {
      leftOut.push({ url: page.url, reason: verdict.reason });
      return { discovered: pages, leftOut, drop: true, memo, stored };
    }
    return { discovered: pages, leftOut, finalKey: finalKeyOf(page, scraped, verdict.key), memo, stored };
  }

  /** An error does not take a key, so a page that was looked for where the site is would be lost with it. */
  function finalKeyOf(page: LeasedPage, { statusCode }: ScrapedPage, key: string): string | undefined {
    if (key === page.key) return undefined;
    if (statusCode < 400) return key;
    const own = frontier.judge(page.url, { depth: page.depth });
    return own.admitted && own.key === key ? undefined : key;
  }

  /** A page whose address does not answer is looked for where the site is. */
  function consequencesOf(page: LeasedPage, error: unknown): PageConsequences {
    const failed = failureConsequences(page, error);
    const { depth } = page;
    const atHome = isUnreachable(error) && !failed.drop ? frontier.atHome(page.url, { depth }) : undefined;
    return atHome === undefined ? failed : { discovered: [{ ...atHome, depth }], leftOut: [], drop: true };
  }

  /** The rules of a host that the crawl would not enter are not fetched: its pages are left out anyway. */
  async function beforeRedirect(url: string): Promise<void> {
    if (!start.isKnown || frontier.judge(url, { depth: 0 }).admitted) await robots?.load(url, stop);
    if (robots !== null) refuseDisallowed(robots, url);
  }

  function workFor(page: LeasedPage): PageWork {
    if (forOrigin === undefined && pageWork.options.headers === undefined) return pageWork;
    return { ...pageWork, headersFor, options: { ...pageWork.options, headers: headersFor(new URL(page.url)) } };
  }

  /** The delay of the start's own host applies to the whole crawl, and not to the host in addition. */
  function learnDelay({ hostDelays }: Lane, url: string): void {
    const host = hostOf(url);
    const seconds = host === hostOf(request.url) ? 0 : (robots?.crawlDelay(url) ?? 0);
    hostDelays?.learn(host, seconds * 1000);
  }

  function isStart(page: LeasedPage): boolean {
    return page.depth === 0 && page.url === request.url;
  }

  function remember(page: LeasedPage, landedUrl: string | null): string | undefined {
    return isStart(page) ? JSON.stringify({ landedUrl } satisfies CrawlMemo) : undefined;
  }

  return {
    maxConcurrency: request.maxConcurrency,
    depths,

    async prepare(lane) {
      stop = lane.stop.signal;
      const turn = new Turn();
      for await (const keys of parts.jobs.listKeys(record.id)) {
        if (turn.isOver()) await turn.next();
        for (const key of keys) frontier.markKnown(key);
      }
      await robots?.load(request.url, stop);
      lane.delayMs = (request.delay ?? robots?.crawlDelay(request.url) ?? 0) * 1000;
      if (robots === null || request.delay !== undefined) return;
      lane.hostDelays = createHostDelays();
      learnDelay(lane, request.url);
    },

    async expand(lane) {
      const { signal } = lane.stop;
      // Sitemaps are looked for where the start page led.
      const landedUrl = await start.untilKnown(signal);
      if (landedUrl !== null && !request.ignoreSitemap) {
        await admitSitemaps(parts, { visitor, robots, frontier, bound, depths }, lane, landedUrl);
      }
      depths.allListed();
      if (!signal.aborted) await parts.jobs.finishExpansion(record.id);
    },

    async workPage(lane, page) {
      if (!isStart(page)) await start.look(stop);
      await robots?.load(page.url, stop);
      learnDelay(lane, page.url);
      const blocked = robots?.isAllowed(page.url) === false;
      const end = blocked
        ? await leaveToRobots(parts.jobs, page, remember(page, null))
        : await workPage(parts, workFor(page), lane, page);
      // The page is complete, whatever the storage answers now.
      if (isStart(page)) await start.look(stop).catch(() => {});
      return end;
    },

    async finish(job) {
      const admitted = await admitUnlinked(parts, { request, site, frontier }, job);
      if (admitted === 0) await endJob(parts, pageWork.job, job);
    },
  };
}

function isUnreachable(error: unknown): boolean {
  return CrawlcoreError.isInstance(error) && unreachable.has(error.code);
}
