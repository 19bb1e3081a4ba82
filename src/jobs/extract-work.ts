/** The work of an extract job: which pages it reads, what it asks about them, and the merged result. */

import type { Document } from "../contract/document.ts";
import { isGlob } from "../contract/glob.ts";
import { type RankedPage, rankByRelevance } from "../frontier/relevance.ts";
import { readUrlGlob } from "../frontier/url-glob.ts";
import { pageKey } from "../frontier/url-key.ts";
import type { ScrapedPage, ScrapePageRequest } from "../page/scrape-page.ts";
import type { JobRecord, LeasedPage, NewPage } from "../ports/job-store.ts";
import { Turn } from "../shared/turn.ts";
import { endExtract } from "./end-extract.ts";
import type { EndParts } from "./end-job.ts";
import type { PageAnswer } from "./extract-page.ts";
import { createExtractQuestions, type QuestionParts } from "./extract-questions.ts";
import { asPage, relevanceQuery, type StoredExtract } from "./extract-request.ts";
import { searchForPages } from "./extract-search.ts";
import { FetchedPages } from "./fetched-pages.ts";
import { createHostDelays } from "./host-delays.ts";
import { hostOf } from "./hosts.ts";
import type { JobWork } from "./job-work.ts";
import { failureConsequences, leaveToRobots, redirectsUnder } from "./leave-to-robots.ts";
import { namedKey, userInfo } from "./named-key.ts";
import type { PageConsequences } from "./page-completion.ts";
import type { SiteFiles } from "./site-files.ts";
import { siteHeaders } from "./site-headers.ts";
import { SiteMemory } from "./site-memory.ts";
import { findSitePages, linksOf } from "./site-pages.ts";
import type { WebSearch } from "./web-search.ts";
import { type PageWorkParts, workPage } from "./work-page.ts";

interface ExtractParts extends PageWorkParts, EndParts, QuestionParts {
  readonly siteFiles: SiteFiles;
  readonly respectRobots: boolean;
  readonly webSearch: WebSearch;
}

/** Most links to other sites that one page may add. */
const externalPerPage = 5;

