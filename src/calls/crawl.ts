import type { CallContext } from "../contract/call-context.ts";
import { type CrawlRequest, crawlRequest, type ParsedCrawlRequest } from "../contract/crawl.ts";
import { refuseUnsupported, requiredFeatures } from "../contract/features.ts";
import type { ActiveCrawl, ActiveCrawls } from "../contract/job.ts";
import { patternProblems } from "../frontier/patterns.ts";
import { pathDepth } from "../frontier/scope.ts";
import { startCrawl } from "../jobs/start.ts";
import { leastPageCredits } from "../page/credits.ts";
import type { JobRecord } from "../ports/job-store.ts";
import { creditSum } from "../shared/credit-sum.ts";
import type { CallParts } from "./call-parts.ts";
import { cancelOnAbort } from "./cancel.ts";
import { schemaReader, storableSchemas } from "./check-schemas.ts";
import { convertDocuments } from "./convert-documents.ts";
import { featuresOf, lendingModel } from "./lend-model.ts";
import { openCall, openCallFor } from "./open-call.ts";
import { PageJob } from "./page-job.ts";
import { reserve } from "./pay.ts";
import { readRequest } from "./read-request.ts";

/** Starts a crawl. */
export async function crawl(parts: CallParts, input: CrawlRequest, context?: CallContext): Promise<PageJob> {
  const schema = crawlRequest({ maxPagesPerJob: parts.limits.maxPagesPerJob, patternProblems, pathDepth });
  const form = { schema, place: "scrapeOptions", what: "crawl request" } as const;
  const toJson = schemaReader();
  const read = () => readRequest(form, input, toJson);
  const { caller, request: asked } = await openCallFor(parts, context, read);
  const { pagesAsked, ...parsed } = asked;
  const request = { ...parsed, scrapeOptions: storableSchemas(parsed.scrapeOptions, toJson) };
  refuseUnsupported(requiredFeatures("crawl", request), featuresOf(parts, caller));
  const perPage = leastPageCredits(request.scrapeOptions, request.zeroDataRetention, parts.pricing);
  const atLeast = creditSum(pagesAsked * perPage);
  const id = await reserve(parts, caller, { kind: "crawl", atLeast }, (id) =>
    lendingModel(parts, id, caller, () => startCrawl(parts.start, request, caller, id)),
  );
  cancelOnAbort(parts, "crawl", id, caller);
  return new PageJob(parts, "crawl", id, caller.team, { convert: convertDocuments(parsed.scrapeOptions, toJson) });
}

/** The crawls of the caller's team that are in progress, oldest first. */
export async function activeCrawls(parts: CallParts, context?: CallContext): Promise<ActiveCrawls> {
  const { team } = openCall(parts, context);
  const open = await parts.storage.jobs.listOpenJobs({ team, now: Date.now() });
  return { success: true, crawls: open.filter(({ kind }) => kind === "crawl").map(describe) };
}

function describe(job: JobRecord): ActiveCrawl {
  const { url, webhook: _webhook, ...request } = JSON.parse(job.request) as ParsedCrawlRequest;
  // Under its old name too, because clients of the service read either.
  const options = { ...request, allowBackwardLinks: request.crawlEntireDomain };
  return { id: job.id, teamId: job.team, url, created_at: new Date(job.createdAt).toISOString(), options };
}