export function extractWork(parts: ExtractParts, record: JobRecord): JobWork {
  const request = JSON.parse(record.request) as StoredExtract;
  const globUrls = request.urls.filter(isGlob);
  const globs = globUrls.map(readUrlGlob);
  const pageUrls = request.urls.filter((url) => !isGlob(url));
  const literal = new Set(pageUrls.map(namedKey));
  const sites = [...pageUrls, ...globs.map(({ entries }) => entries[0])];
  const headersFor = siteHeaders(sites, request.scrapeOptions.headers);
  const visitor = { options: request.scrapeOptions, headersFor };
  const findsPages = globs.length > 0 || request.searches || request.allowExternalLinks;
  const listing = parts.siteFiles.robots(visitor);
  const robots = parts.respectRobots ? listing : null;
  const query = relevanceQuery(request);
  const announced = { id: record.id, team: record.team, kind: record.kind, webhook: request.webhook ?? null };
  const problems: string[] = [];
  const questions = createExtractQuestions(parts, record, request);
  const fetched = new FetchedPages();

  const pageWork = {
    job: announced,
    apiKey: record.apiKey,
    options: { ...request.scrapeOptions, formats: ["markdown" as const] },
    zeroDataRetention: false,
    discover: globs.length > 0 || request.allowExternalLinks,
    follow,
  };

  async function answerPage(asked: ScrapePageRequest, page: LeasedPage, signal: AbortSignal): Promise<ScrapedPage> {
    const scraped = fetched.take(page.url) ?? (await parts.scrapePage({ ...asked, forModel: true, linkTexts: true }));
    if (scraped.statusCode >= 400) {
      const problem = `${scraped.finalUrl} answered with status ${scraped.statusCode}.`;
      return {
        ...scraped,
        document: asDocument({ url: scraped.finalUrl, order: orderOf(page), problems: [problem] }),
        credits: 0,
      };
    }
    const { answer, tokens } = await questions.ask(page.lease.pageId, scraped, signal);
    return { ...scraped, document: asDocument({ ...answer, order: orderOf(page) }), credits: 0, tokens };
  }

  async function follow(
    page: LeasedPage,
    scraped: ScrapedPage | undefined,
    error?: unknown,
  ): Promise<PageConsequences> {
    if (scraped === undefined) return failureConsequences(page, error);
    const { pageId } = page.lease;
    const memo = questions.memo(pageId);
    const links = linksOf(scraped);
    const subdomains = request.includeSubdomains;
    const own = await inTurns(links, ({ url }) => globs.some((glob) => glob.matches(url, { subdomains })));
    const external = request.allowExternalLinks && page.depth === 0 ? await externalLinks(scraped, links, query) : [];
    const toPage = asPage(page.depth + 1);
    const discovered: NewPage[] = [];
    const turn = new Turn();
    for (const { url } of [...(await rankByRelevance(own, query)), ...external]) {
      if (turn.isOver()) await turn.next();
      discovered.push(toPage(url));
    }
    const finalKey = pageKey(scraped.finalUrl) + userInfo(page.url);
    return {
      discovered,
      leftOut: [],
      memo,
      finalKey: finalKey === page.key ? undefined : finalKey,
      stored: (isDuplicate) => questions.stored(pageId, isDuplicate),
    };
  }

  async function admit(pages: readonly NewPage[]): Promise<void> {
    if (pages.length > 0) await parts.jobs.admitPages(record.id, { pages, leftOut: [], duplicates: "ignore" });
  }

  return {
    maxConcurrency: undefined,

    async prepare(lane) {
      if (robots !== null && findsPages) lane.hostDelays = createHostDelays();
      await questions.draftSchema(lane.stop.signal);
    },

    async expand(lane) {
      const { signal } = lane.stop;
      const memory = new SiteMemory();
      for (const glob of globUrls) {
        const { scrapeOptions: options, ignoreSitemap, includeSubdomains } = request;
        const asked = { glob, query, ignoreSitemap, includeSubdomains, options, team: record.team };
        const found = await findSitePages(parts, { ...asked, visitor, robots, listing, memory }, signal);
        const chosen = await questions.choose(found, signal);
        const { entered } = found;
        if (entered !== null && chosen.some(({ url }) => url === entered.url)) fetched.keep(entered.url, entered.page);
        await admit(chosen.map(({ url, key }) => ({ url, key, depth: 0 })));
      }
      if (request.searches) {
        const urls = await searchForPages(parts.webSearch, request, record.team, problems, signal);
        await admit(urls.map(asPage(0)));
      }
      if (!signal.aborted) await parts.jobs.finishExpansion(record.id);
    },

    async workPage(lane, page) {
      const { signal } = lane.stop;
      // Pages that the request names are read whatever robots.txt says, as in a scrape.
      const obeyed = literal.has(page.key) ? null : robots;
      if (findsPages) await robots?.load(page.url, signal);
      lane.hostDelays?.learn(hostOf(page.url), (robots?.crawlDelay(page.url) ?? 0) * 1000);
      if (obeyed?.isAllowed(page.url) === false) return leaveToRobots(parts.jobs, page);
      const scrapePage = (asked: ScrapePageRequest) => answerPage(asked, page, signal);
      const headers = headersFor(new URL(page.url));
      const options = headers === undefined ? pageWork.options : { ...pageWork.options, headers };
      const work = { ...pageWork, options, headersFor, beforeRedirect: redirectsUnder(obeyed, signal) };
      return workPage({ ...parts, scrapePage }, work, lane, page);
    },

    finish(job) {
      const { schema, openTokens } = questions;
      return endExtract(parts, job, { announced, schema, showSources: request.showSources, problems, openTokens });
    },
  };
}

/** The most relevant links to other hosts. */
async function externalLinks(
  { finalUrl }: ScrapedPage,
  links: readonly RankedPage[],
  query: string,
): Promise<RankedPage[]> {
  const home = URL.parse(finalUrl)?.host;
  const external = await inTurns(links, ({ url }) => URL.parse(url)?.host !== home);
  return (await rankByRelevance(external, query)).slice(0, externalPerPage);
}

/** Those of a page's links, of which there may be a hundred thousand, that pass the test. */
async function inTurns(links: readonly RankedPage[], test: (link: RankedPage) => boolean): Promise<RankedPage[]> {
  const passed: RankedPage[] = [];
  const turn = new Turn();
  for (const link of links) {
    if (turn.isOver()) await turn.next();
    if (test(link)) passed.push(link);
  }
  return passed;
}

/** Pages found on other pages arrive in no particular order, so their URLs decide. */
function orderOf(page: LeasedPage): PageAnswer["order"] {
  return [page.depth, page.depth === 0 ? page.lease.pageId : 0];
}

/** Results are stored as documents; these are only read at the end of the job. */
function asDocument(answer: PageAnswer): Document {
  return { ...answer, metadata: { url: answer.url } } as Document;
}
